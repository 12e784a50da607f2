// Paths of the public wire, below a host's base URL (wire-contract, Endpoints). Ids are percent-encoded.

/** A path segment; a lone surrogate, which has no encoding, becomes U+FFFD. */
function segment(id: string): string {
  return encodeURIComponent(id.toWellFormed());
}

export const RUNS_PATH = '/v1/runs';
export const OPENAPI_PATH = '/v1/openapi.json';
/** Requested without credentials. */
export const DISCOVERY_PATH = '/.well-known/openwop';

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

/** The same in the stream mode that shows everything. */
export function debugPath(runId: string): string {
  return `${eventsPath(runId)}?streamMode=debug`;
}

/** Whether a path is that of a run's log, however it is read. */
export function isLogPath(path: string): boolean {
  return /^\/v1\/runs\/[^/?]+\/events(?:\/poll)?(?:\?|$)/u.test(path);
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

const MAKES_A_RUN = /^\/v1\/runs(?:\/(?<source>[^/]+):fork)?$/u;

/** The run that a request to a path makes: of what it is a fork, null for one of its own; undefined for any other path. */
export function runMadeAt(path: string): { readonly source: string | null } | undefined {
  const found = MAKES_A_RUN.exec(path);
  const source = found?.groups?.['source'];
  return found === null ? undefined : { source: source === undefined ? null : decodeURIComponent(source) };
}

/** Where a replay's determinism report is, unless the discovery document says otherwise; `{runId}` stands for the run. */
export const REPORT_PATH = `${RUNS_PATH}/{runId}/determinism`;

export function diffPath(runId: string, against: string): string {
  return `${runPath(runId)}:diff?against=${segment(against)}`;
}

/** Where the question of a node is answered. */
export function interruptPath(runId: string, nodeId: string): string {
  return `${runPath(runId)}/interrupts/${segment(nodeId)}`;
}

/** Whether a request to an address answers a question or cancels a run: neither has the same effect twice. */
export function isOnce(url: string): boolean {
  return /^[^?]*\/v1\/runs\/[^/?]+\/(?:interrupts\/[^/?]+|cancel)(?:\?|$)/u.test(url);
}

export function annotationsPath(runId: string): string {
  return `${runPath(runId)}/annotations`;
}

/** A test seam, by its name; all seams stand below that of no name (wire-contract, Test seams). */
export function seamPath(seam: string): string {
  return `${SEAMS}${seam}`;
}

const SEAMS = '/v1/host/sample/test/';

/** A test seam's name; the path itself of any other route. */
export function seamName(path: string): string {
  return path.startsWith(SEAMS) ? path.slice(SEAMS.length) : path;
}
