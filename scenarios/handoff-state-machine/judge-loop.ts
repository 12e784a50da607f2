import { fail, pass, type Mismatch, type Outcome } from '../../src/contract/outcome.ts';
import { named } from '../shared/compare-runs.ts';
import type { HandoffRun } from './handoff-run.ts';
import { listed, placeOf } from './transition.ts';

/** The kinds of a fixture's decisions, in the order of its plan. */
type Plan = readonly string[];

/** rfc-0037 §A: one decision for each turn of the plan, and nothing after terminate but the run's end. */
export function judgeLoop(seen: HandoffRun, plan: Plan): Outcome {
  const { run, chain } = seen;
  const mismatch = offPlan(seen, plan) ?? afterTheEnd(seen);
  if (mismatch !== undefined) return fail(mismatch, [run]);
  const { end } = chain;
  return pass([run], end === 'completed' ? undefined : `the run ended ${end ?? 'without an event'} after terminate`);
}

/** Where the decisions of a run leave the plan, or undefined. */
export function offPlan({ run, chain: { decisions } }: HandoffRun, plan: Plan): Mismatch | undefined {
  if (decisions.length === plan.length && decisions.every(({ kind }, index) => kind === plan[index])) return undefined;
  return {
    expected: `one decision for each turn of ${named(run)}: ${plan.join(', ')}`,
    actual: decisions.length === 0 ? 'no decision' : decisions.map(({ event }) => placeOf(event)).join('; '),
  };
}

/** A transition behind the decision to terminate. */
function afterTheEnd({ run, chain }: HandoffRun): Mismatch | undefined {
  const end = chain.decisions.find(({ kind }) => kind === 'terminate');
  const later = chain.transitions.filter(({ event }) => end !== undefined && event.sequence > end.event.sequence);
  if (end === undefined || later.length === 0) return undefined;
  return { expected: `no transition after ${placeOf(end.event)} in ${named(run)}`, actual: listed(later) };
}
