/** At most `limit` of the items, spread evenly, first and last included; the first alone for a limit of 1. */
export function spread<T>(items: readonly T[], limit: number): readonly T[] {
  if (items.length <= limit) return items;
  const step = (items.length - 1) / Math.max(1, limit - 1);
  const places = Array.from({ length: limit }, (_, index) => Math.round(index * step));
  return items.filter((_, index) => places.includes(index));
}
