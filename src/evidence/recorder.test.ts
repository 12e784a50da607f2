import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { RUN } from '../../test/records.ts';
import { validate } from '../contract/validate.ts';
import { createRecorder, type RawAnswer, type RawExchange } from './recorder.ts';
import { KEPT_CHARACTERS } from './redact-record.ts';
import { createRedactor } from './redact.ts';
import type { EvidenceRecord, Observation } from './types.ts';

const SECRET = 'the-run-credential';

function raw(answer: RawAnswer, more: Partial<RawExchange> = {}): RawExchange {
  return {
    scenario: 's',
    method: 'GET',
    url: 'http://h/x',
    headers: {},
    answer,
    startedAt: new Date(0),
    durationMs: 3,
    ...more,
  };
}

function response(text: string, bytes = Buffer.from(text)): RawAnswer {
  return { kind: 'response', status: 200, headers: {}, bytes, text };
}

function recorded(...raws: readonly RawExchange[]): readonly EvidenceRecord[] {
  const recorder = createRecorder(createRedactor([SECRET]));
  for (const each of raws) recorder.exchange(each);
  return recorder.records;
}

function members(more: Readonly<Record<string, unknown>>): Observation {
  return { type: 't', exchanges: [], ...more };
}

describe('createRecorder', () => {
  it('numbers exchanges and observations, each on its own, and hands every record on in order', () => {
    const seen: string[] = [];
    const recorder = createRecorder(createRedactor([]), (record) =>
      seen.push('id' in record ? record.id : record.kind),
    );
    recorder.exchange(raw(response('')));
    recorder.observation('s', { type: 't', exchanges: ['x1'] });
    recorder.exchange(raw(response('')));
    recorder.add({ kind: 'end', durationMs: 1 });
    expect(seen).toEqual(['x1', 'o1', 'x2', 'end']);
    expect(recorder.records.map((record) => ('id' in record ? record.id : record.kind))).toEqual(seen);
  });

  it('keeps a part of a long body, with length and digest of the bytes on the wire', () => {
    const text = 'é'.repeat(KEPT_CHARACTERS + 1);
    const [record] = recorded(raw(response(text)));
    expect(record).toMatchObject({
      answer: {
        body: {
          text: 'é'.repeat(KEPT_CHARACTERS),
          bytes: 2 * (KEPT_CHARACTERS + 1),
          sha256: createHash('sha256').update(text).digest('hex'),
          truncated: true,
        },
      },
    });
  });

  it('does not truncate a body of exactly the kept length', () => {
    const [record] = recorded(raw(response('a'.repeat(KEPT_CHARACTERS))));
    expect(record).toMatchObject({ answer: { body: { truncated: false } } });
  });

  it('redacts before it cuts, so that no part of a credential stays at the edge', () => {
    const [record] = recorded(raw(response('a'.repeat(KEPT_CHARACTERS - 5) + SECRET)));
    expect(JSON.stringify(record)).not.toContain(SECRET.slice(0, 4));
  });

  it.each(Array.from({ length: SECRET.length + 1 }, (_, before) => [before]))(
    'keeps nothing of an escaped credential of which %i characters stand before the cut',
    (before) => {
      const escaped = Array.from(SECRET, (unit) => `\\u00${unit.charCodeAt(0).toString(16)}`);
      const [record] = recorded(raw(response('a'.repeat(KEPT_CHARACTERS - 6 * before) + escaped.join(''))));
      expect(JSON.stringify(record)).not.toContain(escaped[0]?.slice(1));
    },
  );

  it('keeps less than a piece of a credential that is drawn out beyond all that is searched', () => {
    const drawnOut = Array.from(SECRET, (unit) => unit + '\u200b'.repeat(700)).join('');
    const [record] = recorded(raw(response('a'.repeat(KEPT_CHARACTERS - 700) + drawnOut)));
    expect(JSON.stringify(record).replaceAll('\u200b', '')).not.toContain(
      SECRET.slice(0, 1).repeat(1) + SECRET.slice(1, 8),
    );
  });

  it('cuts no surrogate pair in two', () => {
    const [record] = recorded(raw(response('\u{1f600}'.repeat(KEPT_CHARACTERS).slice(1))));
    const text = record?.kind === 'exchange' && record.answer.kind === 'response' ? record.answer.body.text : '';
    expect(/[\ud800-\udbff]$/u.test(text)).toBe(false);
  });

  it('redacts url, headers and failure message, but keeps the request body to the letter', () => {
    const [record] = recorded(
      raw(
        { kind: 'failure', reason: 'protocol', message: `bad ${SECRET}` },
        { url: `http://h/${SECRET}`, headers: { Authorization: `Bearer ${SECRET}`, 'x-a': SECRET }, body: '{"a":1}' },
      ),
    );
    expect(record).toMatchObject({
      request: {
        url: 'http://h/[redacted]',
        headers: { authorization: '[redacted]', 'x-a': '[redacted]' },
        body: { text: '{"a":1}', bytes: 7, truncated: false },
      },
      answer: { message: 'bad [redacted]' },
    });
  });

  it('keeps only the observation’s own `request` verbatim', () => {
    const recorder = createRecorder(createRedactor([SECRET]));
    const { observation } = recorder.observation('s', {
      ...members({ request: `{"r":"${SECRET}"}`, answer: { request: SECRET, [SECRET]: [SECRET] } }),
      type: 'key',
    });
    expect(observation).toEqual({
      type: 'key',
      exchanges: [],
      request: `{"r":"${SECRET}"}`,
      answer: { request: '[redacted]', '[redacted]': ['[redacted]'] },
    });
  });

  it('searches an own `request` that names a path, and request bodies: a host chooses its run ids', () => {
    const recorder = createRecorder(createRedactor([SECRET]));
    const { observation } = recorder.observation('s', members({ request: `GET /v1/runs/${SECRET}` }));
    expect(observation).toMatchObject({ request: 'GET /v1/runs/[redacted]' });
    const [record] = recorded(raw(response(''), { body: `{"runId":"${SECRET}"}` }));
    expect(record).toMatchObject({ request: { body: { text: '{"runId":"[redacted]"}', bytes: 30 } } });
  });

  it('leaves no part of a credential in what a drive cut, a message quotes or a host did not send to its end', () => {
    const recorder = createRecorder(createRedactor([SECRET]));
    const part = SECRET.slice(0, -3);
    const { observation } = recorder.observation('s', members({ name: 'x'.repeat(100) + part, short: 'the-run-' }));
    recorder.add({ kind: 'driven', scenario: 's', outcome: 'error', message: `at ...${part}"... `, durationMs: 0 });
    recorder.exchange(raw(response(`{"name":"${part}`)));
    expect(JSON.stringify(recorder.records)).not.toContain(SECRET.slice(3, 11));
    expect(observation).toMatchObject({ name: `${'x'.repeat(100)}[redacted]`, short: 'the-run-' });
  });

  it.each([
    ['plain', SECRET],
    ['in upper case', SECRET.toUpperCase()],
    ['in base64url', Buffer.from(SECRET).toString('base64url')],
    ['in hexadecimal', Buffer.from(SECRET).toString('hex')],
    ['in upper-case hexadecimal', Buffer.from(SECRET).toString('hex').toUpperCase()],
  ])('leaves no part of a credential %s in an id that was made from one that holds it', (_, spelling) => {
    const recorder = createRecorder(createRedactor([SECRET]));
    const unknown = `run_1~${spelling.slice(0, -8)}~${'z'.repeat(8)}`;
    recorder.exchange(raw(response('{}'), { url: `http://h/v1/runs/run_1~${spelling}/events` }));
    const more = { url: `http://h/v1/runs/${unknown}:fork` };
    const id = recorder.exchange(raw(response(`{"message":"there is no ${unknown} here"}`), more));
    const { observation } = recorder.observation('s', { ...members({ name: unknown }), exchanges: [id] });
    expect(recorder.records[1]).toMatchObject({
      request: { url: 'http://h/v1/runs/run_1~[redacted]~zzzzzzzz:fork' },
      answer: { body: { text: '{"message":"there is no run_1~[redacted]~zzzzzzzz here"}' } },
    });
    expect(observation).toMatchObject({ name: 'run_1~[redacted]~zzzzzzzz' });
  });

  it('keeps what only shares a word with a credential: fixtures in answers, the origin in URLs', () => {
    const recorder = createRecorder(createRedactor(['conformance-key']));
    const answer = '{"workflowId":"conformance-noop"}';
    const id = recorder.exchange(raw(response(answer), { url: 'http://conformance.h/v1/workflows/conformance-noop' }));
    const { observation } = recorder.observation('s', { ...members({ name: 'conformance-noop' }), exchanges: [id] });
    expect(recorder.records[0]).toMatchObject({
      request: { url: 'http://conformance.h/v1/workflows/[redacted]noop' },
      answer: { body: { text: answer } },
    });
    expect(observation).toMatchObject({ name: 'conformance-noop' });
  });

  it('searches an own `request` that is no string', () => {
    const recorder = createRecorder(createRedactor([SECRET]));
    const { observation } = recorder.observation('s', members({ request: { a: SECRET } }));
    expect(observation).toMatchObject({ request: { a: '[redacted]' } });
  });

  it('keeps type and exchanges of an observation although a short credential is spelled like them', () => {
    const recorder = createRecorder(createRedactor(['key', 'x1']));
    expect(recorder.observation('s', { type: 'key', exchanges: ['x1'] }).observation).toEqual({
      type: 'key',
      exchanges: ['x1'],
    });
  });

  it('redacts what quotes the host in a plan and in a drive’s message', () => {
    const recorder = createRecorder(createRedactor([SECRET]));
    recorder.add({ kind: 'plan', scenario: 's', status: 'inconclusive', reason: `version is "${SECRET}"` });
    recorder.add({ kind: 'driven', scenario: 's', outcome: 'error', message: SECRET, durationMs: 0 });
    expect(recorder.records).toMatchObject([{ reason: 'version is "[redacted]"' }, { message: '[redacted]' }]);
  });

  it('stores observations as JSON does: no undefined, no shared references', () => {
    const recorder = createRecorder(createRedactor([]));
    const inner = { n: Number.POSITIVE_INFINITY, u: undefined };
    const { observation } = recorder.observation('s', members({ inner }));
    expect(observation).toEqual({ type: 't', exchanges: [], inner: { n: null } });
  });
});

