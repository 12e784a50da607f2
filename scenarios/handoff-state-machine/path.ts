import { fail, type Mismatch, type Outcome, pass, undecided } from '../../src/contract/outcome.ts';
import { named } from '../shared/compare-runs.ts';
import { type Chain, type Handoff, handoffText, has, inPhase } from './chain.ts';
import { childOf, type HandoffRun, statusOf } from './handoff-run.ts';
import { type Fault, OWNERS, ownFirst } from './owners.ts';
import { isOfTheSchema, listed, type Phase, PHASES, placeOf } from './transition.ts';
import { wrong as naming } from './diagnoses.ts';

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

/** The same where the outputs of some workers are not mapped: whether those are harvested is for another row to say. */
export const PARTLY_MAPPED: Path = { ...HARVESTED_PATH, optional: ['child.completed', 'output.harvested'] };

/** rfc-0037 §B: each of so many workers of the run goes the whole way, each phase once, in order. */
export function judgePath(recorded: HandoffRun, workers: number, path: Path = HARVESTED_PATH): Outcome {
  const { run, chain, evidence } = recorded;
  if (chain.handoffs.length !== workers) {
    const expected = `${HARVESTED_PATH.phases.join(', ')} for ${workers === 1 ? 'one worker' : `${workers} workers`}`;
    return fail(
      { diagnosis: naming('wrong-path'), expected, actual: `${listed(chain.transitions)} in ${named(run)}` },
      evidence,
    );
  }
  const failed = chain.handoffs.find((handoff) => statusOf(childOf(handoff, recorded)) === 'failed');
  if (failed !== undefined) {
    return undecided(`the child of ${handoffText(failed)} failed: ${childOf(failed, recorded)?.runId ?? ''}`, evidence);
  }
  const fault = ownFirst(chain.handoffs.flatMap((handoff) => faultOf(handoff, path) ?? []));
  if (fault !== undefined) return fail({ diagnosis: naming('wrong-path'), ...fault }, evidence);
  return pass(evidence, withoutCompletion(chain));
}

/** What is left to say where a host has no child.completed, as it may: a phase of its own may stand in its place. */
function withoutCompletion({ handoffs }: Chain): string | undefined {
  const lacking = handoffs.filter((handoff) => !has(handoff, 'child.completed'));
  if (lacking.length === 0) return undefined;
  const own = lacking.flatMap(({ transitions }) => transitions.filter(({ phase }) => !isOfTheSchema(phase)));
  const beside = own.length === 0 ? '' : `, and there are phases of its own: ${listed(own)}`;
  return `the host has no child.completed: output.harvested follows dispatch.succeeded${beside}`;
}

/** Where a handoff leaves a path. How often it is harvested is for the row about that to say, where nothing else is wrong. */
function faultOf(handoff: Handoff, path: Path): Fault | undefined {
  const mismatch = offPath(handoff, path);
  if (mismatch === undefined || inPhase(handoff, HARVEST).length === 1) return mismatch;
  const rest = { ...handoff, transitions: handoff.transitions.filter(({ phase }) => phase !== HARVEST) };
  const isWhole = offPath(rest, { ...path, optional: [...path.optional, HARVEST] }) === undefined;
  return isWhole ? { ...mismatch, restsOn: OWNERS.harvest } : mismatch;
}

const HARVEST = 'output.harvested';

/** Where a handoff leaves a path: a phase that is missing, there too often or too early; undefined where it keeps to it. */
export function offPath(handoff: Handoff, { phases, optional }: Path): Mismatch | undefined {
  for (const phase of PHASES) {
    const observed = inPhase(handoff, phase);
    const wanted = phases.includes(phase) ? 1 : 0;
    if (observed.length === wanted || (observed.length === 0 && optional.includes(phase))) continue;
    return {
      expected: `${wanted === 0 ? 'no' : 'one'} ${phase} in ${handoffText(handoff)}: ${phases.join(', ')}`,
      actual:
        observed.length === 0 ? `none; ${listed(handoff.transitions)}` : `${observed.length}: ${listed(observed)}`,
    };
  }
  return outOfOrder(handoff, phases);
}

function outOfOrder(handoff: Handoff, phases: readonly Phase[]): Mismatch | undefined {
  const observed = phases.flatMap((phase) => inPhase(handoff, phase));
  const wrong = observed.findIndex(
    ({ event }, index) => event.sequence < (observed[index - 1]?.event.sequence ?? -Infinity),
  );
  const [before, after] = [observed[wrong - 1], observed[wrong]];
  if (before === undefined || after === undefined) return undefined;
  return {
    expected: `${before.phase} before ${after.phase} in ${handoffText(handoff)}`,
    actual: listed([after, before]),
  };
}

/** The kinds of a fixture's decisions, in the order of its plan. */
type Plan = readonly string[];

/** rfc-0037 §A: one decision for each turn of the plan, and nothing after terminate but the run's end. */
export function judgeLoop(recorded: HandoffRun, plan: Plan): Outcome {
  const { run, chain } = recorded;
  const mismatch: Fault | undefined = offPlan(recorded, plan) ?? afterTheEnd(recorded);
  const { end, decisions, transitions } = chain;
  if (mismatch !== undefined) {
    // A run that failed before anything was decided has no turn.
    const isBroken = end === 'failed' && decisions.length === 0 && transitions.length === 0;
    return fail(
      { diagnosis: naming('wrong-turns'), ...(isBroken ? { ...mismatch, restsOn: OWNERS.path } : mismatch) },
      [run],
    );
  }
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

/** A transition behind the decision to terminate. Whether outputs come in time is for the row about them to say. */
function afterTheEnd({ run, chain }: HandoffRun): Fault | undefined {
  const end = chain.decisions.find(({ kind }) => kind === 'terminate');
  const later = chain.transitions.filter(({ event }) => end !== undefined && event.sequence > end.event.sequence);
  if (end === undefined || later.length === 0) return undefined;
  const mismatch = { expected: `no transition after ${placeOf(end.event)} in ${named(run)}`, actual: listed(later) };
  return later.every(({ phase }) => phase === HARVEST) ? { ...mismatch, restsOn: OWNERS.mapping } : mismatch;
}
