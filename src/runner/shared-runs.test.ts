import { describe, expect, it } from 'vitest';
import type { Judgement } from '../contract/verdict.ts';
import { onSharedRun, runIdsAgain, withoutShared } from './shared-runs.ts';

const again = { id: 'o9', type: 'run-id-again', runId: 'r', scenarios: ['s'], exchanges: ['x1', 'x2'] } as const;

describe('a verdict of a scenario in which one id was given twice', () => {
  it.each(['pass', 'fail'] as const)('%s: decides nothing', (verdict) => {
    const judgement: Judgement = { check: 'c', verdict, expected: 'e', evidence: ['o1'] };
    expect(onSharedRun(judgement, again)).toEqual({
      check: 'c',
      verdict: 'inconclusive',
      reason: 'two answers name one run, r: what is read of it may be of either',
      restsOn: 'fork.created.own-id',
      evidence: ['o9', 'o1'],
    });
  });

  it('inconclusive: rests on the row about ids, where it rests on nothing else', () => {
    const open: Judgement = { check: 'c', verdict: 'inconclusive', reason: 'why', evidence: [] };
    expect(onSharedRun(open, again)).toEqual({ ...open, restsOn: 'fork.created.own-id' });
    expect(onSharedRun({ ...open, restsOn: 'run.created' }, again).restsOn).toBe('run.created');
  });

  it.each(['not-applicable', 'error'] as const)('%s: stays as it is', (verdict) => {
    const judgement: Judgement = { check: 'c', verdict, reason: 'why', evidence: [] };
    expect(onSharedRun(judgement, again)).toBe(judgement);
  });
});

describe('ids that were given twice', () => {
  it('are read from what was recorded of them, from nothing else', () => {
    expect(runIdsAgain([{ ...again, type: 'target' }, again])).toEqual([again]);
  });

  it('are left out of what is read of all runs, and nothing else is', () => {
    const shared = { id: 'o1', type: 'run', runId: 'r', exchanges: [] };
    const ofShared = { ...shared, runId: 's', fork: { sourceRunId: 'r' } };
    const other = { ...shared, runId: 'q', fork: { sourceRunId: 'p' } };
    const note = { id: 'o2', type: 'note', exchanges: [] };
    expect(withoutShared([shared, ofShared, other, note, again])).toEqual([other, note, again]);
    expect(withoutShared([shared, other])).toEqual([shared, other]);
  });
});
