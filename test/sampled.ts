/** Set before a release: every place of a sweep is tried. Otherwise the tests take the first, the last and some between. */
export const EVERY_PLACE = process.env['TEST_EVERY_PLACE'] === '1';

/** Where a sample begins that is another one each hour, as in CI. */
const FROM = process.env['TEST_FROM'];

/** The first of these, every so-manieth after it, and the last, or the sample that is asked for, of one at least; all of them where every place is tried. */
export function sampled<Item>(items: Iterable<Item>, oneIn = 4): readonly Item[] {
  const all = [...items];
  if (EVERY_PLACE) return all;
  const parts = Math.min(oneIn, all.length);
  if (FROM !== undefined) return all.filter((_, index) => index % parts === Number(FROM) % parts);
  return all.filter((_, index) => index % oneIn === 0 || index === all.length - 1);
}
