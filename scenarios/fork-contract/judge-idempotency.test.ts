import { describe, expect, it } from 'vitest';
import type { Json, Observation } from '../../src/evidence/types.ts';
import {
  answered,
  as,
  event,
  requested,
  ENVELOPE,
  fork,
  judged,
  recorded,
  refusedFork,
  run,
  short,
  UNANSWERED,
} from '../../test/fork-observations.ts';
import { OPTIONS } from '../../test/recorded-runs.ts';
import { runOf } from '../shared/need.ts';
import type { RequestedObservation } from '../shared/requested.ts';
import type { ReadingObservation } from '../shared/reading.ts';
import type { RunObservation } from '../shared/run-observation.ts';
import { judgeBranchKey, UNDER_A_KEY } from './branch-requests.ts';
import {
  BRANCHES_AT_ONCE,
  judgeOtherBodies,
  OTHER_BODY,
  OTHER_MODE,
  OTHER_OVERLAY,
  OVERLAY_ALONE,
} from './key-of-another-body.ts';
import { idempotency, CONTROL, judgeAtOnce, judgeDuplicates, OTHER_RUN, OTHER_SOURCE } from './idempotency.ts';

const ENDED = 'duplicate of an ended fork';

function made(row: string, runId: string, status = 201): RequestedObservation {
  return requested(row, row, status, { runId });
}

interface Sent {
  readonly control?: RunObservation;
  readonly first?: RequestedObservation;
  readonly duplicate?: RequestedObservation;
  readonly ended?: RequestedObservation;
  readonly otherBody?: RequestedObservation;
  readonly otherRun?: RequestedObservation;
  readonly otherLog?: ReadingObservation;
}

/** The log of the other run's fork, with events that name this run as theirs. */
function logOf(runId: string): ReadingObservation {
  const events = as(runId).map((data) => ({ id: null, name: null, data }));
  const how = { transport: 'json', how: 'start', after: null, partial: false } as const;
  return { type: 'reading', run: OTHER_RUN, runId: 'run_p', ...how, events, exchanges: ['x3'] };
}

const otherSource = run(OTHER_SOURCE, { runId: 'run_o' });

function otherRun(status: number, answer: Json = ENVELOPE): RequestedObservation {
  return requested(OTHER_RUN, OTHER_RUN, status, answer);
}

function judge({
  control = fork(CONTROL, 'run_b'),
  first = made('first', 'run_c'),
  duplicate = made('duplicate', 'run_c'),
  ended = made(ENDED, 'run_b'),
  otherBody = requested('other body', 'other body', 409),
  otherRun: elsewhere = otherRun(201, { runId: 'run_p', sourceRunId: 'run_o' }),
  otherLog,
}: Sent) {
  const sent = [
    first,
    duplicate,
    ended,
    otherBody,
    otherSource,
    elsewhere,
    ...(otherLog === undefined ? [] : [otherLog]),
  ];
  return judged(judgeDuplicates(recorded(run('source'), control, ...sent)));
}

function judgeOther(...sent: readonly RequestedObservation[]) {
  const all = recorded(run('source'), fork(CONTROL, 'run_b'), ...sent);
  return judged(judgeOtherBodies(all, runOf(all, CONTROL)));
}

