import { expect, it } from 'vitest';
import { rightKeyOf } from '../../src/cache-key/index.ts';
import type { Answers } from './answers.ts';
import type { KeyAnswered, RecordedKey } from './observation.ts';
import { mayBeRefused } from './refusable.ts';
import { ALIKE, judgeAlike, sharedByAll } from './shared-keys.ts';

const RIGHT = ALIKE.map(({ request }) => rightKeyOf(request, 'rfc-0041') ?? '');
const [FIRST = '', , LONGER = ''] = RIGHT;

function recorded(keys: readonly (string | KeyAnswered)[]): readonly RecordedKey[] {
  return keys.map((key, index) => ({
    ...ALIKE[index],
    type: 'key',
    id: `o${index}`,
    exchanges: [],
    answer: typeof key === 'string' ? { kind: 'key', key } : key,
  })) as unknown as readonly RecordedKey[];
}

function judged(...keys: readonly (string | KeyAnswered)[]) {
  const outcome = judgeAlike({ keys: recorded(keys), cutShort: undefined, again: [] } satisfies Answers);
  return outcome.kind === 'rests' ? `rests on ${outcome.on}` : outcome.kind;
}

it('requests of one length differ in what they say', () => {
  const [one, other, longer] = ALIKE.map(({ request }) => request.length);
  expect(one).toBe(other);
  expect(longer).toBeGreaterThan(one ?? 0);
});

it('no host may refuse them', () => {
  expect(ALIKE.filter(({ request }) => mayBeRefused(request))).toEqual([]);
});

it('keys of their own pass, whatever they are', () => {
  expect(judged(...RIGHT)).toBe('pass');
  expect(judged(...RIGHT.map((key) => key.toUpperCase()))).toBe('pass');
});

it('one key for both fails, unless every request gets it', () => {
  expect(judged(FIRST, FIRST, LONGER, FIRST)).toBe('fail');
  expect(judged(FIRST, FIRST, FIRST, FIRST)).toBe('rests on cache-key.includes-recipe-fields');
});

it('what is no key decides nothing', () => {
  const refused = { kind: 'refused', status: 400 } as const;
  expect(judged(refused, refused, refused, refused)).toBe('rests on cache-key.reproducible-offline');
  expect(judged(FIRST, FIRST, refused, FIRST)).toBe('undecided');
  expect(judged('{}', '{}', LONGER, '{}')).toBe('rests on cache-key.reproducible-offline');
  expect(judged(...RIGHT.with(3, LONGER))).toBe('rests on cache-key.deterministic');
  expect(judged(FIRST)).toBe('undecided');
});

it('one key for all that have others is the cause, unless no two should differ', () => {
  const refused = { kind: 'refused', status: 400 } as const;
  const codes = [[FIRST, FIRST, FIRST, FIRST], [FIRST, FIRST, LONGER, FIRST], [FIRST, refused, refused, FIRST], []].map(
    (keys) => sharedByAll(recorded(keys), 'rfc-0041')?.code,
  );
  expect(codes).toEqual(['keys-shared', undefined, undefined, undefined]);
});
