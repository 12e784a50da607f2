/** At most `limit` of the items, evenly spread, the first and the last among them; the last alone for a limit of 1. */
export function spread<T>(items: readonly T[], limit: number): readonly T[] {
  if (items.length <= limit) return items;
  if (limit === 1) return items.slice(-1);
  const step = (items.length - 1) / (limit - 1);
  const places = new Set(Array.from({ length: limit }, (_, index) => Math.round(index * step)));
  return items.filter((_, index) => places.has(index));
}
