import { describe, expect, it } from 'vitest';
import { answered, handleOf, unanswered as failed } from '../../test/answers.ts';
import type { Exchange } from './client.ts';
import { createReach, ENOUGH_FAILED } from './reach.ts';

/** Sends requests that come to these, and one more question that comes to `asked`. */
async function after(exchanges: readonly Exchange[], asked: Exchange) {
  let questions = 0;
  const reach = createReach(() => {
    questions += 1;
    return Promise.resolve(asked);
  });
  const left = [...exchanges];
  const { handle, isUnreached } = reach.lend(handleOf(async () => left.shift() ?? asked));
  for (const _ of exchanges) await handle.exchange({ method: 'GET', path: '/' });
  await Promise.resolve();
  return { isGone: reach.gone.aborted, isUnreached: isUnreached(), questions };
}

const REFUSED = Array.from({ length: ENOUGH_FAILED }, () => failed('refused'));

describe('a host', () => {
  it('is gone where enough requests in a row, and one more, were not answered', async () => {
    expect(await after(REFUSED, failed('refused'))).toEqual({ isGone: true, isUnreached: true, questions: 1 });
  });

  it('is there where it answers that question, or one of the requests', async () => {
    expect(await after(REFUSED, answered(404))).toMatchObject({ isGone: false, questions: 1 });
    const broken = [...REFUSED.slice(1), answered(200), ...REFUSED.slice(1)];
    expect(await after(broken, failed('refused'))).toMatchObject({ isGone: false, questions: 0 });
  });

  it.each(['aborted', 'body-too-large', 'protocol'] as const)(
    'is not missed for a request that was %s',
    async (reason) => {
      const same = REFUSED.map(() => failed(reason));
      expect(await after(same, failed('refused'))).toEqual({ isGone: false, isUnreached: false, questions: 0 });
    },
  );

  it.each([
    [502, true],
    [409, true],
    [404, false],
    [500, false],
  ])('that answers %i last was not reached: %s', async (status, isUnreached) => {
    expect(await after([answered(status)], answered(200))).toMatchObject({ isUnreached });
  });
});