describe('every kind of record', () => {
  const recorder = createRecorder(createRedactor([]));
  recorder.add({ ...RUN, target: { baseUrl: 'http://h', baseUrlB: 'http://i' } });
  recorder.add({ kind: 'plan', scenario: 's', status: 'applicable', reason: 'r' });
  recorder.exchange(raw(response('{}'), { body: '{}' }));
  for (const reason of [
    'refused',
    'unresolvable',
    'timeout',
    'reset',
    'tls',
    'headers-too-large',
    'body-too-large',
    'encoded',
    'protocol',
    'aborted',
  ] as const) {
    recorder.exchange(raw({ kind: 'failure', reason, message: 'm' }));
  }
  recorder.observation('s', { type: 't', exchanges: ['x1'] });
  recorder.add({ kind: 'driven', scenario: 's', outcome: 'timed-out', message: 'm', durationMs: 1 });
  recorder.add({ kind: 'end', durationMs: 1 });

  it.each(recorder.records.map((record, index) => [`${index} ${record.kind}`, record] as const))(
    'validates against the evidence schema: %s',
    (_, record) => {
      expect(validate('evidence', record)).toEqual([]);
      expect(validate(`evidence#${record.kind}`, { ...record, stray: 1 })).not.toEqual([]);
    },
  );
});
