import { describe, expect, it } from 'vitest';
import type { Observation } from '../../src/evidence/types.ts';
import { fork, judged, recorded, run, short } from '../../test/fork-observations.ts';
import { judgeLater, judgeOverlaid } from './overlay-generations.ts';

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
    expect(verdictOf('something else')).toBe('fail');
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

function verdict(input?: string): string {
  return short(judged(judgeLater(driven('replay after the branch', input))));
}

describe('a replay after a branch', () => {
  it('runs with what its source was given', () => {
    expect(verdict(GIVEN)).toBe('pass');
  });

  it('runs with the overlay of the branch where that stays', () => {
    expect(verdict(OVERLAID)).toBe('fail');
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
