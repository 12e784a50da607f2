import { describe, expect, it } from 'vitest';
import { bodyOf, exchanged as exchangeRecord } from '../../test/records.ts';
import type { BodyRecord, ExchangeRecord, Json, ObservationRecord } from '../evidence/types.ts';
import { createUnlike, editedBody } from './unlike-exchanges.ts';

const EVENT = { eventId: 'e1', type: 'run.started', seq: 0, data: { total: 12.5 } };
const LOG = JSON.stringify({ runId: 'r', events: [EVENT] }, null, 1);
const STREAM = `id: 0\r\ndata: ${JSON.stringify(EVENT)}\r\n\r\n`;

function exchanged(
  id: string,
  body: BodyRecord,
  { method = 'GET', path = '/', status = 200, type = 'application/json' } = {},
): ExchangeRecord {
  const request = { method, url: `http://h${path}`, headers: {}, body: bodyOf('{}') };
  const headers = { 'content-type': type };
  return exchangeRecord({ id, request, answer: { kind: 'response', status, headers, body } });
}

const BROKEN: ExchangeRecord = {
  ...exchanged('x2', bodyOf('')),
  answer: { kind: 'failure', reason: 'timeout', message: 'no answer within 10 s' },
};

/** What is said of an observation of the first exchange, or of those that it names. */
function unlike(
  members: { readonly type: string; readonly [name: string]: Json },
  ...exchanges: readonly ExchangeRecord[]
) {
  const observation = { exchanges: exchanges.map(({ id }) => id), ...members };
  const record: ObservationRecord = { kind: 'observation', id: 'o1', scenario: 's', observation };
  return createUnlike(exchanges)(record);
}

function keyed(id: string, exchanges: readonly string[], key: string): ObservationRecord {
  const observation = { type: 'key', exchanges, answer: { kind: 'key', key } };
  return { kind: 'observation', id, scenario: 's', observation };
}

const STRANGE = 'it tells of events that stand in no exchange about its run';
const FORK = { runId: 'r', fromSeq: 0, mode: 'replay' };
const FORKED = bodyOf(JSON.stringify(FORK));
const POST = { method: 'POST', path: '/v1/runs/s:fork', status: 201 };
const SHOWN = { path: '/v1/runs/r' };
const EVENTS = { path: '/v1/runs/r/events' };
const STREAMED = { ...EVENTS, type: 'text/event-stream' };
const END = { eventId: 'e2', type: 'run.completed', seq: 1, data: {} };
const ENDING = `id: 1\ndata: ${JSON.stringify(END)}\n\n`;
const REDUCED = 'id: 1\nevent: run.completed\ndata: {"type":"run.completed"}\n\n';
const ENDED = JSON.stringify({ events: [END] });
const STREAM_LEFT = exchanged('x1', bodyOf(STREAM), STREAMED);
const NO_END = 'its log has no end, and the first reading of it shows one';

