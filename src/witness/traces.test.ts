import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { closedAfterEach } from '../../test/closing.ts';
import type { Json } from '../evidence/types.ts';
import type { Witness } from '../evidence/witness.ts';
import { openWitness } from './index.ts';
import { readSpans } from './traces.ts';

const opened = closedAfterEach();

async function open(): Promise<Witness> {
  const result = await openWitness({ hostname: '127.0.0.1', port: 0 });
  if (!result.ok) throw new Error(result.reason);
  return opened(result).witness;
}

const BOMB = gzipSync(Buffer.alloc(64 * 1024 * 1024));
const TRACE = 'A'.repeat(32);

function traceExport(...spans: readonly Json[]): Json {
  return { resourceSpans: [{ resource: {}, scopeSpans: [{ scope: { name: 's' }, spans }] }] };
}

function span(name: string, more: object = {}): Json {
  return { traceId: TRACE, spanId: 'B'.repeat(16), name, ...more };
}

const send = (witness: Witness, body: string | Uint8Array, headers: Readonly<Record<string, string>> = {}) =>
  fetch(`${witness.baseUrl}/v1/traces`, {
    method: 'POST',
    body: typeof body === 'string' ? body : new Uint8Array(body),
    headers: { 'content-type': 'application/json', ...headers },
  });

const wait = (timeoutMs = 5000, signal = new AbortController().signal) => ({ timeoutMs, signal });

interface Sent {
  readonly body: string | Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
  readonly problem: RegExp;
}

describe('the collector', () => {
  it('gives a span that came before it was asked for', async () => {
    const witness = await open();
    const response = await send(witness, JSON.stringify(traceExport(span('openwop.run'))));
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ partialSuccess: {} });
    expect(await witness.span(({ name }) => name === 'openwop.run', wait())).toMatchObject({ name: 'openwop.run' });
    expect(witness.spanProblem()).toBeUndefined();
  });

  it('gives a span that comes later, to everyone whom it fits', async () => {
    const witness = await open();
    const waiting = ['a', 'b', 'a'].map((wanted) => witness.span(({ name }) => name === wanted, wait()));
    await send(witness, JSON.stringify(traceExport(span('x'), span('a'))));
    await send(witness, JSON.stringify(traceExport(span('b'))));
    expect((await Promise.all(waiting)).map((found) => found?.name)).toEqual(['a', 'b', 'a']);
  });

  it('gives nothing after the time or after an abort', async () => {
    const witness = await open();
    expect(await witness.span(() => true, wait(20))).toBeUndefined();
    const stop = new AbortController();
    const waiting = witness.span(() => true, wait(60_000, stop.signal));
    stop.abort();
    expect(await waiting).toBeUndefined();
    expect(await witness.span(() => true, wait(60_000, stop.signal))).toBeUndefined();
  });

  it('unpacks gzip', async () => {
    const witness = await open();
    const packed = gzipSync(JSON.stringify(traceExport(span('zipped'))));
    expect((await send(witness, packed, { 'content-encoding': 'gzip' })).status).toBe(200);
    expect(await witness.span(({ name }) => name === 'zipped', wait())).toBeDefined();
  });

  it.each<[what: string, status: number, sent: Sent]>([
    [
      'protobuf',
      415,
      { body: new Uint8Array([10, 0]), headers: { 'content-type': 'application/x-protobuf' }, problem: /http\/json/u },
    ],
    ['an unknown packing', 415, { body: '{}', headers: { 'content-encoding': 'br' }, problem: /"br"/u }],
    ['no export', 400, { body: '{"spans":[]}', problem: /resourceSpans/u }],
    ['no gzip', 400, { body: '{}', headers: { 'content-encoding': 'gzip' }, problem: /resourceSpans/u }],
    ['a gzip bomb', 400, { body: BOMB, headers: { 'content-encoding': 'gzip' }, problem: /resourceSpans/u }],
    ['too large an export', 413, { body: ' '.repeat(4 * 1024 * 1024 + 1), problem: /more than/u }],
    ['a span without ids', 200, { body: JSON.stringify(traceExport({ name: 'n' })), problem: /1 spans came without/u }],
  ])('remembers %s as a problem and answers %i', async (_, status, { body, headers = {}, problem }) => {
    const witness = await open();
    expect((await send(witness, body, headers)).status).toBe(status);
    expect(witness.spanProblem()).toMatch(problem);
    expect((await fetch(`${witness.baseUrl}/v1/traces`)).status).toBe(405);
  });

  it('keeps the newest spans of very many', async () => {
    const witness = await open();
    const spans = Array.from({ length: 6000 }, (_, at) => span(`s${at}`));
    await send(witness, JSON.stringify(traceExport(span('oldest'))));
    for (let turn = 0; turn < 2; turn += 1) await send(witness, JSON.stringify(traceExport(...spans)));
    expect(await witness.span(({ name }) => name === 's5999', wait(20))).toBeDefined();
    expect(await witness.span(({ name }) => name === 'oldest', wait(20))).toBeUndefined();
  });
});

