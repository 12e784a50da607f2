import { describe, expect, it } from 'vitest';
import { childRun, type Entry, HAPPY, handoffRun, replaced, transition, without } from '../../test/handoff-runs.ts';
import { settled } from '../../test/settled.ts';
import { HANDOFF_CHILD } from './fixtures.ts';
import { happy } from './whole-paths.ts';

const [path, chain] = ['handoff.happy-path', 'handoff.causation-chain'] as const;
const child = childRun({ snapshot: { ...(childRun().snapshot as object), workflowId: HANDOFF_CHILD } });

function ofHappy(log: readonly Entry[]) {
  return settled([happy, [handoffRun(log), child]]);
}

/** The happy path without one of its transitions, the one behind it caused by the one before. */
function leavingOut(name: string, behind: string, before: string): readonly Entry[] {
  return replaced(without(HAPPY, name), behind, { by: before });
}

/** The happy path, its harvest directly behind its begin. */
function harvestedFirst(more: Partial<Entry> = {}): readonly Entry[] {
  const [start, decision, began, succeeded, node, completed, mapped, , ...end] = HAPPY as [Entry, ...Entry[]];
  const harvested = transition('harvested', 'output.harvested', 'began', { harvestedKeys: ['parentResult'] });
  const rest = [began, harvested, succeeded, node, completed, mapped, ...end];
  return replaced([start, decision, ...rest] as readonly Entry[], 'succeeded', { by: 'harvested', ...more });
}

describe('a transition that is missing or out of order', () => {
  it.each<readonly [string, readonly Entry[]]>([
    ['no begin', leavingOut('began', 'succeeded', 'decision')],
    ['no begin, and a cause that is in no log', without(HAPPY, 'began')],
    ['the harvest first', harvestedFirst()],
  ])('is red in the row about the path alone: %s', (_, log) => {
    expect(ofHappy(log)).toEqual({ red: [path], open: [`${chain} <- ${path}`] });
  });

  it.each<readonly [string, readonly Entry[]]>([
    [
      'no begin, and a completion caused by the decision',
      replaced(without(HAPPY, 'began'), 'completed', { by: 'decision' }),
    ],
    ['the harvest first, and a success caused by the start', harvestedFirst({ by: 'start' })],
  ])('hides no link that is broken beside it: %s', (_, log) => {
    expect(ofHappy(log)).toEqual({ red: [path, chain], open: [] });
  });

  it('is not what breaks a link of a handoff that keeps to its path', () => {
    expect(ofHappy(replaced(HAPPY, 'completed', { by: 'began' }))).toEqual({ red: [chain], open: [] });
    expect(ofHappy(replaced(HAPPY, 'succeeded', { by: 'nobody' }))).toEqual({ red: [chain], open: [] });
  });
});
