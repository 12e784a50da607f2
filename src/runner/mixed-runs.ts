import type { Judgement } from '../contract/verdict.ts';
import { member } from '../contract/discovery.ts';
import { isWorkflow } from '../protocol/workflow-id.ts';
import type { Everything } from './scenario.ts';
import { OWN_IDS, runIdsAgain } from './shared-runs.ts';

/** A run whose id leads to a run of another request. */
export interface MixedRun {
  /** The observation that shows it. */
  readonly id: string;
  readonly reason: string;
  /** The check that says so. */
  readonly owner: string;
  /** The scenarios that made runs: what any of these read may be of another request. */
  readonly scenarios: ReadonlySet<string>;
}

/** The row about snapshots, which name the workflow that was requested. */
const NAMES = 'schema.run-snapshot.wire';

/**
 * The first run whose snapshot names the workflow of another request than the one that it was the answer to: a host that does this mixes
 * up its runs, and an id that it gave says nothing of what was requested. Undefined where there is none.
 */
export function mixedRunIn(everything: Everything): MixedRun | undefined {
  const made = everything.filter((each) => each.type === 'run' && member(each, 'fork') === null);
  const requested = made.map((each) => member(each, 'workflowId'));
  const mixed = made.find((each) => {
    const [is, wanted] = [member(member(each, 'snapshot'), 'workflowId'), member(each, 'workflowId')];
    if (typeof wanted !== 'string' || typeof is !== 'string' || isWorkflow(is, wanted)) return false;
    return requested.some((other) => typeof other === 'string' && isWorkflow(is, other));
  });
  if (mixed === undefined) return undefined;
  const [is, wanted] = [member(member(mixed, 'snapshot'), 'workflowId'), member(mixed, 'workflowId')];
  return {
    id: mixed.id,
    reason: `${String(member(mixed, 'runId'))} was the answer to a request for a run of ${String(wanted)}, and is one of ${String(is)}, which another request was for: what is read of a run may be of another one`,
    owner: runIdsAgain(everything).length > 0 ? OWN_IDS : NAMES,
    scenarios: new Set(made.map(({ scenario }) => scenario)),
  };
}

/** A verdict of a scenario that made runs, on a host that mixes them up: it decides nothing. */
export function onMixedRuns(judgement: Judgement, { id, reason, owner }: MixedRun): Judgement {
  const { check, verdict, evidence } = judgement;
  if (verdict === 'inconclusive') return { restsOn: owner, ...judgement };
  if (verdict !== 'pass' && verdict !== 'fail') return judgement;
  return { check, verdict: 'inconclusive', reason, restsOn: owner, evidence: [id, ...evidence] };
}