describe('readSpans', () => {
  it('reads ids, parent, links and typed attributes', () => {
    const attributes = [
      { key: 'text', value: { stringValue: 'x' } },
      { key: 'flag', value: { boolValue: false } },
      { key: 'small', value: { intValue: '7' } },
      { key: 'number', value: { intValue: 8 } },
      { key: 'large', value: { intValue: '9223372036854775807' } },
      { key: 'double', value: { doubleValue: 0.5 } },
      { key: 'list', value: { arrayValue: { values: [{ stringValue: 'a' }, { intValue: '1' }] } } },
      { key: 'map', value: { kvlistValue: { values: [{ key: 'k', value: { boolValue: true } }] } } },
      { key: 'nothing', value: {} },
      { key: '__proto__', value: { stringValue: 'harmless' } },
      { key: 5, value: { stringValue: 'no key' } },
      null,
    ];
    const links = [{ traceId: TRACE, spanId: 'C'.repeat(16) }, { traceId: TRACE }, 'x'];
    const [read] = readSpans(traceExport(span('n', { parentSpanId: 'D'.repeat(16), attributes, links })))?.spans ?? [];
    expect(read).toMatchObject({
      traceId: 'a'.repeat(32),
      spanId: 'b'.repeat(16),
      parentSpanId: 'd'.repeat(16),
      links: [{ traceId: 'a'.repeat(32), spanId: 'c'.repeat(16) }],
    });
    expect(Object.entries(read?.attributes ?? {})).toEqual([
      ['text', 'x'],
      ['flag', false],
      ['small', 7],
      ['number', 8],
      ['large', '9223372036854775807'],
      ['double', 0.5],
      ['list', ['a', 1]],
      ['map', { k: true }],
      ['nothing', null],
      ['__proto__', 'harmless'],
    ]);
  });

  it('keeps all that a span says', () => {
    const links = [{ traceId: TRACE, spanId: 'c', attributes: [{ key: 'k', value: { stringValue: 'v' } }] }];
    const whole = span('n', { links, events: [{ name: 'e' }], status: { code: 2, message: 'because' } });
    expect(readSpans(traceExport(whole))?.spans[0]?.text).toBe(JSON.stringify(whole));
  });

  it('has no parent where it is empty or absent', () => {
    const read = readSpans(traceExport(span('a'), span('b', { parentSpanId: '' })));
    expect(read?.spans.map(({ parentSpanId }) => parentSpanId)).toEqual([null, null]);
  });

  it.each([undefined, null, 1, 'x', [], {}, { resourceSpans: {} }, { resourceSpans: null }])(
    'reads no export in %j',
    (document) => {
      expect(readSpans(document)).toBeUndefined();
    },
  );

  it.each([{ resourceSpans: [] }, { resourceSpans: [null, 7, { scopeSpans: 'x' }, { scopeSpans: [{ spans: {} }] }] }])(
    'reads no span in %j',
    (document) => {
      expect(readSpans(document as Json)).toEqual({ spans: [], unreadable: 0 });
    },
  );

  it('skips spans that are none, and counts them', () => {
    const read = readSpans(traceExport(null, 'x', { name: 'n' }, span('good'), span('', { traceId: 7 })));
    expect(read).toMatchObject({ spans: [{ name: 'good' }], unreadable: 4 });
  });
});
