import { member } from '../../src/contract/discovery.ts';
import type { Fault } from '../../src/contract/validate.ts';
import { shown } from '../shared/compare-runs.ts';
import { isWorkflow } from '../../src/protocol/workflow-id.ts';
import type { RunObservation } from '../shared/run-observation.ts';

/**
 * A snapshot that names another run than the one that was asked for, or another workflow than the one that the run was requested of
 * (wire, Documents); it may name that one's version. Old evidence does not hold what was requested.
 */
export function snapshotNameFaults(run: RunObservation): readonly Fault[] {
  return (['runId', 'workflowId'] as const).flatMap((name) => {
    const [is, wanted] = [member(run.snapshot, name), run[name] ?? null];
    if (typeof is !== 'string' || wanted === null || isWorkflow(is, wanted)) return [];
    return [{ pointer: `/${name}`, wrong: `is ${shown(is)}, not ${shown(wanted)}` }];
  });
}
