import { describe, expect, it } from 'vitest';
import { isOutcome, type Outcome } from '../../src/contract/outcome.ts';
import type { Json, Observation } from '../../src/evidence/types.ts';
import { judgementOf } from '../../src/runner/define-scenario.ts';
import {
  requested,
  answered,
  event,
  fork,
  recorded,
  refusedFork,
  run,
  short,
  UNANSWERED,
} from '../../test/fork-observations.ts';
import type { RunObservation } from '../shared/run-observation.ts';
import {
  BOUNDARY,
  BRANCH_THERE,
  BRANCHED,
  FROM_BOUNDARY,
  judgeDetails,
  judgeExpired,
  judgeExpiredEnvelope,
  judgeState,
  seeExpired,
  WITH_STATE,
  type Expired,
} from './judge-expired.ts';

const CUT: Observation = { type: 'cut', first: 0, below: 0, boundary: 1, exchanges: [] } as Observation;
const NAME = 'replay from just below the boundary';
const START = 'replay without fromSeq';

function seam(more: object = {}): Observation {
  const base = { type: 'seam', seam: 'retention/expire', status: 200, problem: null, answer: {}, exchanges: ['x9'] };
  return { ...base, ...more };
}

function refusal(status: number, details: Json = DETAILS, more: object = {}) {
  const body = { error: 'event_range_expired', message: 'No.', details };
  return { ...requested('below', NAME, status, body), request: '{"mode":"replay","fromSeq":0}', ...more };
}

const DETAILS = { sourceRunId: 'run_a', fromSeq: 0, retentionBoundary: 1 };
const BEFORE = [run('source'), CUT, fork(NAME, 'run_b'), seam()];

function judgedBy(judge: (seen: Expired) => Outcome, observations: readonly Observation[]) {
  const seen = seeExpired(recorded(...observations));
  return judgementOf('c', isOutcome(seen) ? seen : judge(seen));
}

function below(...observations: readonly Observation[]) {
  return judgedBy((seen) => judgeExpired(seen, 'below'), observations);
}

function expired(...observations: readonly Observation[]): string {
  return short(below(...observations));
}

describe('judgeExpired', () => {
  it.each([
    ['pass', refusal(410)],
    ['pass', refusal(422)],
    ['fail other-refusal', refusal(404)],
    ['fail other-refusal', refusal(400)],
    ['fail server-error', refusal(500)],
    ['fail other-refusal', requested('below', NAME, 410, { error: 'x', message: 'y', runId: 'run_c' })],
    ['inconclusive', refusal(503)],
    ['inconclusive', answered('below', NAME, UNANSWERED)],
  ])('%s for an answer', (expected, answer) => expect(expired(...BEFORE, answer)).toBe(expected));

  it.each([
    [201, 'pass'],
    [410, 'pass'],
    [404, 'fail other-refusal'],
    [500, 'fail server-error'],
    [503, 'pass'],
  ])('lets a fork from the boundary be made or refused, and nothing else (%d)', (status, expected) => {
    const name = 'replay from the boundary';
    const seen = [...BEFORE, fork(name, 'run_c'), requested(BOUNDARY, name, status, { runId: 'run_d' })];
    const without = status === 201 ? seen : [...seen.slice(0, -1), requested(BOUNDARY, name, status)];
    expect(expired(...without, refusal(410))).toBe(expected);
    expect(expired(...BEFORE, refusedFork(name, 501), requested(BOUNDARY, name, 501), refusal(410))).toBe('pass');
  });

  it.each([
    ['nothing', []],
    ['a source that did not end', [run('source', { problem: 'the run has not ended' })]],
    ['a log without a middle', [run('source')]],
    ['no seam', [run('source'), CUT]],
    ['a seam that refused', [run('source'), CUT, fork(NAME, 'run_b'), seam({ problem: 'answered 500' }), refusal(410)]],
    ['another boundary', [run('source'), CUT, fork(NAME, 'run_b'), seam({ answer: { boundary: 0 } }), refusal(410)]],
    ['no fork', BEFORE],
    ['a fork without its control', [run('source'), CUT, seam(), refusal(410)]],
  ])('inconclusive for %s', (_, observations) => expect(expired(...observations)).toBe('inconclusive'));

  it('leaves it to other rows that the advertised mode did not work before either', () => {
    const judged = below(run('source'), CUT, refusedFork(NAME, 501), seam(), refusal(410));
    expect(judged).toMatchObject({ verdict: 'inconclusive', restsOn: 'fork.created' });
  });
});

function left(...sequences: readonly number[]): Observation {
  const events = sequences.map((sequence) => ({ id: null, name: null, data: { sequence, type: 'x' } }));
  const how = { transport: 'json', how: 'start', after: null, partial: false };
  return {
    type: 'reading',
    run: 'what is left of the source',
    runId: 'run_a',
    ...how,
    events,
    exchanges: ['x8'],
  } as Observation;
}

