import { readPart } from '../../src/contract/discovery.ts';
import { noneRan } from '../../src/contract/remedy.ts';
import { copyPacked } from '../../src/evidence/pack.ts';
import type { Probe } from '../../src/host/probe.ts';
import type { RunRequest } from '../../src/host/runs.ts';
import { isUnknownWorkflow } from '../../src/protocol/status.ts';
import { notExecuted, startRun, type RunObservation } from './run-observation.ts';
import { standIns } from './stand-ins.ts';

/** A run with the workflow that it is of, and what that was given. */
export interface FixtureRun extends Required<Named> {
  readonly run: RunObservation;
}

type Named = Pick<RunRequest, 'workflowId' | 'inputs'>;

/** The workflow that needs and does nothing. */
const NOOP = 'conformance-noop';

/** The fixtures that public hosts seed and that need nothing else. */
export const PUBLIC_FIXTURES = ['conformance-multi-node', 'conformance-noop'] as const;

/** Workflows whose only node fails, the public one first. */
export const FAILING_FIXTURES = ['conformance-failure', 'conformance-determinism-handoff-broken'] as const;

/**
 * Starts the first of these workflows that the host knows, at last those that the caller named and those that stand in of what the
 * host advertises; the last refusal where it knows none. One that the host knows and has no nodes for is passed over as
 * well. A run that was executed and did not end well is not tried again with another workflow.
 */
export async function startFirst(
  probe: Probe,
  workflowIds: readonly string[],
  role: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<FixtureRun> {
  const all: readonly Named[] = [
    ...workflowIds.map((workflowId) => ({ workflowId })),
    ...(probe.named ?? []),
    ...standIns(readPart(probe.discovery, 'fixtures')).map((workflowId) => ({ workflowId })),
  ];
  const [first = { workflowId: NOOP }, ...others] = all.filter(
    ({ workflowId }, index) => all.findIndex((each) => each.workflowId === workflowId) === index,
  );
  let found = await start(probe, first, { role, headers });
  for (const candidate of others) {
    if (!isPassedOver(found.run)) break;
    found = await start(probe, candidate, { role, headers });
  }
  return workflowIds.includes(NOOP) && (isPassedOver(found.run) || !workflowIds.includes(found.workflowId))
    ? { ...found, run: toldWhatToRun(found.run) }
    : found;
}

/** Whether a run says nothing of the host but that it lacks the workflow, or what it takes to execute it. */
export function isPassedOver(run: RunObservation): boolean {
  return isUnknown(run) || notExecuted(run.events) !== undefined;
}

function toldWhatToRun(run: RunObservation): RunObservation {
  return run.problem === null ? run : copyPacked(run, { problem: noneRan(run.problem) });
}

async function start(
  probe: Probe,
  { workflowId, inputs = {} }: Named,
  seeing: { readonly role: string; readonly headers: Readonly<Record<string, string>> },
): Promise<FixtureRun> {
  return { workflowId, inputs, run: await startRun(probe, { workflowId, inputs }, seeing) };
}

/** Starts the longest public workflow that the host knows. */
export async function startPublic(probe: Probe, role: string): Promise<RunObservation> {
  return (await startFirst(probe, PUBLIC_FIXTURES, role)).run;
}

/** Whether a run was refused because the host does not know its workflow. */
export function isUnknown({ runId, answered }: Pick<RunObservation, 'runId' | 'answered'>): boolean {
  return runId === null && answered !== null && isUnknownWorkflow(answered);
}
