import { describe, expect, it } from 'vitest';
import type { Json, Observation } from '../../src/evidence/types.ts';
import type { Recorded } from '../../src/runner/scenario.ts';
import { OPTIONS, recordedRun } from '../../test/recorded-runs.ts';
import { settled } from '../../test/settled.ts';
import type { RunObservation } from '../shared/run-observation.ts';
import { shapes } from './shapes.ts';

const EVENT = { eventId: 'e1', runId: 'r1', type: 'x', sequence: 0, payload: {}, timestamp: '2026-01-01T00:00:00Z' };
const SNAPSHOT = { runId: 'r1', workflowId: 'w', status: 'completed' };
const ASKS = { runId: 'r1', nodeId: 'n', interruptId: 'i', kind: 'approval', key: 'k' };
const FORK = { runId: 'r2', sourceRunId: 'r1', fromSeq: 0, mode: 'replay', status: 'running', eventsUrl: '/x' };
const DIFF = { a: 'r1', b: 'r2', divergedAtSeq: null, eventDiffs: [], stateDiff: null };

function run(events: readonly Json[], snapshot: Json = SNAPSHOT): Recorded<Observation> {
  return recordedRun('r1', { events, snapshot });
}

function requestedOf(workflowId: string, snapshot: Json = SNAPSHOT): Recorded<RunObservation> {
  return recordedRun('r1', { workflowId, events: [EVENT], snapshot });
}

function made(answer: Json): Recorded<Observation> {
  return recordedRun('r1', { answered: 201, answer, events: [EVENT], snapshot: SNAPSHOT });
}

function fork(answer: Json, answered = 201): Recorded<Observation> {
  const of = { sourceRunId: 'r1', mode: 'replay', fromSeq: null, advertised: true };
  return recordedRun('r2', { fork: of, answered, answer, snapshot: null });
}

function asked(about: string, status: number, value: Json): Recorded<Observation> {
  return answeredWith(about, status, { json: true, value });
}

/** The same of the run r1. */
function annotatingR1(about: string, status: number, value: Json): Recorded<Observation> {
  const sent = 'POST /v1/runs/r1/annotations';
  return { ...asked(about, status, value), sent } as Recorded<Observation>;
}

/** An annotation that another scenario made, and whose answer names another run. */
const annotatedElsewhere = { id: 'o4', type: 'annotated', of: 'replay', otherTarget: 'r2', exchanges: [] } as const;

/** What the place of a URL in the answer that made r1 shows. */
function at(name: string, value: Json, eventIds: readonly string[] = []): Recorded<Observation> {
  const answer = { kind: 'answer', status: 200, body: { json: true, value } };
  const url = { type: 'asked', row: 'run-url', name, request: '', answer, runId: 'r1', eventIds } as const;
  return { id: 'o3', ...url, exchanges: [] };
}

/** The same of a place at which nothing is shown any more. */
function goneFrom(path: string, status: number): Recorded<Observation> {
  const answer = { kind: 'answer', status, body: { json: true, value: null } };
  return { ...at('statusUrl', null), sent: `GET ${path}`, answer } as Recorded<Observation>;
}

function unread(about: string, status: number): Recorded<Observation> {
  return answeredWith(about, status, { json: false, problem: 'Unexpected end of JSON input' });
}

function answeredWith(about: string, status: number, body: object): Recorded<Observation> {
  const answer = { kind: 'answer', status, body };
  const fields = { type: 'asked', row: about, name: about, request: '', answer } as const;
  return { id: 'o2', ...fields, exchanges: [] };
}

function judged(id: string, recorded: readonly Recorded<Observation>[], scenario = 'fork.full-replay') {
  const everything = recorded.map((each) => ({ ...each, scenario }));
  return shapes.judge([], OPTIONS, everything).find(({ check }) => check === `schema.${id}`);
}

/** A run that came to an end of its own, and what the answer that made it said. */
function ended(answered: number, answer: Json, more: Partial<RunObservation> = {}): Recorded<Observation> {
  return recordedRun('r1', { answered, answer, events: [{ ...EVENT, type: 'run.completed' }], ...more });
}

