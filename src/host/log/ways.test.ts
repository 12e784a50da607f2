import { beforeEach, describe, expect, it } from 'vitest';
import { answered, unanswered } from '../../../test/answers.ts';
import type { Exchange, HostHandle, HostRequest, StreamReader } from '../client.ts';
import { createWays } from './ways.ts';

const TIMEOUT = 10_000;
const list = answered(200, []);
const late = unanswered('timeout', 'late');
const LIST: HostRequest = { method: 'GET', path: '/v1/runs/r/events' };
const POLL: HostRequest = { method: 'GET', path: '/v1/runs/r/events/poll' };
const BEHIND: HostRequest = { method: 'GET', path: '/v1/runs/r/events/poll?lastSequence=3' };
const STREAM: HostRequest = { ...LIST, headers: { accept: 'text/event-stream' } };
const SNAPSHOT: HostRequest = { method: 'GET', path: '/v1/runs/r' };

/** A host that gives one answer to everything, or streams these texts before it; `given` is what it was last given, in milliseconds. */
let answer: Exchange = late;
let texts: readonly string[] = [];
let given: number | undefined;
const host: HostHandle = {
  baseUrl: 'http://h',
  exchange: async ({ patience }) => {
    given = patience?.ms;
    return answer;
  },
  stream: async ({ patience }, reader) => {
    given = patience?.ms;
    reader.head(200, { 'content-type': 'text/event-stream' });
    for (const text of texts) reader.text(text);
    return answer;
  },
};
const reader: StreamReader = { head: () => 'read', text: () => 'more' };

beforeEach(() => {
  answer = late;
  texts = [];
});

async function asked(handle: HostHandle, request: HostRequest, times = 1): Promise<number | undefined> {
  for (let time = 0; time < times; time += 1) {
    await (request === STREAM ? handle.stream(request, reader) : handle.exchange(request));
  }
  return given;
}

describe('the ways to read a log', () => {
  it('know the streams of each caller', () => {
    const ways = createWays(TIMEOUT);
    const [one, again, other] = ['a', 'a', 'b'].map((caller) => ways.watching(host, caller).lean);
    expect(again).toBe(one);
    expect(other).not.toBe(one);
  });

  it('have the whole time, until one stood still; others and other callers have it on', async () => {
    const ways = createWays(TIMEOUT);
    const handle = ways.watching(host, 'a');
    expect(await asked(handle, LIST)).toBeUndefined();
    expect(await asked(handle, LIST)).toBe(200);
    expect(await asked(handle, POLL)).toBeUndefined();
    expect(await asked(handle, STREAM)).toBeUndefined();
    expect(await asked(ways.watching(host, 'b'), LIST)).toBeUndefined();
    expect(await asked(ways.watching(host, 'a'), { ...LIST, path: '/v1/runs/other/events' })).toBe(200);
  });

  it('are mute where they have never answered and were waited for no longer', async () => {
    const handle = createWays(TIMEOUT).watching(host, 'a');
    expect(await handle.exchange(LIST)).toBe(late);
    expect(await handle.exchange(LIST)).toEqual({ ...late, mute: true });
  });

  it('have the whole time again as soon as something comes', async () => {
    const handle = createWays(TIMEOUT).watching(host, 'a');
    await asked(handle, LIST, 2);
    answer = list;
    expect(await asked(handle, LIST)).toBe(200);
    answer = late;
    expect(await asked(handle, LIST, 3)).toBeUndefined();
    expect(await handle.exchange(LIST)).toBe(late);
    expect(given).toBe(1000);
  });

  it('have a stream that says nothing but comments stand still', async () => {
    const handle = createWays(TIMEOUT).watching(host, 'a');
    texts = [': ping\n\n'];
    answer = { ...list, cut: true };
    expect(await asked(handle, STREAM, 2)).toBe(200);
    texts = ['data: {}\n\n'];
    expect(await asked(handle, STREAM, 2)).toBeUndefined();
  });

  it('may wait behind an event for the next one', async () => {
    const handle = createWays(TIMEOUT).watching(host, 'a');
    expect(await asked(handle, BEHIND, 3)).toBeUndefined();
    expect(await handle.exchange(BEHIND)).toBe(late);
    expect(given).toBe(1000);
    expect(await asked(handle, POLL)).toBeUndefined();
  });

  it('are no others: a snapshot has the whole time', async () => {
    const handle = createWays(TIMEOUT).watching(host, 'a');
    expect(await asked(handle, SNAPSHOT, 5)).toBeUndefined();
  });

  it('are given no less than a moment, and never more than the time-out', async () => {
    expect(await asked(createWays(1000).watching(host, 'a'), LIST, 2)).toBe(100);
    expect(await asked(createWays(100).watching(host, 'a'), LIST, 2)).toBeUndefined();
  });
});
