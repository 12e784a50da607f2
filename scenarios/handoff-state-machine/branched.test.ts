import { describe, expect, it } from 'vitest';
import {
  CHILD,
  childRun,
  type Entry,
  HAPPY,
  handoffRun,
  replaced,
  transition,
  without,
} from '../../test/handoff-runs.ts';
import { verdictOf } from '../../test/recorded-runs.ts';
import type { Json } from '../../src/evidence/types.ts';
import { branched } from './branched.ts';

const SOURCE = handoffRun(HAPPY, { runId: 'run-source', role: 'source' });

function verdict(log: readonly Entry[], fromSeq = 1, parentResult = 'handoff-complete'): string {
  const fork = { sourceRunId: 'run-source', mode: 'branch', fromSeq, advertised: true };
  const snapshot = { status: 'completed', variables: { parentResult } };
  const branch = handoffRun(log, { role: 'branch', fork, snapshot });
  return verdictOf(branched, 'handoff.happy-path.branch', [
    SOURCE,
    branch,
    childRun({ parent: 'branch', runId: CHILD }),
  ]);
}

/** The happy path, its harvest with more in its payload. */
function saying(more: { readonly [name: string]: Json }): readonly Entry[] {
  return replaced(HAPPY, 'harvested', transition('harvested', 'output.harvested', 'completed', more));
}

describe('a branch from before a handoff', () => {
  it('passes where it hands off as any run does', () => {
    expect(verdict(HAPPY)).toBe('pass');
  });

  it('fails where a transition is not told, follows nothing, or its harvest is another value', () => {
    expect(verdict(without(HAPPY, 'began', 'succeeded', 'completed', 'harvested'))).toBe('fail wrong-path');
    expect(verdict(without(HAPPY, 'harvested'))).toBe('fail wrong-harvest');
    expect(verdict(replaced(HAPPY, 'completed', { by: 'nothing' }))).toBe('fail broken-chain');
    const other = replaced(HAPPY, 'mapped', { payload: { name: 'parentResult', value: 'other' } });
    expect(verdict(other, 1, 'other')).toBe('fail output-not-mapped');
  });

  it('fails where a payload has a member of its own, or says something else', () => {
    expect(verdict(saying({ attempt: 1 }))).toBe('fail payload-not-declared');
    expect(verdict(saying({ harvestedKeys: ['other'] }))).toBe('fail payload-wrong-value');
    expect(verdict(saying({ parentRunId: 'run-source' }))).toBe('fail payload-wrong-value');
  });

  it('is undecided where it did not come to a handoff, or begins within one', () => {
    expect(verdict(without(HAPPY, 'decision'))).toBe('inconclusive');
    expect(verdict(replaced(HAPPY, 'over', { type: 'run.failed' }))).toBe('inconclusive');
    expect(verdict(HAPPY, 3)).toBe('inconclusive');
    expect(verdictOf(branched, 'handoff.happy-path.branch', [SOURCE])).toBe('inconclusive');
  });
});