describe('an answer that makes a run or a fork', () => {
  const { fork: of } = fork(FORK) as Recorded<RunObservation>;
  const forked = (status: string) => ended(201, { ...FORK, runId: 'r1', status }, { fork: of });

  it.each<readonly [string, Recorded<Observation>, readonly [row: string, place: string, text: string]]>([
    ['comes with 201', ended(200, { runId: 'r1', status: 'running' }), ['run-answer', '/200', 'came with 200']],
    [
      'says no other end',
      ended(201, { runId: 'r1', status: 'failed' }),
      ['run-answer', '/status', 'came to "completed"'],
    ],
    ['says no other end, of a fork', forked('cancelled'), ['fork-answer', '/status', 'is "cancelled"']],
    ['names places that are there', asked('run-url', 404, null), ['run-answer', '/run-url', 'leads to 404']],
    ['names places that answer', asked('run-url', 500, null), ['run-answer', '/run-url', 'leads to 500']],
    ['names a place of its own', goneFrom('/v1/runs/r1/status', 404), ['run-answer', '/statusUrl', 'leads to 404']],
    ['names places that are offered', asked('run-url', 501, null), ['run-answer', '/run-url', 'leads to 501']],
    [
      'names the place of its snapshot',
      at('statusUrl', { runId: 'r2' }),
      ['run-answer', '/statusUrl', 'leads to the run "r2", not "r1"'],
    ],
    [
      'names the place of its events',
      at('eventsUrl', SNAPSHOT),
      ['run-answer', '/eventsUrl', 'leads to a snapshot, not to events'],
    ],
    [
      'names the place of its snapshot, not of its events',
      at('statusUrl', { events: [EVENT], runStatus: 'completed' }, ['e1']),
      ['run-answer', '/statusUrl', 'leads to events, not to a snapshot'],
    ],
  ])('%s', (_, observation, [row, place, text]) => {
    const judgement = judged(row, [observation]);
    expect(judgement).toMatchObject({
      verdict: 'fail',
      places: [place],
      actual: expect.stringContaining(text) as string,
    });
  });

  it.each([
    ['run-answer', ended(201, { runId: 'r1', status: 'completed' })],
    ['run-answer', ended(201, { runId: 'r1', status: 'running' })],
    ['run-answer', ended(201, { runId: 'r1', status: 'failed' }, { events: [EVENT] })],
    ['run-answer', asked('run-url', 200, null)],
    ['run-answer', asked('run-url', 503, null)],
    ['run-answer', at('statusUrl', { runId: 'r1' })],
    ['run-answer', at('statusUrl', {})],
    ['run-answer', at('statusUrl', { ...SNAPSHOT, events: [EVENT] }, ['e1'])],
    ['run-answer', at('eventsUrl', null, ['e9'])],
    ['run-answer', at('eventsUrl', { ...SNAPSHOT, events: [EVENT] })],
    ['run-answer', at('eventsUrl', { events: [], status: 'running' })],
    ['run-answer', asked('run-url', 401, null)],
    ['run-answer', asked('run-url', 429, null)],
    ['run-answer', goneFrom('/v1/runs/r1', 404)],
    ['run-answer', goneFrom('/v1/runs/r1', 500)],
    ['fork-answer', forked('completed')],
    ['fork-answer', ended(200, FORK, { fork: of })],
  ] as const)('passes as %s', (row, observation) => {
    expect(judged(row, [observation])?.verdict).toBe('pass');
  });
});

describe('the log at the eventsUrl of a run', () => {
  const runs = ['r1', 'r2'].map((runId) =>
    recordedRun(runId, { id: runId, answer: null, events: [{ ...EVENT, runId, eventId: `e-${runId}` }] }),
  );
  const verdict = (...eventIds: readonly string[]) => {
    const found = judged('run-answer', [...runs, at('eventsUrl', null, eventIds)]);
    return found?.actual ?? found?.verdict;
  };

  it('is its own, not that of another run', () => {
    expect(verdict('e-r2')).toContain('/eventsUrl leads to the run "r2", not "r1"');
    expect(verdict('e-r1', 'e-r2')).toBe('pass');
    expect(verdict('e-of-nobody')).toBe('pass');
    expect(verdict()).toBe('pass');
  });
});

