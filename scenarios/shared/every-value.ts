/**
 * Values that hosts lose or change where they copy a log, fold it or write it again: what counts as nothing, blanks at the ends, letters
 * that Unicode would write otherwise, what is escaped in JSON or in a pointer, long texts and lists, what lies deep, and numbers at the
 * edge of their precision. 0041 §C: a replay shows them byte for byte.
 */
export const EVERY_VALUE = {
  text: 'an input',
  blanks: '  kept at both ends \n',
  letters: 'e\u0301 is not \u00e9',
  astral: '\u{1f600}',
  escaped: String.raw`C:\new\u0041 "\\" \n`,
  'a/b~c': { 'd~1e': 'a slash and a tilde', 'f\\g': 'a backslash' },
  long: 'long '.repeat(400),
  empty: '',
  nothing: null,
  no: false,
  zero: 0,
  fraction: 0.1,
  precise: 0.1 + 0.2,
  large: Number.MAX_SAFE_INTEGER,
  none: [],
  object: {},
  list: [1, null, { deep: true }],
  many: Array.from({ length: 40 }, (_, at) => at),
  depth: { of: { members: { and: [{ lists: [[{ below: ['the', 'eighth', 'level'] }]] }] } } },
} as const;
