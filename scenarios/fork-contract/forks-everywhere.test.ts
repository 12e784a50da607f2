import { describe, expect, it } from 'vitest';
import type { Observation } from '../../src/evidence/types.ts';
import { as, event, fork, LOG, recorded, refusedFork, requested, run } from '../../test/fork-observations.ts';
import { OPTIONS } from '../../test/recorded-runs.ts';
import type { RunObservation } from '../shared/run-observation.ts';
import { branch } from './branch.ts';
import { FIRST_BRANCH } from './branch-drive.ts';
import { fullReplay } from './full-replay.ts';
import { OF_A_FORK, ofABranch } from './of-a-fork.ts';

/** The same fork, made of another run. */
function madeOf(sourceRunId: string, made: RunObservation): RunObservation {
  const answer = made.answer === null ? null : { ...(made.answer as object), sourceRunId };
  return made.fork === null ? made : { ...made, answer, fork: { ...made.fork, sourceRunId } };
}

const REPLAYED = [run('source'), fork('replay', 'run_b')];
const BRANCHED = [run('source'), fork('branch', 'run_b', { mode: 'branch' })];
const [OF_REPLAY, OF_BRANCH] = [OF_A_FORK, 'replay of the branch'];

/** The answer to a fork of run_b, and its log. */
function answered(role: string): readonly Observation[] {
  const made = madeOf('run_b', fork(role, 'run_c'));
  const url = { type: 'events-url', role, path: '/v1/runs/run_c/events', status: 200, problem: null };
  return [requested('fork', role, 201, made.answer), made, Object.assign({ exchanges: ['x3'], sameOrigin: true }, url)];
}

interface Elsewhere {
  readonly scenario?: string;
  readonly of: typeof fullReplay;
  readonly own: readonly Observation[];
}

/** The check of a scenario about forks, beside what another one requested. */
function judgedBeside(
  check: string,
  { of, own, scenario = 'sequence.sweep' }: Elsewhere,
  ...elsewhere: readonly Observation[]
) {
  const all = recorded(...own, ...elsewhere);
  const everything = all.map((each, index) => ({ ...each, scenario: index < own.length ? of.id : scenario }));
  return of.judge(all.slice(0, own.length), OPTIONS, everything).find((each) => each.check === check);
}

/** A fork of run_r from its third event, whose answer names a start. */
function answeringStart(mode: string, fromSeq: number): RunObservation {
  const made = fork(`${mode} from 2`, `run_${mode}`, { mode, fromSeq: 2 });
  return madeOf('run_r', { ...made, answer: Object.assign({}, made.answer, { fromSeq }) });
}

describe('a replay of a replay in another scenario', () => {
  const own = [...REPLAYED, ...answered(OF_REPLAY)];
  const judge = (...runs: readonly RunObservation[]) =>
    judgedBeside('fork.created.of-a-fork', { of: fullReplay, own }, ...runs);
  const first = fork('replay of noop', 'run_r');

  it('passes where it was made, and where it was not seen for want of an answer', () => {
    expect(judge()?.verdict).toBe('pass');
    expect(judge(first, madeOf('run_r', fork('replay of a replay', 'run_s')))?.verdict).toBe('pass');
    expect(judge(first, madeOf('run_r', refusedFork('replay of a replay', 503)))?.verdict).toBe('pass');
  });

  it('fails where it was refused, whatever the row made of it', () => {
    const judgement = judge(first, madeOf('run_r', refusedFork('replay of a replay', 500)));
    expect(judgement).toMatchObject({ verdict: 'fail', evidence: ['o7'] });
    expect(judgement?.expected).toBe('201 for every replay of a replay: the host offers the mode replay');
    expect(judgement?.actual).toBe(
      '500 for replay of a replay (mode replay from sequence 0 of run run_r); 1 of 2 replays were refused',
    );
    expect(judgement?.restsOn).toBeUndefined();
  });

  it('fails where it was answered with another status, or names another source', () => {
    const second = madeOf('run_r', fork('replay of a replay', 'run_s'));
    expect(judge(first, { ...second, answered: 200 })).toMatchObject({ verdict: 'fail', evidence: ['o7'] });
    const names = { ...second, answer: { ...(second.answer as object), sourceRunId: 'run_a' } };
    expect(judge(first, names)?.actual).toContain('sourceRunId is "run_a", not run_r for replay of a replay');
  });
});

