import { describe, expect, it } from 'vitest';
import { isOutcome, type Outcome } from '../../src/contract/outcome.ts';
import type { Observation } from '../../src/evidence/types.ts';
import { judgementOf } from '../../src/runner/define-scenario.ts';
import {
  answered,
  as,
  requested,
  ENVELOPE,
  event,
  fork,
  recorded,
  run,
  short,
  type Recordings,
  UNANSWERED,
} from '../../test/fork-observations.ts';
import type { RequestedObservation } from '../shared/requested.ts';
import type { RunObservation } from '../shared/run-observation.ts';
import { AFTER, BEFORE, judgeCanonicalError, judgeReExposed, judgeRefused, seeDeletion } from './judge-deleted.ts';

const LOG = { surface: 'log', request: 'GET log', status: 200 } as const;
const FORK = { surface: 'refusal', request: 'POST /v1/runs/run_a:fork', status: 400 } as const;
const ANSWER = { ...FORK, request: 'POST /v1/runs/run_a/interrupts/ask' } as const;

function heard(role: string, shows: boolean, of: object = LOG): Observation {
  const found = shows ? [{ canary: 1, spelling: 'as it is' }] : [];
  const answer = { ...of, shows: found, marker: false, exchange: 'x1' };
  return { type: 'heard', role, answers: [answer], exchanges: ['x1'] } as Observation;
}

function seam(problem: string | null = null): Observation {
  return { type: 'seam', seam: 'data/delete', status: 200, problem, answer: {}, exchanges: [] } as Observation;
}

function calls(before: number, after: number, role = 'replay'): Observation {
  return { type: 'tool-calls', role, before, after, exchanges: [] } as Observation;
}

const CONTROL = fork('replay before the deletion', 'run_t');
const DELETED = [run('source'), heard(BEFORE, true), CONTROL, seam(), heard(AFTER, false)];
const FAILED = as('run_b', [event(0, 'run.started'), event(1, 'run.failed', { payload: { error: { code: 'gone' } } })]);

interface After {
  readonly answer?: RequestedObservation;
  readonly forked?: Partial<RunObservation>;
  readonly shows?: boolean;
  readonly called?: number;
}

function afterwards({ answer, forked, shows = false, called = 1 }: After = {}): readonly Observation[] {
  const made = requested('fork', 'replay', 201, { runId: 'run_b' });
  const replay = fork('replay', 'run_b', forked);
  return [answer ?? made, ...(answer === undefined ? [replay] : []), heard('replay', shows), calls(1, called)];
}

const REFUSED = afterwards({ answer: requested('fork', 'replay', 410) });

function judgedBy(judge: (seen: Recordings) => Outcome, observations: readonly Observation[]) {
  const seen = seeDeletion(recorded(...observations));
  return judgementOf('c', isOutcome(seen) ? seen : judge(seen));
}

function refused(...observations: readonly Observation[]): string {
  return short(judgedBy((seen) => judgeRefused(seen, 'replay'), observations));
}

function canonical(...observations: readonly Observation[]): string {
  return judgedBy((seen) => judgeCanonicalError(seen, 'replay'), observations).verdict;
}

function reExposed(...observations: readonly Observation[]): string {
  return judgedBy((seen) => judgeReExposed(seen, ['replay']), observations).verdict;
}

function failedAs(payload: object): Partial<RunObservation> {
  return { events: as('run_b', [event(0, 'run.failed', { payload: payload as never })]) };
}

