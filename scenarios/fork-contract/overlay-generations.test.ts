import { describe, expect, it } from 'vitest';
import type { Observation } from '../../src/evidence/types.ts';
import { fork, judged, recorded, refusedFork, run, short } from '../../test/fork-observations.ts';
import { judgeGenerations, judgeLater, judgeOverlaid } from './overlay-generations.ts';

const [GIVEN, OVERLAID] = ['given to the source', 'given to the branch'];

function showing(input?: string) {
  return { snapshot: { status: 'completed', variables: input === undefined ? {} : { input } } };
}

const source = run('source', showing(GIVEN));

function branch(input?: string): Observation {
  return fork('branch with other inputs', 'run_b', { mode: 'branch', fromSeq: 0, ...showing(input) });
}

function driven(role: string, input?: string, before: readonly Observation[] = [source, branch(OVERLAID)]) {
  return recorded(...before, fork(role, 'run_c', showing(input)));
}

describe.each(['branch of the replay', 'replay of the branch'] as const)('a %s', (role) => {
  const verdictOf = (input?: string, before?: readonly Observation[]): string =>
    short(judged(judgeOverlaid(driven(role, input, before), role)));

  it('runs with the overlay', () => {
    expect(verdictOf(OVERLAID)).toBe('pass');
  });

  it('has lost it where it shows what the first run was given', () => {
    expect(verdictOf(GIVEN)).toBe('fail overlay-ignored');
  });

  it('has ignored no overlay where it shows what nobody gave: the row about replays of branches says so of these', () => {
    expect(verdictOf('something else')).toBe('fail overlay-changed');
    const { restsOn } = judged(judgeOverlaid(driven(role, 'something else'), role));
    expect(restsOn).toBe(role === 'replay of the branch' ? 'fork.branch-is-independent.replayed' : undefined);
  });

  it('shows nothing where inputs are not shown, the branch has no overlay, or it was not made', () => {
    expect(verdictOf()).toBe('inconclusive');
    expect(verdictOf(OVERLAID, [run('source', showing()), branch(OVERLAID)])).toBe('inconclusive');
    expect(verdictOf(OVERLAID, [source])).toBe('inconclusive');
    expect(short(judged(judgeOverlaid(recorded(source, branch(OVERLAID)), role)))).toBe('inconclusive');
    expect(judgeOverlaid(driven(role, GIVEN, [source, branch(GIVEN)]), role)).toMatchObject({
      on: 'fork.branch-applies-overlay.inputs',
    });
  });
});

const [OF_REPLAY, AGAIN] = ['branch of the replay', 'branch of the branch'];

function ofBranch(input?: string) {
  return fork(AGAIN, 'run_d', { mode: 'branch', fromSeq: 0, ...showing(input) });
}

function judgeAgain(...rest: readonly Observation[]) {
  const ofReplay = fork(OF_REPLAY, 'run_c', showing(OVERLAID));
  return judged(judgeGenerations(recorded(source, branch(OVERLAID), ofReplay, ...rest)));
}

describe('a branch of a branch', () => {
  it('runs with an overlay of its own', () => {
    expect(short(judgeAgain(ofBranch('given to the branch of the branch')))).toBe('pass');
    expect(short(judgeAgain(ofBranch(OVERLAID)))).toBe('fail overlay-ignored');
    expect(short(judgeAgain(ofBranch(GIVEN)))).toBe('fail overlay-ignored');
  });

  it('takes nothing from what others show where it shows no inputs, or was not seen', () => {
    expect(short(judgeAgain(ofBranch()))).toBe('pass');
    expect(short(judgeAgain())).toBe('pass');
    expect(short(judgeAgain({ ...ofBranch(OVERLAID), problem: 'the run has not ended' } as Observation))).toBe('pass');
  });

  it('that is refused is the business of the row about branches', () => {
    expect(judgeAgain(refusedFork(AGAIN, 409, 'branch'))).toMatchObject({ restsOn: 'fork.created.branch' });
  });

  it('is not looked at where the branch of a replay has lost its overlay', () => {
    const lost = recorded(source, branch(OVERLAID), fork(OF_REPLAY, 'run_c', showing(GIVEN)), ofBranch(OVERLAID));
    expect(judged(judgeGenerations(lost)).expected).toContain(OF_REPLAY);
  });
});

function verdict(input?: string): string {
  return short(judged(judgeLater(driven('replay after the branch', input))));
}

describe('a replay after a branch', () => {
  it('runs with what its source was given', () => {
    expect(verdict(GIVEN)).toBe('pass');
  });

  it('runs with the overlay of the branch where that stays', () => {
    expect(verdict(OVERLAID)).toBe('fail overlay-of-a-branch');
  });

  it('rests on the row about replays that differ where it shows something else', () => {
    expect(judgeLater(driven('replay after the branch', 'else'))).toMatchObject({
      on: 'replay.divergence-is-reported.every-fixture',
    });
  });

  it('shows nothing where it does not show its inputs, or was not made', () => {
    expect(verdict()).toBe('inconclusive');
    expect(short(judged(judgeLater(recorded(source, branch(OVERLAID)))))).toBe('inconclusive');
  });
});