const LEAP = ['2026-12-31T23:59:60Z', '20261231T235960Z', '2026-12-31T23:59:60.5+00:00'];
const DAYS = ['2026-331T10:00:00Z', '2026331T100000Z', '2026-W48-5T10:00:00Z', '2026W485T10:00:00.5+01'];
const OTHER_FORMS = ['2026-01-01T00:00:00.123Z[Europe/Paris]', '20260101T000000Z', '2026-01-01T00:00:00,123Z'];

describe('the timestamp of an event', () => {
  it.each([
    '2026-01-01T00:00:00Z',
    '2026-01-01 00:00:00',
    '2026-01-01T00:00:00+00',
    '1767225600.5',
    ...OTHER_FORMS,
    ...LEAP,
    ...DAYS,
  ])('is %s', (timestamp) => {
    expect(judged('run-event.wire', [run([{ ...EVENT, timestamp }])])?.verdict).toBe('pass');
  });

  it.each(['now', 't', '2026-13-45T99:00:00Z', '2026-W99-1T00:00:00Z', '2026-01-01T00:99:60Z'])(
    'is not %s',
    (timestamp) => {
      expect(judged('run-event.wire', [run([{ ...EVENT, timestamp }])])).toMatchObject({
        verdict: 'fail',
        actual: expect.stringContaining('no time') as string,
      });
    },
  );

  it.each(['T', '['])('is not a long text of %s', (mark) => {
    const judgement = judged('run-event.wire', [run([{ ...EVENT, timestamp: mark.repeat(1_000_000) }])]);
    expect(judgement).toMatchObject({ verdict: 'fail', actual: expect.stringContaining('no time') as string });
  });
});

