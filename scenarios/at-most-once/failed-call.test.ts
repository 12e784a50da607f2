import { describe, expect, it } from 'vitest';
import type { Json, Observation } from '../../src/evidence/types.ts';
import type { Recorded } from '../../src/runner/scenario.ts';
import {
  judgementIn,
  observed,
  runAs,
  type Said,
  say,
  unfinished,
  verdictOf,
  replayOf,
} from '../../test/recorded-runs.ts';
import { failedCall } from './failed-call.ts';
import { COUNTED } from '../shared/witnessed-run.ts';

const WAYS = ['the tool answers 500', 'the call is reset', 'the tool does not answer'] as const;

const STARTED = say('tool_invocation_started', { idempotency_key: 'k' }, 'charge');
const finished = (outcome: string): Said =>
  say('tool_invocation_finished', { idempotency_key: 'k', outcome }, 'charge');
const FAILED: readonly Said[] = [say('node.failed', {}, 'charge'), say('run.failed')];
const RECORDED = [STARTED, finished('failure'), ...FAILED];
const IN_DOUBT = [STARTED, ...FAILED];
const SUCCEEDED = [STARTED, finished('success'), say('run.completed')];

const failedWith = (message: string): readonly Said[] => [
  STARTED,
  say('node.failed', { error: { code: 'failed', message } }, 'charge'),
  say('run.failed'),
];

const calls = (after: string, count: number, key: string | null = null): Recorded<Observation> => {
  const each: Json = { kind: 'effect', name: 'charge', idempotencyKey: key, answer: null };
  return observed(`c-${after}`, 'calls', {
    after,
    url: 'http://w/t',
    calls: Array.from({ length: count }, () => each),
  });
};

interface Facts {
  readonly said?: readonly Said[];
  readonly made?: number;
  /** Calls after the replay; no replay where it is null. */
  readonly after?: number | null;
  /** The key of those calls. */
  readonly key?: string;
  /** What the replay shows, where it is something else. */
  readonly again?: readonly Said[];
  readonly change?: (run: ReturnType<typeof runAs>) => ReturnType<typeof runAs>;
}

/** A run that fails in this way, and its replay. */
function failing(
  way: string,
  { said = RECORDED, made = 1, after = 1, key, change = (run) => run, again = said }: Facts = {},
) {
  const status = said.some(([type]) => type === 'run.failed') ? 'failed' : 'completed';
  const run = change(runAs(`run where ${way}`, said, { snapshot: { status } }));
  const replay = runAs(`replay where ${way}`, again, { snapshot: { status }, ...replayOf(run, 0) });
  const replayed = after === null ? [] : [replay, calls(replay.role, after, key)];
  return [run, calls(run.role, made), ...replayed];
}

/** All three ways, one of them told otherwise. */
function all(way: (typeof WAYS)[number], facts: Facts): readonly Recorded<Observation>[] {
  return WAYS.flatMap((each) => failing(each, each === way ? facts : {}));
}

const judged = (seen: readonly Recorded<Observation>[], check = 'once.failed-call'): string =>
  verdictOf(failedCall, check, seen);

const replayed = (facts: Facts): string => judged(all('the call is reset', facts), 'once.failed-call.replay');
const answeredReplay = (facts: Facts): string => judged(all('the tool answers 500', facts), 'once.failed-call.replay');
const waits = (run: ReturnType<typeof runAs>) => ({ ...run, snapshot: { status: 'waiting-approval' } });

