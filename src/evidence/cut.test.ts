import { expect, it } from 'vitest';
import { cut } from './cut.ts';

it('cuts between characters, and leaves what is short enough as it is', () => {
  expect([cut('a\u{1f600}b', 2), cut('a\u{1f600}b', 3), cut('a\ud83d', 2)]).toEqual(['a', 'a\u{1f600}', 'a\ud83d']);
});