describe('what a host sends', () => {
  it.each<readonly [string, Recorded<Observation>]>([
    ['run-event', run([EVENT])],
    ['run-event', run([EVENT, EVENT, { ...EVENT, sequence: 1, eventId: 'another' }])],
    ['run-event.wire', run([EVENT])],
    ['run-event.wire', run([{ ...EVENT, timestamp: 1_767_225_600_000, schemaVersion: 1.1, engineVersion: 2.5 }])],
    ['run-event.wire', run([{ ...EVENT, nodeId: null, more: 1, type: 'x.vendor' }])],
    ['run-event.wire', run([{ ...EVENT, type: 'variable.changed', payload: { name: 'v', next: 1, previous: 0 } }])],
    ['run-event.wire', run([{ ...EVENT, type: 'variable.changed', payload: { name: 'v', value: null } }])],
    ['run-event.wire', run([{ ...EVENT, type: 'variable.changed', payload: { name: 'v', previous: 0 } }])],
    ['run-event.wire', run([{ ...EVENT, type: 'channel.written', payload: { name: 'c', value: 1 } }])],
    ['run-event.wire', run([{ eventId: 'e', runId: 'r1', type: 'x', seq: 1, data: null, timestamp: '1767225600000' }])],
    ['run-snapshot', run([], { ...SNAPSHOT, status: 'a-later-one' })],
    ['run-snapshot.wire', run([], { ...SNAPSHOT, endedAt: 't', error: null, variables: null })],
    ['run-snapshot.wire', run([], { ...SNAPSHOT, startedAt: 1_767_225_600_000, completedAt: 1_767_225_600.5 })],
    ['run-answer', made({ runId: 'r1', status: 'completed' })],
    ['run-answer', made({ runId: 'r1', status: 'pending', eventsUrl: '/x', statusUrl: null, more: 1 })],
    ['fork-answer', fork({ ...FORK, eventsUrl: 'https://other.example/x' })],
    ['error-envelope', asked('unknown', 404, { error: 'not_found', message: '', details: {} })],
    ['interrupt', run([{ ...EVENT, type: 'interrupt.requested', payload: ASKS }])],
    ['error-envelope', asked('interrupt-answered-again', 409, { error: 'answered', message: 'x' })],
    ['annotation', asked('annotate', 201, { target: { runId: 'r1' }, id: 'a' })],
    ['annotation', annotatingR1('annotate', 201, { target: { runId: 'r1' }, id: 'a' })],
    ['annotation', annotatingR1('annotations', 200, { annotations: [{ target: { runId: 'r1' } }, { note: 'x' }] })],
    ['annotation', asked('annotations', 200, { annotations: [] })],
    ['error-envelope', asked('annotate-refused', 404, { error: 'not_found', message: 'x' })],
    ['diff', asked('diff', 200, { ...DIFF, truncated: true, eventDiffs: [{ seq: 1, op: 'added', bEvent: {} }] })],
  ])('passes %s', (id, observation) => {
    expect(judged(id, [observation])).toMatchObject({ verdict: 'pass', evidence: [observation.id] });
  });

  it.each<readonly [string, Recorded<Observation>, string]>([
    ['run-event', run([{ ...EVENT, causationId: 7 }]), '/causationId is 7, not string or null in sequence 0 of r1'],
    [
      'run-event',
      run([EVENT, { ...EVENT, sequence: 1 }]),
      `/eventId is ${JSON.stringify(EVENT.eventId)}, that of sequence 0 in sequence 1 of r1`,
    ],
    ['run-event.wire', run([{ ...EVENT, timestamp: undefined } as unknown as Json]), '/timestamp is missing'],
    [
      'run-event.wire',
      run([{ ...EVENT, type: 'variable.changed', payload: { value: 1 } }]),
      '/payload/name is missing',
    ],
    [
      'run-event.wire',
      run([{ ...EVENT, type: 'variable.changed', payload: { name: 'v' } }]),
      '/payload/value is missing',
    ],
    [
      'run-event.wire',
      run([{ ...EVENT, type: 'channel.written', payload: { name: 'c' } }]),
      '/payload/value is missing',
    ],
    ['run-event.wire', run([{ ...EVENT, runId: 'r2' }]), '/runId is "r2", not "r1" in sequence 0 of r1'],
    ['run-snapshot', run([], { runId: 'r', workflowId: 'w' }), '/status is missing in the snapshot of r1'],
    ['run-snapshot.wire', run([], { ...SNAPSHOT, variables: [] }), '/variables is array, not object or null'],
    ['run-snapshot.wire', run([], { ...SNAPSHOT, runId: 'r2' }), '/runId is "r2", not "r1" in the snapshot of r1'],
    ['run-snapshot.wire', requestedOf('v'), '/workflowId is "w", not "v" in the snapshot of r1'],
    ['run-answer', made({ runId: 'r1' }), '/status is missing in the answer that made the run r1'],
    ['run-answer', made({ runId: 'r1', status: 'pending', eventsUrl: 7 }), '/eventsUrl is 7, not string or null'],
    ['fork-answer', fork({ ...FORK, fromSeq: '0' }), '/fromSeq is "0", not integer'],
    ['error-envelope', asked('unknown', 404, { error: 'x', message: 'y', trace: 1 }), '/trace is not declared'],
    ['interrupt', run([{ ...EVENT, type: 'interrupt.resolved', payload: null }]), 'it is null, not object'],
    ['interrupt', asked('interrupt-answered-again', 200, {}), 'it is 200, not 409: the question was answered before'],
    ['interrupt', asked('interrupt-refused', 200, {}), 'it is 200: there is no such run'],
    ['interrupt', asked('interrupt-of-no-node', 202, {}), 'it is 202, not 404: the run has no such node'],
    ['interrupt', asked('interrupt-cancelled', 200, {}), 'it is 200, not 410 or 422: the run was cancelled'],
    ['annotation', asked('annotate-refused', 201, {}), 'it is 201: there is no such run'],
    ['annotation', asked('annotate-refused', 500, {}), 'it is 500: there is no such run'],
    ['annotation', asked('annotations-refused', 200, { annotations: [] }), 'it is 200: there is no such run'],
    ['annotation', annotatingR1('annotate', 201, { target: { runId: 'r2' } }), '/target/runId is "r2", not the run of'],
    [
      'annotation',
      annotatingR1('annotations', 200, { annotations: [{ target: { runId: 'r2' } }] }),
      '/annotations/0/target/runId is "r2"',
    ],
    ['annotation', annotatedElsewhere, '/target/runId is "r2", not the run that it was made for'],
    ['annotation', annotatingR1('annotate', 200, { target: { runId: 'r1' } }), 'came with 200, not 201'],
    ['annotation', asked('annotate', 501, {}), 'it is 501: feedback is advertised'],
    ['annotation', asked('annotate', 500, {}), 'it is 500: feedback is advertised'],
    ['annotation', asked('annotations', 500, {}), 'it is 500: feedback is advertised'],
    ['interrupt', asked('interrupt-answer', 500, {}), 'it is 500: the question is open'],
    [
      'run-snapshot.wire',
      run([], { ...SNAPSHOT, startedAt: [2026] }),
      '/startedAt is array, not string or number or null',
    ],
    ['annotation', asked('annotations', 404, {}), 'it is 404: feedback is advertised'],
    ['interrupt', asked('interrupt-refused', 500, {}), 'it is 500: there is no such run'],
    ['annotation', asked('annotations', 200, []), 'it is array, not object'],
    ['annotation', unread('annotations', 200), 'it is no JSON, not object'],
    [
      'diff',
      asked('diff', 200, { ...DIFF, eventDiffs: [{ seq: 1, op: 'moved' }] }),
      '/eventDiffs/0/op is "moved", none of added',
    ],
  ])('fails %s and says where', (id, observation, actual) => {
    expect(judged(id, [observation])).toMatchObject({
      verdict: 'fail',
      actual: expect.stringContaining(actual) as string,
      evidence: [observation.id],
    });
  });

  it('names a status that is another one, and a shape where one is wrong as well', () => {
    const twice = asked('interrupt-answered-again', 200, {});
    const empty = run([{ ...EVENT, type: 'interrupt.resolved', payload: null }]);
    expect(judged('interrupt', [twice])).toMatchObject({ diagnosis: { code: 'other-status' } });
    expect(judged('interrupt', [twice, empty])).toMatchObject({ diagnosis: { code: 'other-shape' } });
  });

  it('says nothing of the workflow that a snapshot names where it may be of another run with its id, or names a version', () => {
    const shared = { id: 'o8', type: 'run-id-again', runId: 'r9', exchanges: ['x1'], scenarios: ['s'] };
    expect(judged('run-snapshot.wire', [requestedOf('v'), shared])?.verdict).toBe('pass');
    expect(judged('run-snapshot.wire', [requestedOf('w')])?.verdict).toBe('pass');
    expect(judged('run-snapshot.wire', [requestedOf('w', { ...SNAPSHOT, workflowId: 'w@2' })])?.verdict).toBe('pass');
  });

  it('says nothing of the times of a fork where another run has its id', () => {
    const shared = { id: 'o8', type: 'run-id-again', runId: 'r2', exchanges: ['x1'], scenarios: ['s'] };
    const early = { ...EVENT, eventId: 'e2', runId: 'r2', timestamp: '1970-01-01T00:00:00Z' };
    const forked = { ...fork(FORK), events: [early] } as Recorded<Observation>;
    expect(judged('run-event.wire', [run([EVENT]), forked])?.actual).toContain(
      'long before the run that it comes from',
    );
    expect(judged('run-event.wire', [run([EVENT]), forked, shared])?.verdict).toBe('pass');
  });

  it('finds the question of each of many answers', () => {
    const many = Array.from({ length: 20_000 }, (_, index) => {
      const payload = { ...ASKS, interruptId: `i${Math.floor(index / 2)}` };
      return index % 2 === 0 ? asks(payload, index) : answers(payload, index);
    });
    const events = many.map((each, index) => ({ ...Object(each), eventId: `e${index}` }) as Json);
    expect(judged('interrupt', [run(events)])?.verdict).toBe('pass');
    const last = { ...Object(answers({ ...ASKS, key: 'l', interruptId: 'i7' }, 20_000)), eventId: 'last' } as Json;
    expect(judged('interrupt', [run([...events, last])])?.actual).toContain('/key is "l", not "k"');
  });

  it('says nothing of another run that events name where it is a source, or a child', () => {
    const of = { sourceRunId: 'r2', mode: 'replay', fromSeq: 0, advertised: true };
    const foreign = { ...EVENT, runId: 'r2' };
    const child = { ...EVENT, type: 'node.dispatched', payload: { childRunId: 'r2' } };
    for (const each of [recordedRun('r1', { fork: of, events: [foreign] }), run([child, foreign])]) {
      expect(judged('run-event.wire', [each])?.verdict).toBe('pass');
    }
  });

  it('fails a replay that names a run that is neither itself nor its source', () => {
    const of = { sourceRunId: 'r2', mode: 'replay', fromSeq: 1, advertised: true };
    const named = (runId: string, sequence: number) =>
      judged('run-event.wire', [recordedRun('r1', { fork: of, events: [{ ...EVENT, runId, sequence }] })])?.verdict;
    expect([named('r3', 1), named('r2', 1), named('r3', 0)]).toEqual(['fail', 'pass', 'pass']);
    const { sequence: seq, ...event } = EVENT;
    const bySeq = recordedRun('r1', { fork: { ...of, fromSeq: seq }, events: [{ ...event, runId: 'r3', seq }] });
    expect(judged('run-event.wire', [bySeq])?.verdict).toBe('fail');
  });

  it('fails a replay whose own beginnings and ends name its source, but for its history, which a note about it may shift', () => {
    const of = { sourceRunId: 'r2', mode: 'replay', fromSeq: 1, advertised: true };
    const event = (type: string, sequence: number, runId = 'r2'): Json => ({ ...EVENT, type, sequence, runId });
    const source = recordedRun('r2', { events: [{ ...EVENT, runId: 'r2', eventId: 'e9' }] });
    const named = (...events: readonly Json[]) =>
      judged('run-event.wire', [source, recordedRun('r1', { fork: of, events })])?.verdict;
    const types = ['run.started', 'node.started', 'node.completed', 'run.completed', 'memory.written'];
    expect(types.map((type) => named(event(type, 1)))).toEqual(['fail', 'fail', 'fail', 'fail', 'pass']);
    expect(named(event('run.started', 0), event('node.started', 1, 'r1'))).toBe('pass');
    const note = { ...EVENT, eventId: 'e0', type: 'replay.noted' };
    expect(named(note, event('run.started', 1))).toBe('pass');
    expect(named(note, event('run.started', 2))).toBe('fail');
  });

  it('leaves a replay that shows nothing but the very events of its source to the row about copies', () => {
    const of = { sourceRunId: 'r1', mode: 'replay', fromSeq: 0, advertised: true };
    const start = { ...EVENT, type: 'run.started' };
    const end = { ...EVENT, eventId: 'e2', type: 'run.completed', sequence: 1 };
    const showing = (...events: readonly Json[]) =>
      judged('run-event.wire', [run([start]), recordedRun('r2', { fork: of, events })])?.verdict;
    // The source was read before it ended.
    expect(showing(start, end)).toBe('pass');
    expect(showing({ ...start, eventId: 'e3' }, end)).toBe('fail');
    expect(showing(start, { ...end, runId: 'r2' })).toBe('fail');
    const ofNobody = recordedRun('r2', { fork: of, events: [start, end] });
    expect(judged('run-event.wire', [ofNobody])?.verdict).toBe('pass');
  });

  it('passes a replay of a replay that shows a recorded fact of the first source, and fails one of any other run', () => {
    const of = { mode: 'replay', fromSeq: 0, advertised: true };
    const named = (runId: string) => {
      const again = recordedRun('r3', { fork: { ...of, sourceRunId: 'r2' }, events: [{ ...EVENT, runId }] });
      const first = recordedRun('r2', {
        fork: { ...of, sourceRunId: 'r1' },
        events: [{ ...EVENT, runId: 'r2', eventId: 'e2' }],
      });
      return judged('run-event.wire', [run([EVENT]), first, again])?.verdict;
    };
    expect(['r1', 'r2', 'r3', 'r4'].map(named)).toEqual(['pass', 'pass', 'pass', 'fail']);
  });

  it('looks at all events of a long log that name another run', () => {
    const events = Array.from({ length: 20_000 }, (_, sequence) => ({
      ...EVENT,
      sequence,
      eventId: `e${sequence}`,
      runId: 'r9',
    }));
    expect(judged('run-event.wire', [run(events)])?.actual).toContain('20000');
  });

  it('fails a reading of a run whose events name another one, but for a fork or a parent', () => {
    const read = (runId: string): Recorded<Observation> => {
      const events = [{ id: '0', name: null, data: { ...EVENT, runId } }];
      const of = { run: 'run', runId: 'r1', transport: 'sse', how: 'resumed', after: 0, partial: false };
      return { id: 'o9', type: 'reading', ...of, events, exchanges: [] } as Recorded<Observation>;
    };
    const forked = recordedRun('r1', { fork: { sourceRunId: 'r2', mode: 'replay', fromSeq: 0, advertised: true } });
    const child = { ...EVENT, type: 'node.dispatched', payload: { childRunId: 'r2' } };
    expect(judged('run-event.wire', [run([EVENT]), read('r2')])).toMatchObject({
      verdict: 'fail',
      actual: expect.stringContaining('/runId is "r2", not "r1" in sequence 0 of r1 (sse, resumed)') as string,
      evidence: ['o9'],
    });
    expect(judged('run-event.wire', [run([EVENT]), read('r1')])?.verdict).toBe('pass');
    expect(judged('run-event.wire', [run([child]), read('r2')])?.verdict).toBe('pass');
    expect(
      judged('run-event.wire', [{ ...forked, events: [EVENT] } as Recorded<Observation>, read('r2')])?.verdict,
    ).toBe('pass');
  });

  const asks = (payload: Json, sequence = 0): Json => ({
    ...EVENT,
    sequence,
    type: 'interrupt.requested',
    nodeId: 'n',
    payload,
  });
  const answers = (payload: Json, sequence = 1): Json => ({
    ...EVENT,
    sequence,
    type: 'interrupt.resolved',
    nodeId: 'n',
    payload,
  });

  it.each<readonly [string, readonly Json[], string]>([
    ['another run', [asks({ ...ASKS, runId: 'r2' })], '/runId is "r2", not "r1"'],
    ['another node', [asks({ ...ASKS, nodeId: 'm' })], '/nodeId is "m", not "n"'],
    ['another question', [asks(ASKS), answers({ ...ASKS, interruptId: 'j' })], '/interruptId is "j", not "i"'],
    ['another key', [asks(ASKS), answers({ ...ASKS, key: 'l' })], '/key is "l", not "k"'],
  ])('fails interrupts that name %s', (_, events, actual) => {
    expect(judged('interrupt', [run(events)])).toMatchObject({
      verdict: 'fail',
      actual: expect.stringContaining(actual) as string,
    });
  });

  it.each<readonly [string, readonly Json[], Partial<RunObservation>]>([
    ['their own', [asks(ASKS), answers({ ...ASKS, resumeValue: 1 })], {}],
    ['one of two that wait', [asks(ASKS), asks({ ...ASKS, interruptId: 'j', key: 'l' }, 1), answers(ASKS, 2)], {}],
    ['nothing that was asked', [answers({ ...ASKS, key: 'l' })], {}],
    [
      'the run of a source',
      [asks({ ...ASKS, runId: 'r0' })],
      { fork: { sourceRunId: 'r0', mode: 'replay', fromSeq: null, advertised: true } },
    ],
    [
      'the run of a child',
      [{ ...EVENT, type: 'node.dispatched', payload: { childRunId: 'r0' } }, asks({ ...ASKS, runId: 'r0' }, 1)],
      {},
    ],
  ])('passes interrupts that name %s', (_, events, more) => {
    expect(judged('interrupt', [recordedRun('r1', { events, snapshot: SNAPSHOT, ...more })])?.verdict).toBe('pass');
  });

  it('shows the first three places and the count', () => {
    const events = [1, 2, 3, 4, 5].map((sequence) => ({ ...EVENT, sequence, causationId: sequence }));
    expect(judged('run-event', [run(events)])?.actual).toMatch(
      /sequence 1 .* sequence 2 .* sequence 3 of r1; 5 in all$/u,
    );
  });

  it('keeps what the documents define apart from what the wire alone does', () => {
    const seen = [run([{ ...EVENT, causationId: 7 }])];
    expect(judged('run-event.wire', seen)?.verdict).toBe('pass');
    expect(judged('run-event', [run([{ ...EVENT, nodeId: 7 }])])?.verdict).toBe('pass');
  });

  it('is red once for a snapshot that holds nothing', () => {
    const seen = [recordedRun('r1', { workflowId: 'w', events: [EVENT], snapshot: {} })];
    expect(judged('run-snapshot', seen)?.verdict).toBe('fail');
    expect(judged('run-snapshot.wire', seen)?.verdict).toBe('pass');
  });

  it('is red once for events without a payload, those of interrupts among them', () => {
    const { payload: _, ...event } = EVENT;
    expect(settled([shapes, [run([{ ...event, type: 'interrupt.requested' }])]])).toMatchObject({
      red: ['schema.run-event.wire'],
      open: expect.arrayContaining(['schema.interrupt <- schema.run-event.wire']) as unknown,
    });
    const keyless = { ...EVENT, type: 'interrupt.requested', payload: { ...ASKS, key: 7 } };
    const red = ['schema.run-event.wire', 'schema.interrupt'];
    expect(settled([shapes, [run([event, keyless])]]).red).toEqual(red);
  });

  it('fails where the list of a run is empty of which an annotation was taken', () => {
    const list = asked('annotations', 200, { annotations: [] });
    const taken = asked('annotate', 201, { target: { runId: 'r1' }, id: 'a' });
    expect(judged('annotation', [asked('annotate', 422, {}), list])?.verdict).toBe('pass');
    expect(judged('annotation', [taken, list])?.actual).toContain('/annotations is empty');
    expect(judged('annotation', [taken, asked('annotations', 200, { annotations: [{}] })])?.verdict).toBe('pass');
  });

  it('is undecided where nothing of a shape came, and passes over what was cut, refused for a credential or taken away', () => {
    for (const { id } of shapes.checks) {
      const isOffered = /fork|interrupt|annotation|diff/u.test(id);
      expect(judged(id.slice('schema.'.length), [])?.verdict).toBe(isOffered ? 'not-applicable' : 'inconclusive');
    }
    const cut = recordedRun('r1', { problem: 'not followed', events: [{}], snapshot: {} });
    expect(judged('run-event', [cut])?.verdict).toBe('inconclusive');
    expect(judged('error-envelope', [asked('x', 401, {}), asked('x', 503, {})])?.verdict).toBe('inconclusive');
    expect(judged('run-event', [run([{}])], 'privacy.deleted-data')?.verdict).toBe('inconclusive');
    expect(judged('annotation', [asked('annotate', 403, {}), asked('annotate', 422, {})])?.verdict).toBe(
      'not-applicable',
    );
    expect(judged('diff', [asked('diff', 501, {})])?.verdict).toBe('not-applicable');
  });

  it('says why no run counts, where none does', () => {
    const problem =
      'POST /v1/runs was answered with 404: run the public workflow conformance-noop, or name one of your own with --workflow ID or in fixtures';
    const refused = recordedRun('r1', { runId: null, answered: 404, problem, events: [], snapshot: null });
    expect(judged('error-envelope', [refused])).toMatchObject({
      verdict: 'inconclusive',
      reason: `nothing of the shape error-envelope was looked at, as no run counts: ${problem}`,
      remedies: [{ step: problem.slice(problem.indexOf('run the')) }],
    });
    const unrefused = [refused, recordedRun('r2', { events: [EVENT], snapshot: SNAPSHOT })];
    expect(judged('error-envelope', unrefused)?.reason).toBe('nothing of the shape error-envelope was looked at');
  });

  it('stays short whatever names a host chooses', () => {
    const body = Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`${n}${'n'.repeat(5000)}`, 1]));
    expect(judged('error-envelope', [asked('x', 400, body)])?.actual?.length).toBeLessThan(500);
  });
});
