import { describe, expect, it } from 'vitest';
import type { Judgement } from '../contract/verdict.ts';
import { mixedRunIn, onMixedRuns } from './mixed-runs.ts';
import type { Everything } from './scenario.ts';

type Seen = Everything[number];

/** A run of workflow a, b or c, whose snapshot names a workflow. */
function made(workflowId: string, named: unknown, more: object = {}): Seen {
  const observation = {
    type: 'run',
    fork: null,
    runId: `run_${workflowId}`,
    workflowId,
    snapshot: { workflowId: named },
  };
  return { id: `o${workflowId}`, scenario: `s${workflowId}`, exchanges: [], ...observation, ...more };
}

const AGAIN: Seen = { id: 'o9', scenario: 'plan', type: 'run-id-again', exchanges: [] };

describe('a run that is of another request', () => {
  it('is the first whose snapshot names what another one was requested of', () => {
    expect(mixedRunIn([made('a', 'a'), made('b', 'a@1'), made('b', 'b')])).toMatchObject({
      id: 'ob',
      owner: 'schema.run-snapshot.wire',
      reason: expect.stringContaining('run_b was the answer to a request for a run of b, and is one of a@1'),
      scenarios: new Set(['sa', 'sb']),
    });
  });

  it('rests on the row about ids where an id was given twice', () => {
    expect(mixedRunIn([made('a', 'a'), made('b', 'a'), AGAIN])?.owner).toBe('fork.created.own-id');
  });

  it.each<[string, readonly Seen[]]>([
    ['its own workflow, with its version', [made('a', 'a@2'), made('b', 'b')]],
    ['a workflow that nobody requested', [made('a', 'other')]],
    ['another one each time, as who calls it so', [made('a', 'a'), made('b', 'a'), made('b', 'a@2')]],
    ['nothing', [made('a', undefined), made('b', null), made('c', 'a', { snapshot: null })]],
    ['another workflow as a fork', [made('a', 'a'), made('b', 'a', { fork: { mode: 'replay' } })]],
    ['another workflow in old evidence', [made('a', 'a'), made('b', 'a', { workflowId: undefined })]],
    ['no run', [AGAIN]],
  ])('is none that names %s', (_, seen) => expect(mixedRunIn(seen)).toBeUndefined());
});

describe('a verdict on a host that mixes up its runs', () => {
  const mixed = { id: 'o9', reason: 'why', owner: 'c0', scenarios: new Set(['s']) };
  const judgement: Judgement = { check: 'c', verdict: 'pass', evidence: ['o1'] };

  it.each(['pass', 'fail'] as const)('%s: decides nothing', (verdict) => {
    const left = { check: 'c', verdict: 'inconclusive', reason: 'why', restsOn: 'c0', evidence: ['o9', 'o1'] };
    expect(onMixedRuns({ ...judgement, verdict }, mixed)).toEqual(left);
  });

  it('inconclusive: rests on the row that says so, where it rests on nothing else', () => {
    const open: Judgement = { ...judgement, verdict: 'inconclusive', reason: 'open' };
    expect(onMixedRuns(open, mixed)).toEqual({ ...open, restsOn: 'c0' });
    expect(onMixedRuns({ ...open, restsOn: 'c1' }, mixed).restsOn).toBe('c1');
  });

  it.each(['not-applicable', 'error'] as const)('%s: stays as it is', (verdict) => {
    expect(onMixedRuns({ ...judgement, verdict }, mixed).verdict).toBe(verdict);
  });
});