describe('other bodies under the key of a fork', () => {
  const first = made('first', 'run_c');
  const stored = { runId: 'run_b', mode: 'replay' };

  it('fail where they are answered with that fork, in whatever they differ', () => {
    const branch = judgeOther(first, requested(OTHER_MODE, OTHER_MODE, 201, stored));
    expect(short(branch)).toBe('fail key-of-another-body');
    expect(branch.expected).toContain('for a branch under the Idempotency-Key of the replay under a key run_b');
    const later = judgeOther(first, requested(OTHER_BODY, OTHER_BODY, 200, stored), requested(OTHER_MODE, 'b', 409));
    expect(short(later)).toBe('fail key-of-another-body');
    expect(later.expected).toContain('for a replay from another event');
  });

  it('pass with a conflict, or a fork of their own', () => {
    for (const row of [OTHER_BODY, OTHER_MODE]) {
      for (const other of [made(row, 'run_n'), requested(row, row, 409)]) {
        expect(short(judgeOther(first, other))).toBe('pass');
      }
    }
  });

  it('fail where a branch without an overlay answers one with it, unless all branches are that one', () => {
    const sent = [first, requested(OTHER_BODY, OTHER_BODY, 409), made(BRANCHES_AT_ONCE, 'run_k')];
    const mixedUp = made(OTHER_OVERLAY, 'run_k');
    const failed = judgeOther(...sent, mixedUp, made(OVERLAY_ALONE, 'run_l'));
    expect(short(failed)).toBe('fail key-of-another-body');
    expect(failed.expected).toBe('409, or a branch of its own, for overlay under the key of a branch');
    expect(short(judgeOther(...sent, mixedUp, made(OVERLAY_ALONE, 'run_k')))).toBe('pass');
    expect(short(judgeOther(...sent, mixedUp, made(OVERLAY_ALONE, 'run_l', 503)))).toBe('pass');
    for (const other of [made(OTHER_OVERLAY, 'run_m'), requested(OTHER_OVERLAY, OTHER_OVERLAY, 409)]) {
      expect(short(judgeOther(...sent, other, made(OVERLAY_ALONE, 'run_l')))).toBe('pass');
    }
  });

  it('are undecided where nothing was sent or heeded, or the moment was wrong', () => {
    expect(short(judgeOther(first))).toBe('inconclusive');
    expect(short(judgeOther(first, requested(OTHER_MODE, OTHER_MODE, 503)))).toBe('inconclusive');
    expect(short(judgeOther(made('first', 'run_b'), requested(OTHER_MODE, OTHER_MODE, 201, stored)))).toBe(
      'inconclusive',
    );
  });
});

