/**
 * Values that hosts lose or change where they copy a log, fold it or write it again: what counts as nothing, blanks at the ends, letters
 * that Unicode would write otherwise, what is escaped in JSON or in a pointer, long texts and lists, what lies deep, and numbers at the
 * edge of their precision, texts that look like dates, numbers, flags, JSON or markup, and names that objects have already. 0041 §C: a replay shows them byte for byte.
 */
export const EVERY_VALUE = {
  text: 'an input',
  blanks: '  kept at both ends \n',
  letters: 'e\u0301 is not \u00e9',
  astral: '\u{1f600}',
  markup: '<b title="&amp;">&</b>',
  returns: 'one\r\ntwo\rthree\n',
  separators: '\ufeff between \u2028 and \u2029',
  date: '2026-01-01',
  moment: '2026-01-01T00:00:00Z',
  digits: '007',
  words: ['true', 'false', 'null', 'NaN'],
  json: '{"text":[1]}',
  percent: '100%25 of+it',
  tabs: 'one\ttwo',
  twice: ['same', 'same', 1, 1],
  exponent: '1e3',
  escaped: String.raw`C:\new\u0041 "\\" \n`,
  names: { '': 1, constructor: 2, ['__proto__']: 3, toString: 4 },
  'a/b~c': { 'd~1e': 'a slash and a tilde', 'f\\g': 'a backslash' },
  long: 'long '.repeat(2000),
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
