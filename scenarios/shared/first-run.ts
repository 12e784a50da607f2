import { readPart } from '../../src/contract/discovery.ts';
import type { Probe } from '../../src/host/probe.ts';
import { isUnknownWorkflow } from '../../src/protocol/status.ts';
import { notExecuted, startRun, type RunObservation } from './run-observation.ts';

/** A run with the workflow that it is of. */
export interface FixtureRun {
  readonly workflowId: string;
  readonly run: RunObservation;
}

/** The fixtures that public hosts seed and that need nothing else. */
export const PUBLIC_FIXTURES = ['conformance-multi-node', 'conformance-noop'] as const;

/** Workflows whose only node fails, the public one first. */
export const FAILING_FIXTURES = ['conformance-failure', 'conformance-determinism-handoff-broken'] as const;

/**
 * Starts the first of these workflows that the host knows, at last the first one that it advertises; the last refusal
 * where it knows none. One that the host knows and has no nodes for is passed over as well. A run that was executed and did
 * not end well is not tried again with another workflow.
 */
export async function startFirst(
  probe: Probe,
  workflowIds: readonly string[],
  role: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<FixtureRun> {
  const [advertised] = readPart(probe.discovery, 'fixtures');
  const candidates = [...new Set([...workflowIds, ...(advertised === undefined ? [] : [advertised])])];
  const [first = 'conformance-noop', ...others] = candidates;
  let found = await start(probe, first, { role, headers });
  for (const workflowId of others) {
    if (!isUnknown(found.run) && notExecuted(found.run.events) === undefined) break;
    found = await start(probe, workflowId, { role, headers });
  }
  return found;
}

async function start(
  probe: Probe,
  workflowId: string,
  seeing: { readonly role: string; readonly headers: Readonly<Record<string, string>> },
): Promise<FixtureRun> {
  return { workflowId, run: await startRun(probe, { workflowId, inputs: {} }, seeing) };
}

/** Starts the longest public workflow that the host knows. */
export async function startPublic(probe: Probe, role: string): Promise<RunObservation> {
  return (await startFirst(probe, PUBLIC_FIXTURES, role)).run;
}

/** Whether a run was refused because the host does not know its workflow. */
export function isUnknown({ runId, answered }: Pick<RunObservation, 'runId' | 'answered'>): boolean {
  return runId === null && answered !== null && isUnknownWorkflow(answered);
}