describe('a seam that says it has expired events', () => {
  const served = { ...requested('below', NAME, 201, { runId: 'run_c' }), request: '{"mode":"replay","fromSeq":0}' };
  const said = [run('source'), CUT, fork(NAME, 'run_b'), seam({ answer: { runId: 'run_a', boundary: 1 } })];
  const fromStart = { ...refusal(410), row: 'start', name: START, request: '{"mode":"replay"}' };

  it.each<[string, string, readonly Observation[]]>([
    ['inconclusive', 'the log still shows them', [...BEFORE, left(0, 1, 2), served]],
    ['inconclusive', 'the log still shows them, whatever it says', [...said, left(0, 1, 2), served]],
    ['fail expired-served', 'the log hides them', [...BEFORE, left(1, 2), served]],
    ['fail expired-served', 'the log is empty', [...BEFORE, left(), served]],
    [
      'fail expired-served',
      'another fork is refused for it',
      [...BEFORE, fork(START, 'run_d'), left(0, 1, 2), served, fromStart],
    ],
    ['fail expired-served', 'it names the boundary, and the log cannot be read', [...said, served]],
    ['inconclusive', 'nothing tells what expired', [...BEFORE, served]],
    ['fail other-refusal', 'a fork that worked is not found any more', [...BEFORE, left(0, 1, 2), refusal(404)]],
    ['pass', 'the fork is refused, whatever the log shows', [...BEFORE, left(0, 1, 2), refusal(410)]],
  ])('%s where %s', (expected, _, observations) => expect(expired(...observations)).toBe(expected));

  it('is told what it has to do', () => {
    const judged = below(...BEFORE, left(0, 1, 2), served);
    expect(judged.reason).toContain('still shows the event 0');
  });
});

function snapshot(variables: Json): Json {
  return { status: 'completed', variables, channels: {} };
}

function stateOf(...seen: readonly Observation[]): string {
  return short(judgedBy(judgeState, seen));
}

/** A run whose log alone shows what it read. */
function reads(value: Json, sequence = 2): Partial<RunObservation> {
  const payload = { name: 'before', ...Object(value) };
  return { snapshot: { status: 'completed' }, events: [event(sequence, 'variable.changed', { payload })] };
}

function ofFirst(sequence: number, type: string) {
  return event(sequence, type, { nodeId: 'first' });
}

describe('the state of a replay from the boundary', () => {
  const name = 'replay from the boundary';
  const control = fork(name, 'run_c', { snapshot: snapshot({ counter: 2, before: 1 }) });
  const made = requested(BOUNDARY, name, 201, { runId: 'run_d' });
  const afterwards = (variables: Json, more: object = {}) =>
    fork(FROM_BOUNDARY, 'run_d', { snapshot: snapshot(variables), ...more });
  const [, ...others] = BEFORE;
  const writing = run('source', {
    events: [event(0, 'variable.changed', { payload: { name: 'before', value: 1 } }), event(1, 'run.completed')],
  });
  const judgeBare = (ours: object, theirs: object) =>
    stateOf(writing, ...others, fork(name, 'run_c', ours), made, fork(FROM_BOUNDARY, 'run_d', theirs));
  const judge = (...seen: readonly Observation[]): string => stateOf(writing, ...others, control, ...seen);

  it('is what it was before the rest had expired', () => {
    expect(judge(made, afterwards({ counter: 2, before: 1 }))).toBe('pass');
    expect(judge(made, afterwards({ counter: 2 }))).toBe('fail state-differs');
  });

  it('is that of a branch from there, too', () => {
    for (const [variables, expected] of [
      [{ before: 1 }, 'pass'],
      [{}, 'fail state-differs'],
    ] as const) {
      const branches = [
        fork(BRANCH_THERE, 'run_e', { snapshot: snapshot({ before: 1 }) }),
        fork(BRANCHED, 'run_f', { snapshot: snapshot(variables) }),
      ];
      const ours = { ...writing, workflowId: WITH_STATE };
      const replay = [control, made, afterwards({ counter: 2, before: 1 })];
      expect(stateOf(ours, ...others, ...replay, ...branches)).toBe(expected);
    }
  });

  it('goes on behind what had ended before the rest expired', () => {
    const ours = {
      snapshot: snapshot({ before: 1 }),
      events: [ofFirst(0, 'node.completed'), event(1, 'run.completed')],
    };
    const again = [ofFirst(1, 'node.started'), ofFirst(2, 'node.completed'), event(3, 'run.completed')];
    expect(judgeBare(ours, { ...ours, events: ours.events.slice(1) })).toBe('pass');
    expect(judgeBare(ours, { ...ours, events: again })).toBe('fail begun-again');
  });

  it('shows nothing where no event that has expired gave a variable its value', () => {
    const silent = [...BEFORE, control, made];
    expect(stateOf(...silent, afterwards({ counter: 2, before: 1 }))).toBe('inconclusive');
    expect(stateOf(...silent, afterwards({ counter: 2 }))).toBe('fail state-differs');
  });

  it('is read from the log where snapshots show no values, and is not known where the log shows none', () => {
    expect(judgeBare(reads({ value: 1 }), reads({ value: 1 }, 0))).toBe('pass');
    expect(judgeBare(reads({ value: 1 }), reads({ value: 7 }))).toBe('fail state-differs');
    expect(judgeBare(reads({ value: 1 }), { snapshot: { status: 'completed' } })).toBe('inconclusive');
    expect(judgeBare(reads({ value: 1 }, 0), reads({ value: 1 }, 0))).toBe('inconclusive');
    expect(judgeBare(reads({}), reads({}))).toBe('inconclusive');
    const empty = { snapshot: snapshot({}) };
    expect(judgeBare(empty, empty)).toBe('inconclusive');
  });

  it('is not asked for where such a replay is refused, and not known where it was not seen', () => {
    for (const status of [410, 422]) expect(judge(requested(BOUNDARY, name, status))).toBe('not-applicable');
    expect(judge(made, afterwards({}, { problem: 'the run has not ended' }))).toBe('inconclusive');
    expect(judge(made)).toBe('inconclusive');
    expect(judge()).toBe('inconclusive');
  });
});

