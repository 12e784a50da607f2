import { PUBLIC } from './public-workflows.ts';

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
