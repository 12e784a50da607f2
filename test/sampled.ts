/** Set before a release: every place of a sweep is tried. Otherwise the tests take the first, the last and some between. */
export const EVERY_PLACE = process.env['TEST_EVERY_PLACE'] === '1';

/** Where a sample begins: CI takes another one each hour. */
const FROM = Number(process.env['TEST_FROM'] ?? 0);

/** The first of these, or the one that a sample begins with, every so-manieth after it, and the last; all of them where every place is tried. */
export function sampled<Item>(items: Iterable<Item>, oneIn = 4): readonly Item[] {
  const all = [...items];
  return EVERY_PLACE ? all : all.filter((_, index) => index % oneIn === FROM % oneIn || index === all.length - 1);
}
