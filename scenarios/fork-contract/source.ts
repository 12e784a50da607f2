import type { Probe } from '../../src/host/probe.ts';
import type { RunRequest } from '../../src/host/runs.ts';
import { isUnknownWorkflow } from '../../src/protocol/status.ts';
import { eventsOf } from '../shared/compare-runs.ts';
import { startRun, type RunObservation } from '../shared/run-observation.ts';

/** Workflows that public hosts seed, the longer one first. */
const PUBLIC: readonly RunRequest[] = [{ workflowId: 'conformance-multi-node' }, { workflowId: 'conformance-noop' }];

/** Runs the first public workflow that the host knows to its end. */
export async function startPublic(probe: Probe, role: string): Promise<RunObservation> {
  let run: RunObservation | undefined;
  for (const request of PUBLIC) {
    run = await startRun(probe, request, { role });
    if (!isUnknown(run)) break;
  }
  return run ?? startRun(probe, { workflowId: 'conformance-noop' }, { role });
}

/** Whether a host refused to create a run because it does not know the workflow. */
export function isUnknown({ runId, answered }: RunObservation): boolean {
  return runId === null && answered !== null && isUnknownWorkflow(answered);
}

/** The first and the last sequence number of a log; 0 for an empty one. */
export function bounds(run: RunObservation): { readonly first: number; readonly last: number } {
  const events = eventsOf(run);
  return { first: events.at(0)?.sequence ?? 0, last: events.at(-1)?.sequence ?? 0 };
}
