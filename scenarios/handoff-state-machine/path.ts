import type { Difference } from '../shared/compared.ts';
import { handoffText, inPhase, type Handoff } from './chain.ts';
import {
  BEGAN,
  CANCELLED,
  COMPLETED,
  DISPATCH_FAILED,
  FAILED,
  HARVESTED,
  placeOf,
  SUCCEEDED,
  type Phase,
  type Transition,
} from './transition.ts';

/** The phases of a handoff that ends in a certain way, in their order; those that may be missing are named. */
export interface Path {
  readonly phases: readonly Phase[];
  /** A host may have no child.completed event (readings, Handoff). */
  readonly optional: readonly Phase[];
}

export const HARVESTED_PATH: Path = { phases: [BEGAN, SUCCEEDED, COMPLETED, HARVESTED], optional: [COMPLETED] };

const ALL: readonly Phase[] = [BEGAN, SUCCEEDED, DISPATCH_FAILED, COMPLETED, FAILED, CANCELLED, HARVESTED];

/** Where a handoff leaves a path: a phase that is missing, there too often or too early; undefined where it keeps to it. */
export function offPath(handoff: Handoff, { phases, optional }: Path): Difference | undefined {
  for (const phase of ALL) {
    const seen = inPhase(handoff, phase);
    const wanted = phases.includes(phase) ? 1 : 0;
    if (seen.length === wanted || (seen.length === 0 && optional.includes(phase))) continue;
    return {
      expected: `${wanted === 0 ? 'no' : 'one'} ${phase} in ${handoffText(handoff)}: ${phases.join(', ')}`,
      actual: seen.length === 0 ? `none; ${listed(handoff.transitions)}` : `${seen.length}: ${listed(seen)}`,
    };
  }
  return outOfOrder(handoff, phases);
}

function outOfOrder(handoff: Handoff, phases: readonly Phase[]): Difference | undefined {
  const seen = phases.flatMap((phase) => inPhase(handoff, phase));
  const wrong = seen.findIndex(({ event }, index) => event.sequence < (seen[index - 1]?.event.sequence ?? -Infinity));
  const [before, after] = [seen[wrong - 1], seen[wrong]];
  if (before === undefined || after === undefined) return undefined;
  return {
    expected: `${before.phase} before ${after.phase} in ${handoffText(handoff)}`,
    actual: listed([after, before]),
  };
}

/** Transitions in words. */
export function listed(transitions: readonly Transition[]): string {
  return transitions.length === 0 ? 'no transition' : transitions.map(({ event }) => placeOf(event)).join('; ');
}