describe('the history of a replay of a replay', () => {
  const own = [...REPLAYED, ...answered(OF_REPLAY)];
  const first = fork('replay of noop', 'run_r');
  const judge = (second: RunObservation) =>
    judgedBeside('fork.created.of-a-fork', { of: fullReplay, own }, first, madeOf('run_r', second));
  const other = LOG.with(1, event(1, 'node.started', { nodeId: 'else' }));

  it("passes as the replay's, whatever stands behind it, and where its end was not seen", () => {
    expect(judge(fork('replay of a replay', 'run_s', { fromSeq: 2 }))?.verdict).toBe('pass');
    expect(judge(fork('replay of a replay', 'run_s', { fromSeq: 1, events: as('run_s', other) }))?.verdict).toBe(
      'pass',
    );
    const problem = 'the run has not ended';
    expect(judge(fork('replay of a replay', 'run_s', { fromSeq: 2, events: [], problem }))?.verdict).toBe('pass');
  });

  it('fails where it is another one, unless the row about replays of replays says so', () => {
    const judgement = judge(fork('replay of a replay', 'run_s', { fromSeq: 2, events: as('run_s', other) }));
    expect(judgement).toMatchObject({ verdict: 'fail', evidence: ['o7'], restsOn: 'sequence.replay-of-replay' });
  });

  it('is the matter of the row about histories where a fork of another run has another one, too', () => {
    const changed = { fromSeq: 2, events: as('run_r', other) } as const;
    const again = fork('replay of a replay', 'run_s', { fromSeq: 2, events: as('run_s', LOG) });
    const judgement = judgedBeside(
      'fork.created.of-a-fork',
      { of: fullReplay, own },
      fork('replay of noop', 'run_r', changed),
      madeOf('run_r', again),
    );
    expect(judgement).toMatchObject({ verdict: 'fail', restsOn: 'sequence.prefix-equal' });
  });
});

describe('a replay of a branch in another scenario', () => {
  const own = [...BRANCHED, ...answered(OF_BRANCH)];
  const judge = (...runs: readonly RunObservation[]) =>
    judgedBeside('fork.created.of-a-fork.branch', { of: ofABranch, own }, ...runs);
  const first = fork('branch of random', 'run_r', { mode: 'branch' });
  const refused = madeOf('run_r', refusedFork('replay of the branch of random', 409));

  it('passes where it was made', () => {
    expect(judge(first, madeOf('run_r', fork('replay of the branch of random', 'run_s')))?.verdict).toBe('pass');
  });

  it('fails where it was refused', () => {
    expect(judge(first, refused)).toMatchObject({ verdict: 'fail', evidence: ['o7'] });
  });

  it('is no matter of a branch that waits: the documents leave open what becomes of it', () => {
    expect(judge({ ...first, events: as('run_r', LOG.slice(0, 2)) }, refused)?.verdict).toBe('pass');
  });
});

describe('a branch in another scenario', () => {
  const made = fork(FIRST_BRANCH, 'run_b', { mode: 'branch' });
  const url = { type: 'events-url', role: FIRST_BRANCH, path: '/v1/runs/run_b/events', status: 200, problem: null };
  const own: readonly Observation[] = [
    run('source'),
    requested('fork', FIRST_BRANCH, 201, made.answer),
    made,
    Object.assign({ exchanges: ['x3'], sameOrigin: true }, url),
  ];
  const check = 'fork.created.branch';
  const random = run('source of random', { runId: 'run_r' });
  const refused = madeOf('run_r', refusedFork('branch of random', 500, 'branch'));
  const beside = (...runs: readonly RunObservation[]) => judgedBeside(check, { of: branch, own }, ...runs);

  it('passes where it was made', () => {
    expect(beside(random, madeOf('run_r', fork('branch of random', 'run_s', { mode: 'branch' })))?.verdict).toBe(
      'pass',
    );
  });

  it('fails where it was refused, or answered otherwise', () => {
    expect(beside(random, refused)).toMatchObject({ verdict: 'fail', evidence: ['o6'] });
    const second = madeOf('run_r', fork('branch of random', 'run_s', { mode: 'branch', answered: 200 }));
    expect(beside(random, second)?.actual).toContain('status 200 for branch of random');
  });

  it('rests on the row about forks of forks where only branches of forks are refused or answered otherwise', () => {
    const replay = fork('replay', 'run_r');
    expect(beside(replay, refused)?.restsOn).toBe('fork.created.of-a-fork');
    const ofBranch = fork('branch', 'run_r', { mode: 'branch' });
    expect(beside(ofBranch, refused)?.restsOn).toBe('fork.created.of-a-fork.branch');
    const second = madeOf('run_r', fork('branch of it', 'run_s', { mode: 'branch', answered: 200 }));
    expect(beside(ofBranch, second)?.restsOn).toBe('fork.created.of-a-fork.branch');
  });

  it('rests on the row about later replays where it is made later alone, and answered as these are', () => {
    const [branched, replay] = [answeringStart('branch', 1), answeringStart('replay', 1)];
    expect(beside(random, replay, branched)?.restsOn).toBe('fork.created.every-sequence');
    for (const others of [[], [answeringStart('replay', 2)]]) {
      expect(beside(random, ...others, branched)).toMatchObject({ verdict: 'fail' });
      expect(beside(random, ...others, branched)?.restsOn).toBeUndefined();
    }
  });

  it('may be refused for its overlay', () => {
    const overlaid = { of: branch, own, scenario: 'fork.overlay-members' };
    expect(judgedBeside(check, overlaid, random, refused)?.verdict).toBe('pass');
  });
});