function envelope(...answers: readonly Observation[]): string {
  return judgedBy(judgeExpiredEnvelope, [...BEFORE, ...answers]).verdict;
}

function detailed(...answers: readonly Observation[]): string {
  return judgedBy(judgeDetails, [...BEFORE, ...answers]).verdict;
}

function started(details: Json) {
  return refusal(410, details, { name: NAME, request: '{"mode":"replay"}' });
}

describe('judgeExpiredEnvelope', () => {
  it.each([
    ['pass', refusal(410)],
    ['fail', requested('below', NAME, 410, { message: 'No.' })],
    ['fail', requested('below', NAME, 422, 'gone')],
    ['inconclusive', requested('below', NAME, 201, { runId: 'run_c' })],
    ['inconclusive', refusal(404)],
  ])('%s', (expected, answer) => expect(envelope(answer)).toBe(expected));
});

describe('judgeDetails', () => {
  it.each([
    ['pass', refusal(410)],
    ['pass', refusal(410, { sourceRunId: 'run_a', fromSeq: 0, expiredThrough: 0 })],
    ['fail', refusal(410, { sourceRunId: 'run_a', fromSeq: 0, oldestRetained: 0 })],
    ['pass', refusal(422, { ...DETAILS, retentionBoundary: '2026-01-01T00:00:00Z' })],
    ['pass', refusal(410, { sourceRunId: 'run_a', fromSeq: 0, oldest: 1, more: 'x' })],
    ['pass', refusal(410, { ...DETAILS, retentionBoundary: '1' })],
    ['pass', refusal(410, { sourceRunId: 'run_a', fromSeq: 0, retention: { firstRetainedSeq: 1 } })],
    ['pass', refusal(410, { sourceRunId: 'run_a', fromSeq: 0, retention: { until: '2026-01-01T00:00:00Z' } })],
    ['fail', refusal(410, { sourceRunId: 'run_a', fromSeq: 0, timestamp: '2026-01-01T00:00:00Z' })],
    ['fail', refusal(410, { sourceRunId: 'run_a', fromSeq: 0, request: { attempt: 1 } })],
    ['fail', refusal(410, { sourceRunId: 'run_a', fromSeq: null, retentionBoundary: 1 })],
    ['pass', started({ sourceRunId: 'run_a', retentionBoundary: 1 })],
    ['pass', started({ sourceRunId: 'run_a', fromSeq: null, retentionBoundary: 1 })],
    ['pass', started(DETAILS)],
    ['fail', refusal(410, { ...DETAILS, sourceRunId: 'run_b' })],
    ['fail', refusal(410, { ...DETAILS, fromSeq: 1 })],
    ['fail', refusal(410, { ...DETAILS, retentionBoundary: 2 })],
    ['fail', refusal(410, { sourceRunId: 'run_a', fromSeq: 0 })],
    ['fail', refusal(410, null)],
    ['fail', requested('below', NAME, 410, [])],
    ['fail', started({ ...DETAILS, fromSeq: 7 })],
    ['inconclusive', refusal(404)],
  ])('%s', (expected, answer) => expect(detailed(answer)).toBe(expected));

  it('judges edited evidence without a fall', () => {
    const edited = [{ type: 'asked', row: 'start', name: START, answer: { kind: 'failure' } }] as never[];
    expect(detailed(...edited)).toBe('inconclusive');
  });
});