describe('duplicates one after the other', () => {
  it('pass as the same run, whatever the status, or as a conflict', () => {
    expect(judge({})).toMatchObject({ verdict: 'pass', evidence: ['o3', 'o4', 'o5', 'o2'] });
    expect(judge({}).reason).toBeUndefined();
    expect(short(judge({ ended: made(ENDED, 'run_b', 200) }))).toBe('pass');
    expect(short(judge({ duplicate: requested('duplicate', 'duplicate', 409) }))).toBe('pass');
  });

  it('note a conflict with a fork that has ended, and another body that is taken', () => {
    expect(judge({ ended: requested(ENDED, ENDED, 409) }).reason).toContain(`${ENDED}: 409`);
    expect(judge({ otherBody: made('other body', 'run_d') }).reason).toContain('409 would be expected');
  });

  it('note a duplicate that is not marked as stored, and a first answer that is', () => {
    const bare = { ...made('duplicate', 'run_c'), idempotentReplay: null };
    expect(judge({ duplicate: bare })).toMatchObject({
      verdict: 'pass',
      reason: expect.stringContaining('duplicate: no openwop-Idempotent-Replay, where') as string,
    });
    const first = { ...made('first', 'run_c'), idempotentReplay: 'true' };
    expect(judge({ first }).reason).toContain('first: openwop-Idempotent-Replay: true, where no');
    expect(judge({ duplicate: { ...bare, idempotentReplay: 'true' } }).reason).toBeUndefined();
  });

  it("note another run's fork that is answered with the first fork: whether a run makes another endpoint is left open", () => {
    for (const status of [200, 201]) {
      const noted = judge({
        otherRun: otherRun(status, { runId: 'run_b', sourceRunId: 'run_a' }),
        otherLog: { ...logOf('run_b'), runId: 'run_b' },
      });
      expect(short(noted)).toBe('pass');
      expect(noted.reason).toContain('the stored answer of the replay under a key, run_b, where a fork of its own');
    }
  });

  it("fail where another run's fork has an id of its own, and the log of the first fork", () => {
    const judgement = judge({ otherLog: logOf('run_b') });
    expect(short(judgement)).toBe('fail key-across-runs');
    expect(judgement.expected).toContain('a fork of the other source run_o');
    expect(judgement.actual).toContain('the log of run_p holds events of the replay under a key run_b');
  });

  it('do not judge what the answer names as its source, which is the business of another row', () => {
    for (const sourceRunId of ['run_a', 'run_p', null]) {
      const answer = otherRun(201, { runId: 'run_p', sourceRunId });
      expect(short(judge({ otherRun: answer }))).toBe('pass');
      expect(short(judge({ otherRun: answer, otherLog: logOf('run_p') }))).toBe('pass');
      expect(short(judge({ otherRun: answer, otherLog: logOf('run_o') }))).toBe('pass');
    }
  });

  it("leave another run's fork under the same key to the host where it makes no mistake", () => {
    expect(judge({ otherRun: otherRun(201, { runId: 'run_p' }) })).not.toHaveProperty('reason');
    expect(judge({ otherRun: otherRun(409) })).not.toHaveProperty('reason');
    expect(judge({ otherRun: otherRun(422) })).toMatchObject({
      verdict: 'pass',
      reason: expect.stringContaining('a fork of its own, or 409') as string,
    });
    expect(short(judge({ otherRun: answered(OTHER_RUN, OTHER_RUN, UNANSWERED) }))).toBe('pass');
  });

  it.each([
    ['sourceRunId', 'run_a', 'run_b'],
    ['fromSeq', 0, 1],
    ['mode', 'replay', 'branch'],
  ])(
    'fail where the second answer has another %s or says that it has none, where the first has one',
    (name, was, is) => {
      const answer = (row: string, value: Json, runId = 'run_c') => requested(row, row, 201, { runId, [name]: value });
      const first = answer('first', was);
      const judgement = judge({ first, duplicate: answer('duplicate', is) });
      expect(judgement).toMatchObject({ verdict: 'fail', evidence: ['o4', 'o3'] });
      expect(judgement.expected).toBe(
        `${name} ${JSON.stringify(was)}, as in the first answer under the Idempotency-Key`,
      );
      expect(judgement.actual).toBe(`duplicate: ${name} ${JSON.stringify(is)}`);
      expect(short(judge({ first, duplicate: answer('duplicate', was) }))).toBe('pass');
      expect(judge({ first, duplicate: answer('duplicate', null) }).actual).toBe(`duplicate: ${name} null`);
      expect(short(judge({ first: answer('first', null), duplicate: answer('duplicate', is) }))).toBe('pass');
      expect(short(judge({ first }))).toBe('pass');
      expect(short(judge({ first, duplicate: requested('duplicate', 'duplicate', 409) }))).toBe('pass');
      const control = fork(CONTROL, 'run_b', { answer: { runId: 'run_b', [name]: was } });
      expect(judge({ control, ended: answer(ENDED, is, 'run_b') })).toMatchObject({
        verdict: 'fail',
        evidence: ['o5', 'o2'],
      });
    },
  );

  it('fail as a second run, and as any other refusal', () => {
    expect(short(judge({ duplicate: made('duplicate', 'run_d') }))).toBe('fail second-run');
    expect(short(judge({ ended: made(ENDED, 'run_d') }))).toBe('fail second-run');
    expect(short(judge({ ended: requested(ENDED, ENDED, 500) }))).toBe('fail duplicate-refused');
    expect(short(judge({ duplicate: requested('duplicate', 'duplicate', 400) }))).toBe('fail duplicate-refused');
  });

  it('prove nothing where another key gives the same run, or nothing is seen', () => {
    expect(short(judge({ first: made('first', 'run_b'), duplicate: made('duplicate', 'run_b') }))).toBe('inconclusive');
    expect(short(judge({ first: requested('first', 'first', 500) }))).toBe('inconclusive');
    expect(short(judge({ duplicate: answered('duplicate', 'duplicate', UNANSWERED) }))).toBe('inconclusive');
    expect(short(judge({ ended: requested(ENDED, ENDED, 429) }))).toBe('inconclusive');
    expect(short(judged(judgeDuplicates(recorded(run('source'), fork(CONTROL, 'run_b')))))).toBe('inconclusive');
    const refused = idempotency.judge(recorded(run('source'), refusedFork(CONTROL, 501)), OPTIONS);
    expect(refused.map(short)).toEqual(Array(4).fill('fail fork-refused'));
  });
});

/** A reading of a log that shows this. */
function reading(role: string, log: readonly Json[]): ReadingObservation {
  const events = log.map((data) => ({ id: null, name: null, data }));
  const how = { transport: 'json', how: 'again', after: null, partial: false } as const;
  return { type: 'reading', run: role, runId: 'run_b', ...how, events, exchanges: ['x3'] };
}

