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
 * The first run whose snapshot names the workflow of another request than the one that it was the answer to, where an id was given
 * twice, or runs that were requested of one workflow name several: a host that does this mixes up its runs, and an id that it gave says
 * nothing of what was requested. One that calls a workflow by another name does so each time. Undefined where there is none.
 */
export function mixedRunIn(everything: Everything): MixedRun | undefined {
  const made = everything.filter((each) => each.type === 'run' && member(each, 'fork') === null).map(readMade);
  const isAgain = runIdsAgain(everything).length > 0;
  const isCalledOtherwise = ({ is, wanted }: Made): boolean =>
    made.some((other) => other.wanted === wanted && other.is !== undefined && nameOf(other.is) !== nameOf(is));
  const mixed = made.find(
    (each) =>
      isOfAnother(each) &&
      made.some(({ wanted }) => wanted !== undefined && isWorkflow(each.is, wanted)) &&
      (isAgain || isCalledOtherwise(each)),
  );
  if (mixed === undefined) return undefined;
  const { id, runId, wanted, is } = mixed;
  return {
    id,
    reason: `${String(runId)} was the answer to a request for a run of ${wanted}, and is one of ${is}, which another request was for: what is read of a run may be of another one`,
    owner: isAgain ? OWN_IDS : NAMES,
    scenarios: new Set(made.map(({ scenario }) => scenario)),
  };
}

function isOfAnother({ is, wanted }: Made): boolean {
  return is !== undefined && wanted !== undefined && !isWorkflow(is, wanted);
}

/** A workflow's name without its version. */
function nameOf(workflowId: string | undefined): string | undefined {
  return workflowId?.replace(/@.*$/su, '');
}

/** A run that was made: the workflow that was requested, and the one that its snapshot names. */
interface Made {
  readonly id: string;
  readonly scenario: string;
  readonly runId: unknown;
  readonly wanted: string | undefined;
  readonly is: string | undefined;
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function readMade(run: Everything[number]): Made {
  return {
    id: run.id,
    scenario: run.scenario,
    runId: member(run, 'runId'),
    wanted: textOf(member(run, 'workflowId')),
    is: textOf(member(member(run, 'snapshot'), 'workflowId')),
  };
}

/** A verdict of a scenario that made runs, on a host that mixes them up: it decides nothing. */
export function onMixedRuns(judgement: Judgement, { id, reason, owner }: MixedRun): Judgement {
  const { check, verdict, evidence } = judgement;
  if (verdict === 'inconclusive') return { restsOn: owner, ...judgement };
  if (verdict !== 'pass' && verdict !== 'fail') return judgement;
  return { check, verdict: 'inconclusive', reason, restsOn: owner, evidence: [id, ...evidence] };
}
