/** Set before a release: every place of a sweep is tried. Otherwise the tests take the first, the last and some between. */
export const EVERY_PLACE = process.env['TEST_EVERY_PLACE'] === '1';

/** The first of these, every so-manieth after it, and the last; all of them where every place is tried. */
export function sampled<Item>(items: Iterable<Item>, oneIn = 4): readonly Item[] {
  const all = [...items];
  return EVERY_PLACE ? all : all.filter((_, index) => index % oneIn === 0 || index === all.length - 1);
}