/** The log of a fork, and as many events once more behind its end. */
const TWICE = [...as('run_b'), ...as('run_b')].map((each, at) => ({
  ...Object(each),
  eventId: `e${at}`,
  sequence: at,
}));

describe('a fork that was requested again', () => {
  const sent = [made('first', 'run_c'), made('duplicate', 'run_c'), made(ENDED, 'run_b')];
  const after = (role: string, log: readonly Json[]) =>
    judged(judgeDuplicates(recorded(run('source'), fork(CONTROL, 'run_b'), ...sent, reading(role, log))));

  it('shows what it showed, overlapping pages apart', () => {
    expect(short(after(CONTROL, as('run_b')))).toBe('pass');
    expect(short(after(CONTROL, [...as('run_b'), ...as('run_b').slice(-1)]))).toBe('pass');
    expect(short(after(CONTROL, [...as('run_b'), event(3, 'log.appended')]))).toBe('pass');
    expect(short(after('another', TWICE))).toBe('pass');
  });

  it('was executed again where its nodes start more often', () => {
    const judgement = after(CONTROL, TWICE);
    expect(short(judgement)).toBe('fail executed-again');
    expect(judgement.expected).toContain('run.started 1 times in the log of the replay under a key run_b');
    const node = [...as('run_b'), event(3, 'node.started', { nodeId: 'first' })];
    expect(after(CONTROL, node).actual).toBe('2 times');
  });

  it('is looked at where the requests came together, and of a branch, too', () => {
    const one = made('at once', 'run_b');
    expect(short(atOnce(one, reading('at once', as('run_b'))))).toBe('pass');
    expect(short(atOnce(one, reading('at once', TWICE)))).toBe('fail executed-again');
    const branched = [made(UNDER_A_KEY, 'run_b'), { ...made(UNDER_A_KEY, 'run_b'), name: 'duplicate of a branch' }];
    const ofBranch = (log: readonly Json[]) =>
      short(judged(judgeBranchKey(recorded(run('source'), ...branched, reading(UNDER_A_KEY, log)), 'branch')));
    expect(ofBranch(as('run_b'))).toBe('pass');
    expect(ofBranch(TWICE)).toBe('fail executed-again');
  });
});

function atOnce(...sent: readonly Observation[]) {
  return judged(judgeAtOnce(recorded(run('source'), fork(CONTROL, 'run_b'), ...sent)));
}

describe('duplicates at once', () => {
  const one = made('at once', 'run_c');
  const branch = made('branches at once', 'run_d');

  it('are one branch, where the host makes branches', () => {
    expect(short(atOnce(one, branch, branch))).toBe('pass');
    expect(short(atOnce(one, branch, made('branches at once', 'run_e')))).toBe('fail second-run');
    expect(short(atOnce(one, requested('branches at once', 'branches at once', 403)))).toBe('pass');
  });

  const conflict = requested('at once', 'at once', 409);

  it('pass as one run, some of them as conflicts', () => {
    expect(short(atOnce(one, one, made('at once', 'run_c', 200)))).toBe('pass');
    expect(short(atOnce(conflict, one, conflict))).toBe('pass');
  });

  it('fail as two runs, whatever else came', () => {
    const judgement = atOnce(one, made('at once', 'run_d'), answered('at once', 'at once', UNANSWERED));
    expect(short(judgement)).toBe('fail second-run');
    expect(judgement.actual).toBe('2 runs: run_c, run_d');
    // A key that is not heeded at all is named by the row about duplicates that came one after the other.
    expect(judgement.restsOn).toBe('fork.idempotency-key');
  });

  it('fail where one makes the host stumble', () => {
    expect(short(atOnce(one, requested('at once', 'at once', 500, ENVELOPE)))).toBe('fail duplicate-refused');
  });

  it('are undecided where no run is named, or one got no answer', () => {
    expect(short(atOnce(conflict, conflict))).toBe('inconclusive');
    expect(short(atOnce())).toBe('inconclusive');
    expect(short(atOnce(one, answered('at once', 'at once', UNANSWERED)))).toBe('inconclusive');
    expect(short(atOnce(one, requested('at once', 'at once', 429)))).toBe('inconclusive');
  });
});
