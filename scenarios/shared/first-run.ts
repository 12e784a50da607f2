import { readPart } from '../../src/contract/discovery.ts';
import { noneRan } from '../../src/contract/remedy.ts';
import { copyPacked } from '../../src/evidence/pack.ts';
import type { Probe } from '../../src/host/probe.ts';
import type { RunRequest } from '../../src/host/runs.ts';
import { isUnknownWorkflow } from '../../src/protocol/status.ts';
import { PUBLIC } from './public-workflows.ts';
import { notExecuted, type RunObservation, startRun } from './run-observation.ts';

/** How many of them are tried where the host lacks what it takes to execute those before. */
const TRIED = 8;

/** Workflows that ask the mock model, whose program rows stage: no other row may take an answer of it (wire-contract, Test seams). */
const ASKS_A_MODEL = /^conformance-(?:phase4|envelope|determinism-llm)-/u;

/** Ours that wait for somebody, or for the witness. */
const OURS_WAIT = /^conformance-determinism-(?:interrupt|handoff|once|parallel|side-effects|sub-workflow|verify)/u;

/** Public ones that wait for somebody, or for too long. */
const WAIT: ReadonlySet<string> = new Set([
  ...PUBLIC.filter(({ answer, ends }) => answer !== undefined || ends === 'cancelled').map(
    ({ workflowId }) => workflowId,
  ),
  'conformance-orchestrator-low-confidence',
  'conformance-multi-agent-confidence-escalation',
]);

/** Those that do not complete, or not with what they are given here. */
const FAIL: ReadonlySet<string> = new Set(
  PUBLIC.filter(({ ends }) => ends === 'failed').map(({ workflowId }) => workflowId),
);

/** Whether any row may run a workflow, whatever others do meanwhile. */
export function isForAll(workflowId: string): boolean {
  return !ASKS_A_MODEL.test(workflowId);
}

/** Which of the workflows that a host advertises stand in for those that it lacks: what comes to an end by itself, a success first. */
export function standIns(advertised: readonly string[]): readonly string[] {
  const ending = advertised.filter((id) => isForAll(id) && !WAIT.has(id) && !OURS_WAIT.test(id));
  return [...ending.filter((id) => !FAIL.has(id)), ...ending.filter((id) => FAIL.has(id))].slice(0, TRIED);
}

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
    ? { ...found, run: withAdvice(found.run) }
    : found;
}

/** Whether a run says nothing of the host but that it lacks the workflow, or what it takes to execute it. */
export function isPassedOver(run: RunObservation): boolean {
  return isUnknown(run) || notExecuted(run.events) !== undefined;
}

function withAdvice(run: RunObservation): RunObservation {
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

/** Whether a run was refused because the host does not know its workflow, or fails over such a one. */
export function isUnknown({ runId, answered }: Pick<RunObservation, 'runId' | 'answered'>): boolean {
  return runId === null && answered !== null && (isUnknownWorkflow(answered) || answered === 500);
}
