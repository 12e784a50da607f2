import { fail, pass, undecided, type Mismatch, type Outcome } from '../../src/contract/outcome.ts';
import { named } from '../shared/compare-runs.ts';
import { handoffText, has, inPhase, type Handoff } from './chain.ts';
import { childOf, statusOf, type HandoffRun } from './handoff-run.ts';
import { listed, PHASES, type Phase } from './transition.ts';

/** The phases of a handoff that ends in a certain way, in their order; those that may be missing are named. */
interface Path {
  readonly phases: readonly Phase[];
  /** A host may have no child.completed event (readings, Handoff). */
  readonly optional: readonly Phase[];
}

const HARVESTED_PATH: Path = {
  phases: ['dispatch.began', 'dispatch.succeeded', 'child.completed', 'output.harvested'],
  optional: ['child.completed'],
};

/** rfc-0037 §B: each of so many workers of the run goes the whole way, each phase once, in order. */
export function judgePath(seen: HandoffRun, workers: number): Outcome {
  const { run, chain, evidence } = seen;
  if (chain.handoffs.length !== workers) {
    const expected = `${HARVESTED_PATH.phases.join(', ')} for ${workers === 1 ? 'one worker' : `${workers} workers`}`;
    return fail({ expected, actual: `${listed(chain.transitions)} in ${named(run)}` }, evidence);
  }
  for (const handoff of chain.handoffs) {
    const child = childOf(handoff, seen);
    if (child !== undefined && statusOf(child) === 'failed') {
      return undecided(`the child of ${handoffText(handoff)} failed: ${child.runId}`, evidence);
    }
    const mismatch = offPath(handoff, HARVESTED_PATH);
    if (mismatch !== undefined) return fail(mismatch, evidence);
  }
  const isWhole = chain.handoffs.every((handoff) => has(handoff, 'child.completed'));
  return pass(
    evidence,
    isWhole ? undefined : `the host has no child.completed: output.harvested follows dispatch.succeeded`,
  );
}

/** Where a handoff leaves a path: a phase that is missing, there too often or too early; undefined where it keeps to it. */
export function offPath(handoff: Handoff, { phases, optional }: Path): Mismatch | undefined {
  for (const phase of PHASES) {
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

function outOfOrder(handoff: Handoff, phases: readonly Phase[]): Mismatch | undefined {
  const seen = phases.flatMap((phase) => inPhase(handoff, phase));
  const wrong = seen.findIndex(({ event }, index) => event.sequence < (seen[index - 1]?.event.sequence ?? -Infinity));
  const [before, after] = [seen[wrong - 1], seen[wrong]];
  if (before === undefined || after === undefined) return undefined;
  return {
    expected: `${before.phase} before ${after.phase} in ${handoffText(handoff)}`,
    actual: listed([after, before]),
  };
}