describe('a body', () => {
  it.each([
    ['as it came', bodyOf('{"é":1}')],
    ['that begins with a byte order mark', bodyOf('\ufeff{}')],
    ['that was cut', bodyOf('{', { bytes: 99, truncated: true })],
    ['that lost a credential', bodyOf('"[redacted]"', { bytes: 99 })],
    ['that is no UTF-8', bodyOf('\ufffd', { bytes: 1 })],
  ])('%s is not edited', (_, body) => {
    expect(editedBody(exchanged('x1', body))).toBeUndefined();
  });

  it('with another digest or length is', () => {
    expect(editedBody(exchanged('x1', { ...bodyOf('{}'), text: '[]' }))).toMatch(/^the answer's body/u);
    const whole = exchanged('x1', bodyOf('{}'));
    const { request } = whole;
    expect(editedBody({ ...whole, request: { ...request, body: bodyOf('{}', { bytes: 3 }) } })).toMatch(
      /^the request's/u,
    );
  });
});

describe('an observation', () => {
  it.each([
    ['a status', { type: 'asked', answered: 201 }, [exchanged('x1', bodyOf('{}'), { status: 201 })]],
    [
      "a host's own number",
      { type: 'run', answer: { status: 24 }, runId: 'r', events: [] },
      [exchanged('x1', bodyOf('{}'))],
    ],
    ['another number', { type: 'silence', answered: 24 }, [exchanged('x1', bodyOf('{}'))]],
    ['no status', { type: 'asked', answered: null }, [exchanged('x1', bodyOf('{}'))]],
    ['an older run', { type: 'run', answered: 201, runId: 'r', events: [] }, [exchanged('x1', bodyOf('{}'))]],
    ['a log', { type: 'run', runId: 'r', events: [EVENT] }, [exchanged('x1', bodyOf(LOG), EVENTS)]],
    [
      'a log whose members were renamed',
      { type: 'run', runId: 'r', events: [{ sequence: 0, payload: { total: 12.5 } }] },
      [exchanged('x1', bodyOf(LOG), EVENTS)],
    ],
    ['a stream', { type: 'run', runId: 'r', events: [EVENT] }, [exchanged('x1', bodyOf(STREAM), EVENTS)]],
    [
      'a number beyond a double',
      { type: 'run', runId: 'r', events: [{ ...EVENT, data: '1e400 (a number beyond a double)' }] },
      [exchanged('x1', bodyOf(LOG.replace(/\{\s*"total": 12.5\s*\}/u, '1e400')), EVENTS)],
    ],
    ['a key', { type: 'key', answer: { kind: 'key', key: 'abc' } }, [exchanged('x1', bodyOf('{"cacheKey":"abc"}'))]],
    [
      'a reading',
      { type: 'reading', runId: 'r', events: [{ id: '0', name: null, data: EVENT }] },
      [exchanged('x1', bodyOf(STREAM), EVENTS)],
    ],
    [
      'a reading of what is no JSON',
      { type: 'reading', runId: 'r', events: [{ id: '0', name: null, data: 'gone' }] },
      [exchanged('x1', bodyOf('data: gone\n\n'), EVENTS)],
    ],
    [
      'types that are the names of events',
      { type: 'debug-stream', runId: 'r', events: [], types: ['ping', 'run.started'] },
      [exchanged('x1', bodyOf(`event: ping\ndata:\n\n${STREAM}`), EVENTS)],
    ],
    [
      'a snapshot',
      { type: 'run', runId: 'r', events: [], snapshot: { status: 'completed' } },
      [exchanged('x1', bodyOf('{"status":"completed"}'), SHOWN)],
    ],
    [
      'a snapshot beside another and a log that was cut',
      { type: 'run', runId: 'r', events: [], snapshot: { status: 'completed' } },
      [
        exchanged('x1', bodyOf('{', { truncated: true }), EVENTS),
        exchanged('x2', bodyOf('{"status":"running"}'), SHOWN),
        exchanged('x3', bodyOf('{"status":"completed"}'), SHOWN),
      ],
    ],
    [
      'a snapshot that lost a credential',
      { type: 'run', runId: 'r', events: [], snapshot: { status: 'completed', note: '[redacted]' } },
      [exchanged('x1', bodyOf('{"note":"n","status":"completed"}'), SHOWN)],
    ],
    ['an answer', { type: 'run', runId: 'r', events: [], answer: FORK }, [exchanged('x1', FORKED, POST)]],
    [
      'an answer that was cut',
      { type: 'run', runId: 'r', events: [], answer: { ...FORK, mode: 'branch' } },
      [exchanged('x1', { ...FORKED, truncated: true }, POST)],
    ],
    [
      'one of two answers',
      { type: 'run', runId: 'r', events: [], answer: FORK },
      [exchanged('x1', bodyOf('{"runId":"q"}'), POST), exchanged('x2', FORKED, POST)],
    ],
    [
      'an answer whose request nobody kept',
      { type: 'run', runId: 'r', events: [], answer: FORK, answered: 201 },
      [exchanged('x1', bodyOf('{"runId":"r"}'), SHOWN)],
    ],
    [
      'a document that lost a credential',
      { type: 'seam', answer: { a: '[redacted]', b: 1 } },
      [exchanged('x1', bodyOf('{"a":2,"b":1}'))],
    ],
    ['no exchange', { type: 'run', runId: 'r', events: [EVENT], answered: 201 }, []],
    [
      'what broke off',
      { type: 'run', runId: 'r', events: [EVENT], answered: 201 },
      [exchanged('x1', bodyOf('{}')), BROKEN],
    ],
    ['what was cut', { type: 'run', runId: 'r', events: [EVENT] }, [exchanged('x1', bodyOf('{', { truncated: true }))]],
    ['what was redacted', { type: 'run', runId: 'r', events: [{ a: '[redacted]' }] }, [exchanged('x1', bodyOf('{}'))]],
    [
      'what nests too deep',
      { type: 'run', runId: 'r', events: [EVENT] },
      [exchanged('x1', bodyOf(`${'['.repeat(8_000)}${']'.repeat(8_000)}`))],
    ],
  ] as const)('of %s is as its exchanges are', (_, observation, exchanges) => {
    expect(unlike(observation, ...exchanges)).toBeUndefined();
  });

  it.each([
    [
      'a status',
      { type: 'asked', answer: { status: 201 } },
      exchanged('x1', bodyOf('{}')),
      'it says that 201 was answered, and none of its exchanges does',
    ],
    [
      'a run',
      { type: 'run', answered: 201 },
      exchanged('x1', bodyOf('{}'), { method: 'POST', path: '/v1/runs' }),
      'it says that 201 was answered, and none of its exchanges does',
    ],
    [
      'a payload',
      { type: 'run', runId: 'r', events: [{ ...EVENT, data: { total: 13 } }] },
      exchanged('x1', bodyOf(LOG), EVENTS),
      STRANGE,
    ],
    [
      'an event of a stream',
      { type: 'child', runId: 'r', events: [{ ...EVENT, eventId: 'e2' }] },
      exchanged('x1', bodyOf(STREAM), EVENTS),
      STRANGE,
    ],
    [
      'a key',
      { type: 'key', answer: { kind: 'key', key: 'abd' } },
      exchanged('x1', bodyOf('{"cacheKey":"abc"}')),
      'it tells of a key that stands in none of its exchanges',
    ],
    [
      'a reading',
      { type: 'reading', runId: 'r', events: [{ id: '0', name: null, data: { ...EVENT, seq: 7 } }] },
      exchanged('x1', bodyOf(STREAM), EVENTS),
      STRANGE,
    ],
    [
      'a snapshot',
      { type: 'run', runId: 'r', events: [], snapshot: { status: 'failed' } },
      exchanged('x1', bodyOf('{"status":"completed","before":"failed"}'), SHOWN),
      'its snapshot is not as an exchange shows it',
    ],
    [
      'an answer',
      { type: 'run', runId: 'r', events: [], answer: { ...FORK, fromSeq: 'r' } },
      exchanged('x1', FORKED, POST),
      'its answer is not as an exchange shows it',
    ],
    [
      'an answer beside one that lost a credential',
      { type: 'seam', answer: { a: '[redacted]', b: 3 } },
      exchanged('x1', bodyOf('{"a":2,"b":1}')),
      'its answer is not as an exchange shows it',
    ],
    [
      'one of several answers',
      { type: 'heard', answers: [{ status: 200 }, { status: 404 }] },
      exchanged('x1', bodyOf('{}')),
      'it says that 404 was answered, and none of its exchanges does',
    ],
  ] as const)('of %s that stands elsewhere is not', (_, observation, exchange, problem) => {
    expect(unlike(observation, exchange)).toBe(problem);
  });

  it.each([
    ['as its request was answered', { answer: FORK, answered: 201 }, undefined],
    ['as that of a run like it was', { answer: { ...FORK, runId: 'q' } }, undefined],
    ['in another way', { answer: { ...FORK, mode: 'branch' } }, 'its answer is not as an exchange shows it'],
    ['with another status', { answered: 200 }, 'it says that 200 was answered, and none of its exchanges does'],
    ['with another state', { snapshot: { status: 'failed' } }, 'its snapshot is not as an exchange shows it'],
  ])('of a run that is read again tells of it %s', (_, members, problem) => {
    const exchanges = [
      exchanged('x1', FORKED, POST),
      exchanged('x2', bodyOf(JSON.stringify({ ...FORK, runId: 'q' })), POST),
      exchanged('x3', bodyOf('{"status":"completed","events":"failed"}'), SHOWN),
      exchanged('x4', bodyOf('{"events":[{"status":"failed"}]}'), EVENTS),
    ];
    const observation = { type: 'run', runId: 'r', exchanges: ['x4'], ...members };
    expect(createUnlike(exchanges)({ kind: 'observation', id: 'o1', scenario: 's', observation })).toBe(problem);
  });

  it.each([
    ['its stream shows one', [exchanged('x1', bodyOf(`${STREAM}${ENDING}`), STREAMED)], NO_END],
    ['a list shows one', [exchanged('x1', bodyOf(`[${JSON.stringify(END)}]`), EVENTS)], NO_END],
    ['its stream was left, and a list shows one', [STREAM_LEFT, exchanged('x2', bodyOf(ENDED), EVENTS)], undefined],
    ['a stream shows no whole one', [exchanged('x1', bodyOf(`${STREAM}${REDUCED}`), STREAMED)], undefined],
    ['a list shows events that are none', [exchanged('x1', bodyOf(`[{},${JSON.stringify(END)}]`), EVENTS)], undefined],
    ['that of another run shows one', [exchanged('x1', bodyOf(ENDED), { path: '/v1/runs/q/events' })], undefined],
  ] as const)('of a log without an end is as its exchanges are, or not: %s', (_, read, problem) => {
    const done = { status: 'completed' };
    const snapshot = exchanged('x8', bodyOf(JSON.stringify(done)), SHOWN);
    const later = exchanged('x9', bodyOf(ENDED), EVENTS);
    const log = exchanged('x7', bodyOf(LOG), EVENTS);
    const left = { type: 'run', runId: 'r', problem: null, events: [EVENT], snapshot: done };
    expect(unlike(left, ...read, log, snapshot, later)).toBe(problem);
    expect(unlike({ ...left, problem: 'p' }, ...read, log, snapshot, later)).toBeUndefined();
    expect(unlike({ ...left, snapshot: null }, ...read, log, snapshot, later)).toBeUndefined();
  });

  it('names each exchange once: nothing that is named ten thousand times hides another', () => {
    const exchange = exchanged('x1', bodyOf('{"cacheKey":"abc"}'));
    const many = Array.from({ length: 10_000 }, () => 'x1');
    const unlikeAny = createUnlike([exchange]);
    expect(unlikeAny(keyed('o1', many, 'abc'))).toBe('it names x1 twice');
    expect(unlikeAny(keyed('o2', ['x1'], 'abd'))).toBe('it tells of a key that stands in none of its exchanges');
  });
});
