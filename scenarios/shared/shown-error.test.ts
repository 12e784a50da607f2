import { expect, it } from 'vitest';
import { otherError } from './shown-error.ts';

const FAILED = { payload: { error: { code: 'e', message: 'It failed 3 times.' } } };
const saying = (error: object | string) => ({ payload: { error } });

it('finds another code, or none, and other words', () => {
  expect(otherError(FAILED, saying({ code: 'f', message: 'It failed 3 times.' }))).toEqual({
    expected: 'error code e',
    actual: 'error code f',
  });
  expect(otherError(FAILED, { payload: {} })?.actual).toBe('no error code');
  expect(otherError(FAILED, saying({ code: 'e', message: 'It worked.' }))?.actual).toBe('the message "It worked."');
  expect(otherError(saying('It failed.'), saying('It worked.'))?.expected).toBe('the message "It failed."');
});

it('finds nothing in the same error, in counts and ids, or where either shows nothing', () => {
  for (const [source, replay] of [
    [FAILED, FAILED],
    [FAILED, saying({ code: 'e', message: 'It failed 4 times.' })],
    [FAILED, saying({ code: 'e' })],
    [{ payload: {} }, FAILED],
    [{ payload: null }, { payload: null }],
  ] as const) {
    expect(otherError(source, replay)).toBeUndefined();
  }
});