describe('judgeRefused', () => {
  it.each<[string, readonly Observation[]]>([
    ['pass', REFUSED],
    ['pass', afterwards({ answer: requested('fork', 'replay', 404) })],
    ['pass', afterwards({ forked: { events: FAILED } })],
    ['fail served-deleted-data', afterwards({ shows: true })],
    ['fail fetched-again', afterwards({ called: 2 })],
    ['fail replayed-without', afterwards()],
    ['fail server-error', afterwards({ answer: requested('fork', 'replay', 500) })],
    ['inconclusive', afterwards({ answer: requested('fork', 'replay', 503) })],
    ['inconclusive', afterwards({ answer: answered('fork', 'replay', UNANSWERED) })],
    ['inconclusive', afterwards({ forked: { problem: 'the run has not ended' } })],
    ['inconclusive', afterwards({ forked: { events: as('run_b', [event(0, 'run.cancelled')]) } })],
    ['inconclusive', []],
  ])('%s', (expected, observations) => expect(refused(...DELETED, ...observations)).toBe(expected));

  it.each<[string, readonly Observation[]]>([
    ['nothing', []],
    ['a source that was not seen', [run('source', { problem: 'the run has not ended' })]],
    ['a source that never showed it', [run('source'), heard(BEFORE, false), CONTROL, seam(), heard(AFTER, false)]],
    ['no deletion', [run('source'), heard(BEFORE, true), CONTROL]],
    ['a seam that refused', [run('source'), heard(BEFORE, true), CONTROL, seam('answered 500'), heard(AFTER, false)]],
    ['a source that was not read again', [run('source'), heard(BEFORE, true), CONTROL, seam()]],
    ['a source that still shows it', [run('source'), heard(BEFORE, true), CONTROL, seam(), heard(AFTER, true)]],
    ['no control', [run('source'), heard(BEFORE, true), seam(), heard(AFTER, false)]],
    [
      'a control that failed',
      [run('source'), heard(BEFORE, true), { ...CONTROL, events: FAILED }, seam(), heard(AFTER, false)],
    ],
  ])('inconclusive for %s', (_, observations) => expect(refused(...observations, ...REFUSED)).toBe('inconclusive'));
});

describe('a source that does not show what its tool answered', () => {
  it.each<[string, number]>([
    ['the tool of the source run_a was not called: allow it, or give --witness-url', 0],
    [
      'the source run_a called its tool and shows nowhere what that answered: show what a tool answered in the log or the snapshot',
      1,
    ],
  ])('%s', (reason, called) => {
    const seen = seeDeletion(recorded(run('source'), heard(BEFORE, false), calls(0, called, BEFORE)));
    expect(isOutcome(seen) ? seen : undefined).toMatchObject({ kind: 'undecided', reason });
  });
});

describe('judgeCanonicalError', () => {
  it.each<[string, readonly Observation[]]>([
    ['pass', REFUSED],
    ['pass', afterwards({ forked: { events: FAILED } })],
    ['pass', afterwards({ forked: { ...failedAs({}), snapshot: { error: { code: 'gone' } } } })],
    ['fail', afterwards({ answer: requested('fork', 'replay', 410, { message: 'No.' }) })],
    ['fail', afterwards({ answer: requested('fork', 'replay', 410, { ...(ENVELOPE as object), more: 1 }) })],
    ['fail', afterwards({ forked: failedAs({ error: { message: 'No.' } }) })],
    ['fail', afterwards({ forked: failedAs({ error: { code: '' } }) })],
    ['inconclusive', afterwards()],
    ['inconclusive', afterwards({ answer: requested('fork', 'replay', 500) })],
    ['inconclusive', []],
  ])('%s', (expected, observations) => expect(canonical(...DELETED, ...observations)).toBe(expected));
});

describe('judgeReExposed', () => {
  it.each<[string, readonly Observation[]]>([
    ['pass', REFUSED],
    ['pass', afterwards()],
    ['fail', afterwards({ shows: true })],
    ['fail', afterwards({ answer: requested('fork', 'replay', 410), shows: true })],
    ['fail', afterwards({ answer: requested('fork', 'replay', 500), shows: true })],
    ['inconclusive', afterwards({ answer: requested('fork', 'replay', 500) })],
    ['inconclusive', []],
  ])('%s', (expected, observations) => expect(reExposed(...DELETED, ...observations)).toBe(expected));

  it.each<[string, object, boolean, string]>([
    ['fail', FORK, true, 'pass'],
    ['inconclusive', FORK, false, 'pass'],
    ['inconclusive', ANSWER, true, 'inconclusive'],
  ])('%s where a refusal shows it: %j', (expected, of, shows, other) => {
    const after = [...DELETED.slice(0, -1), heard(AFTER, true, of)];
    const refusal = afterwards({ answer: requested('fork', 'replay', 410), shows });
    expect(reExposed(...after, ...refusal)).toBe(expected);
    expect(refused(...after, ...refusal)).toBe(other);
  });

  it('is no finding where the source shows it still', () => {
    const still = [...DELETED.slice(0, -1), heard(AFTER, true)];
    expect(reExposed(...still, ...afterwards({ shows: true }))).toBe('inconclusive');
  });

  it('names the answer', () => {
    const judgement = judgedBy(
      (seen) => judgeReExposed(seen, ['replay']),
      [...DELETED, ...afterwards({ shows: true })],
    );
    expect(judgement.actual).toBe('GET log (200) shows it, as it is');
  });
});
