/** Whether a value is absent, null, or a list or object that holds nothing. */
export function isEmpty(value: unknown): boolean {
  return (value ?? null) === null || (typeof value === 'object' && Object.keys(Object(value)).length === 0);
}

/** The same of a value that may be a text. */
export function holdsNothing(value: unknown): boolean {
  return value === '' || isEmpty(value);
}
