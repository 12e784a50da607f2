import { describe, expect, it } from 'vitest';
import type { Exchange } from '../../src/host/client.ts';
import { readAnswer } from './observation.ts';
import type { KeyRequest } from './requests.ts';
import { type Line, send } from './send.ts';

const requests: readonly KeyRequest[] = Array.from({ length: 12 }, (_, index) => ({
  name: `n${index}`,
  part: 'golden',
  request: `${index}`,
}));

function lineOf(answer: (request: string) => Exchange, signal = new AbortController().signal): Line {
  return {
    concurrency: 3,
    signal,
    handle: {
      baseUrl: '',
      exchange: async ({ body }) => answer(body ?? ''),
      stream: async () => ({ id: 'x', kind: 'failure', reason: 'protocol', message: '' }),
    },
  };
}

const dropped: Exchange = { id: 'x', kind: 'failure', reason: 'reset', message: '' };

function answered(status: number, value: unknown): Exchange {
  return { id: 'x', kind: 'response', status, headers: {}, text: '', json: { ok: true, value } };
}

const beyond: Exchange = {
  id: 'x',
  kind: 'response',
  status: 200,
  headers: {},
  text: '',
  json: { ok: false, why: 'too-deep', message: 'the body nests too deep' },
};

describe('send', () => {
  it('keeps the order of the requests', async () => {
    const observations = await send(
      lineOf((request) => answered(200, { cacheKey: request })),
      requests,
    );
    expect(observations.map((each) => each.type === 'key' && each.request)).toEqual(
      requests.map(({ request }) => request),
    );
  });

  it('stops after three failures in a row and says so', async () => {
    const observations = await send(
      lineOf(() => dropped),
      requests,
    );
    expect(observations.at(-1)).toMatchObject({ type: 'cut-short', part: 'golden', planned: 12 });
    expect(observations.length).toBeLessThan(7);
  });

  it('goes on after a single failure', async () => {
    const observations = await send(
      lineOf((request) => (request === '4' ? dropped : answered(200, { cacheKey: 'k' }))),
      requests,
    );
    expect(observations).toHaveLength(12);
  });

  it('sends nothing once the time is up', async () => {
    const observations = await send(
      lineOf(() => dropped, AbortSignal.abort()),
      requests,
    );
    expect(observations).toMatchObject([{ type: 'cut-short', asked: 0, reason: 'the time was up' }]);
  });
});

describe('readAnswer', () => {
  it.each([
    [answered(200, { cacheKey: 'k' }), { kind: 'key', key: 'k' }],
    [answered(200, {}), { kind: 'no-key', status: 200, why: 'the answer has no string cacheKey' }],
    [answered(200, { cacheKey: 7 }), { kind: 'no-key', status: 200, why: 'the answer has no string cacheKey' }],
    [
      answered(200, Object.create({ cacheKey: 'inherited' })),
      { kind: 'no-key', status: 200, why: 'the answer has no string cacheKey' },
    ],
    [
      answered(200, { cacheKey: 'x'.repeat(5000) }),
      { kind: 'no-key', status: 200, why: 'a cacheKey of 5000 characters', characters: 5000 },
    ],
    [answered(400, { error: 'e' }), { kind: 'refused', status: 400 }],
    [answered(400, { cacheKey: 'k' }), { kind: 'refused', status: 400, key: 'k' }],
    [dropped, { kind: 'failure', reason: 'reset' }],
    [beyond, { kind: 'failure', reason: 'the body nests too deep' }],
  ])('case %#', (exchange, answer) => {
    expect(readAnswer(exchange)).toEqual(answer);
  });
});
