import { describe, expect, it } from 'vitest';
import { event, log } from '../../test/event-logs.ts';
import { MAX_LINE, readLog } from './read.ts';

const EVENTS = log([event('run.started', undefined, { text: 'Grüße\u2028🌊' }), event('run.completed', undefined, {})]);
const LINES = EVENTS.map((each) => JSON.stringify(each));

async function* bytes(text: string | Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  const all = typeof text === 'string' ? new TextEncoder().encode(text) : text;
  for (let at = 0; at < all.length; at += size) yield all.subarray(at, at + size);
}

/** The ids of a log's events, or what is wrong with it. */
async function read(text: string | Uint8Array, size = 65_536): Promise<readonly string[] | string> {
  const ids: string[] = [];
  for await (const batch of readLog(bytes(text, size))) {
    if (!batch.ok) return `${batch.at}: ${batch.message}`;
    ids.push(...batch.events.map((each) => each.eventId));
  }
  return ids;
}

const IDS = ['evt-s-0', 'evt-s-1'];

describe('a recorded log', () => {
  it.each([
    ['NDJSON', LINES.join('\n')],
    ['NDJSON with CRLF, blank lines and a byte order mark', `\ufeff\n\r\n${LINES.join('\r\n\r\n')}\r\n`],
    ['an array', JSON.stringify(EVENTS)],
    ['an indented array', JSON.stringify(EVENTS, null, 2)],
    ['the events endpoint’s answer', JSON.stringify({ events: EVENTS, isComplete: true })],
    ['that answer, indented', JSON.stringify({ events: EVENTS }, null, 2)],
  ])('is read as %s, in whatever pieces it comes', async (_, text) => {
    for (const size of [1, 7, 65_536]) expect(await read(text, size)).toEqual(IDS);
  });

  it('may have events without a payload', async () => {
    expect(await read('{"eventId":"e","type":"t","sequence":0}')).toEqual(['e']);
  });

  it('without an event is an empty log', async () => {
    expect(await read('')).toEqual([]);
    expect(await read('\n \n')).toEqual([]);
    expect(await read('{"events": []}')).toEqual([]);
  });

  it('keeps a payload to the letter', async () => {
    const payloads: unknown[] = [];
    for await (const batch of readLog(bytes(LINES.join('\n'), 3))) {
      if (batch.ok) payloads.push(...batch.events.map((each) => each.payload));
    }
    expect(payloads).toEqual([{ text: 'Grüße\u2028🌊' }, {}]);
  });
});

const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);
const withPayload = (payload: string): string =>
  `{"eventId":"e","type":"t","sequence":0,"runId":"r","timestamp":"x","payload":${payload}}`;

describe('a log that cannot be read', () => {
  it.each([
    ['text', 'hello', 'line 1: neither NDJSON nor a JSON document'],
    ['a number', '7', 'line 1: no event, no array and no {"events": []}'],
    ['a broken line', `${LINES[0]}\n{"eventId":`, 'line 2: not a JSON document'],
    ['a null line', `${LINES[0]}\nnull`, 'line 2: the event is not a JSON object'],
    ['no eventId', '{"type":"t","sequence":0,"payload":1}', 'line 1: the event has no eventId'],
    ['no type', '{"eventId":"e","sequence":0,"payload":1}', 'line 1: the event has no type'],
    ['no sequence', '{"eventId":"e","type":"t","payload":1}', 'line 1: the event has no whole sequence number'],
    [
      'half a sequence',
      '{"eventId":"e","type":"t","sequence":0.5,"payload":1}',
      'line 1: the event has no whole sequence number',
    ],
    [
      'inherited members',
      '{"__proto__":{"eventId":"e","type":"t","sequence":0,"payload":1}}',
      'line 1: the event has no eventId',
    ],
    ['an event of an array', `[${LINES[0]},5]`, 'event 2: the event is not a JSON object'],
    ['deep nesting', withPayload(nested(100_000)), 'line 1: the event nests deeper than 256 levels'],
    [
      'a number beyond a double',
      withPayload('[1e400]'),
      'line 1: the event holds a number outside the range of a double',
    ],
  ])('for %s says where and why', async (_, text, message) => {
    expect(await read(text)).toBe(message);
  });

  it('for bytes that are not UTF-8 says so', async () => {
    expect(await read(Uint8Array.of(0x7b, 0xff, 0x0a))).toBe('after line 0: not valid UTF-8');
    expect(await read(Uint8Array.of(0x7b, 0xe2))).toBe('after line 0: not valid UTF-8');
  });

  it('for an endless line stops at the limit', async () => {
    const text = `${LINES[0]}\n${' '.repeat(MAX_LINE + 1)}`;
    expect(await read(text)).toBe(`after line 1: a line is longer than ${MAX_LINE} bytes`);
  });
});
