/**
 * Remembers what a pure function made of its last arguments, and forgets all of it when they are more than `most`. How much
 * a key counts is 1 unless `sizeOf` says otherwise.
 */
export function remembering<V, K = unknown>(
  most: number,
  sizeOf: (key: K) => number = () => 1,
): (key: K, make: () => V) => V {
  const known = new Map<K, { readonly value: V }>();
  let held = 0;
  return (key, make) => {
    const found = known.get(key);
    if (found !== undefined) return found.value;
    const value = make();
    const size = sizeOf(key);
    if (size > most) return value;
    held += size;
    if (held > most) {
      known.clear();
      held = size;
    }
    known.set(key, { value });
    return value;
  };
}
