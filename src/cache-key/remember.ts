/**
 * Remembers what was made for the last keys, and forgets all of it when there are more than `most`: for pure functions that
 * are called again and again with the same few arguments.
 */
export function remembering<V>(most: number): (key: unknown, make: () => V) => V {
  const known = new Map<unknown, { readonly value: V }>();
  return (key, make) => {
    const found = known.get(key);
    if (found !== undefined) return found.value;
    const value = make();
    if (known.size >= most) known.clear();
    known.set(key, { value });
    return value;
  };
}
