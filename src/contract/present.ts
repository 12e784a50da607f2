type Present<T> = { readonly [Name in keyof T]?: Exclude<T[Name], undefined> };

/** Those of the members that have a value: what is optional is there, or is not. */
export function present<T extends object>(members: T): Present<T> {
  const own = Object.entries(members).filter(([, value]) => value !== undefined);
  return Object.fromEntries(own) as Present<T>;
}
