// Paths of the public wire, below a host's base URL (wire-contract, Endpoints). Ids are percent-encoded.

/** A path segment; a lone surrogate, which has no encoding, becomes U+FFFD. */
function segment(id: string): string {
  return encodeURIComponent(id.toWellFormed());
}

export const RUNS_PATH = '/v1/runs';
export const OPENAPI_PATH = '/v1/openapi.json';

export function workflowPath(workflowId: string): string {
  return `/v1/workflows/${segment(workflowId)}`;
}

/** A run's snapshot. */
export function runPath(runId: string): string {
  return `${RUNS_PATH}/${segment(runId)}`;
}

/** A run's log, as a stream or as JSON. */
export function eventsPath(runId: string): string {
  return `${runPath(runId)}/events`;
}

export function pollPath(runId: string): string {
  return `${eventsPath(runId)}/poll`;
}

export function cancelPath(runId: string): string {
  return `${runPath(runId)}/cancel`;
}

export function forkPath(runId: string): string {
  return `${runPath(runId)}:fork`;
}

export function diffPath(runId: string, against: string): string {
  return `${runPath(runId)}:diff?against=${segment(against)}`;
}

/** Where the question of a node is answered. */
export function interruptPath(runId: string, nodeId: string): string {
  return `${runPath(runId)}/interrupts/${segment(nodeId)}`;
}

export function annotationsPath(runId: string): string {
  return `${runPath(runId)}/annotations`;
}