describe('a call that failed', () => {
  it('passes where its failure is recorded, in whatever words', () => {
    expect(judged(all('the call is reset', {}))).toBe('pass');
    expect(judged(all('the tool answers 500', { said: [STARTED, finished('timed out'), ...FAILED] }))).toBe('pass');
    expect(judged(all('the tool answers 500', { said: [STARTED, say('tool.invocation.failed'), ...FAILED] }))).toBe(
      'pass',
    );
  });

  it('may be left in doubt where nobody answered, as long as its run waits', () => {
    const seen = all('the call is reset', { said: [STARTED], change: waits });
    expect(judged(seen)).toBe('pass');
    expect(judgementIn(failedCall, 'once.failed-call', seen).reason).toContain('reset: left in doubt');
  });

  it.each<readonly [payload: Readonly<Record<string, Json>>, verdict: string]>([
    [{ idempotency_key: 'k' }, 'fail failure-without-outcome'],
    [
      { idempotencyKey: 'k', attempt_id: '1', finishedAt: 'now', outcome: null, result: null },
      'fail failure-without-outcome',
    ],
    [{ idempotency_key: 'k', error: { code: 'tool_failed' } }, 'pass'],
    [{ idempotency_key: 'k', status: 'failed' }, 'pass'],
    [{ idempotency_key: 'k', result: { status: 500 } }, 'pass'],
    [{}, 'pass'],
  ])('says how it ended: %j', (payload, verdict) => {
    const said = [STARTED, say('tool_invocation_finished', payload, 'charge'), ...FAILED];
    expect(judged(all('the tool answers 500', { said }))).toBe(verdict);
    // Another event may say so.
    const told = [...said, say('tool.invocation.failed')];
    expect(judged(all('the tool answers 500', { said: told }))).toBe('pass');
  });

  it.each(WAYS)('is not left in flight where its run has failed: %s', (way) => {
    expect(judged(all(way, { said: IN_DOUBT }))).toBe('fail failure-left-in-flight');
  });

  it('may be told of by the error of its node alone: whether its record is closed is not known then', () => {
    const error = { code: 'tool_call_failed', message: 'connection lost' };
    for (const failed of [
      [say('node.failed', { error }, 'charge'), say('run.failed')],
      [say('node.failed', error, 'charge'), say('run.failed')],
      [say('node.failed', {}, 'charge'), say('run.failed', { error: error.code })],
    ]) {
      for (const way of WAYS) {
        const seen = all(way, { said: [STARTED, ...failed] });
        expect(judged(seen)).toBe('inconclusive');
        expect(judgementIn(failedCall, 'once.failed-call', seen).reason).toContain('outcome failure');
      }
    }
    const nothing = [STARTED, say('node.failed', { error: {} }, 'charge'), say('run.failed', { error: null })];
    expect(judged(all('the tool answers 500', { said: nothing }))).toBe('fail failure-left-in-flight');
  });

  it('is in flight where its error, or that of its replay, says so', () => {
    const lost = failedWith('invocation in flight or lost');
    expect(judged(all('the call is reset', { said: lost }))).toBe('fail failure-left-in-flight');
    expect(judged(all('the call is reset', { said: failedWith('status 500'), again: lost }))).toBe(
      'fail failure-left-in-flight',
    );
  });

  it('is no success where nobody answered', () => {
    expect(judged(all('the tool does not answer', { said: SUCCEEDED }))).toBe('fail failure-as-success');
    expect(judged(all('the tool does not answer', { said: [STARTED, say('run.completed')] }))).toBe('pass');
  });

  it('says nothing where the host takes it for a result, shows no call or makes none, or was not seen', () => {
    expect(judged(all('the tool answers 500', { said: SUCCEEDED }))).toBe('inconclusive');
    expect(judged(all('the tool answers 500', { said: FAILED }))).toBe('inconclusive');
    expect(judged(all('the tool answers 500', { made: 0 }))).toBe('inconclusive');
    expect(judged(all('the tool answers 500', { change: unfinished }))).toBe('inconclusive');
    expect(judged(all('the tool answers 500', { said: [STARTED], change: waits }))).toBe('inconclusive');
    expect(judged([])).toBe('inconclusive');
  });
});

describe('a replay of it', () => {
  it('calls nobody, whatever the log says of the call', () => {
    expect(replayed({})).toBe('pass');
    expect(replayed({ after: 2 })).toBe('fail second-call');
    const counted = all('the tool answers 500', { after: 2 });
    expect(judgementIn(failedCall, 'once.failed-call.replay', counted)).toMatchObject(COUNTED);
    expect(replayed({ said: IN_DOUBT, after: 2 })).toBe('fail second-call');
    expect(replayed({ made: 3, after: 3 })).toBe('pass');
  });

  it('is not charged with what its source still tries by itself', () => {
    const own = 'aetheris:run-run-where-the-tool-answers-500:charge:2';
    const waiting = { said: [STARTED], change: waits, after: 2 };
    expect(answeredReplay({ ...waiting, key: own })).toBe('inconclusive');
    expect(answeredReplay({ after: 2, key: own })).toBe('fail second-call');
    expect(answeredReplay({ ...waiting, key: 'aetheris:other:charge:1' })).toBe('fail second-call');
  });

  it('shows the failure that is recorded', () => {
    const error = { code: 'tool_failed', message: 'It answered with status 500 after 12 ms.' };
    const failure = (own: Json): readonly Said[] => [
      STARTED,
      say('tool_invocation_finished', { idempotency_key: 'k', outcome: 'failure', error: own }, 'charge'),
      say('node.failed', { error: own }, 'charge'),
      say('run.failed', { error: own }),
    ];
    const beside = (again: readonly Said[]): string => replayed({ said: failure(error), again });
    const other = 'fail replayed-failure-otherwise';
    expect(beside(failure({ ...error, message: 'It answered with status 500 after 13 ms.' }))).toBe('pass');
    expect(beside(failure({ ...error, code: 'other' }))).toBe(other);
    expect(beside(failure({ ...error, message: 'Nobody knows.' }))).toBe(other);
    const [first = STARTED, second = STARTED, third = STARTED] = failure(error);
    expect(beside([first, second, third, say('run.failed', { error: { code: 'other' } })])).toBe(other);
    expect(beside([first, second, say('node.failed', {}, 'charge'), say('run.failed', { error })])).toBe(other);
    expect(beside(SUCCEEDED)).toBe(other);
    expect(beside([say('run.completed')])).toBe(other);
    expect(beside([say('node.failed', { error }, 'charge'), say('run.failed', { error })])).toBe('pass');
  });

  it('may show another one where it says so, or where none is recorded', () => {
    const other = [STARTED, finished('failure'), say('run.completed')];
    expect(replayed({ again: other })).toBe('fail replayed-failure-otherwise');
    expect(replayed({ again: [say('replay.diverged'), ...other] })).toBe('pass');
    expect(replayed({ said: IN_DOUBT, again: other })).toBe('pass');
  });

  it('is not asked of a host without replays, nor known where none was seen', () => {
    const without = WAYS.flatMap((way) => failing(way, { after: null }));
    expect(judged(without, 'once.failed-call.replay')).toBe('not-applicable');
    expect(judged([], 'once.failed-call.replay')).toBe('inconclusive');
    const uncalled = WAYS.flatMap((way) => failing(way, { made: 0, after: 0 }));
    expect(judged(uncalled, 'once.failed-call.replay')).toBe('inconclusive');
  });
});
