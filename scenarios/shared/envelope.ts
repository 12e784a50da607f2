import { readJsonText } from '../../src/host/json.ts';
import { isRecord } from '../../src/host/run-event.ts';
import { shown } from './compare-runs.ts';
import type { RequestedObservation } from './requested.ts';

export const ENVELOPE_TEXT = 'exactly {error: a non-empty string, message: a string, details?}';

/** What is wrong with a refusal's body as the canonical envelope (wire-contract, Documents), or undefined. */
export function envelopeProblem({ answer }: Pick<RequestedObservation, 'answer'>): string | undefined {
  if (answer.kind === 'failure') return undefined;
  if (!answer.body.json) return answer.body.why;
  const { value } = answer.body;
  if (!isRecord(value)) return `the body is ${shown(value)}, no object`;
  const { error, message } = Object.fromEntries(Object.entries(value));
  const others = Object.keys(value).filter((name) => !['error', 'message', 'details'].includes(name));
  const problems = [
    ...(typeof error === 'string' && error !== '' ? [] : [`error is ${shown(error)}, not a non-empty string`]),
    ...(typeof message === 'string' ? [] : [`message is ${shown(message)}, not a string`]),
    ...(others.length === 0 ? [] : [`members beside error, message and details: ${others.join(', ')}`]),
  ];
  return problems.length === 0 ? undefined : problems.join(', and ');
}

/**
 * Whether a host stumbles over a body that its parser need not be able to read: one that is no JSON object, or holds a number beyond
 * a double. One parser reads the bodies of every endpoint; the documents say so of forks, so that row owns it (FOUNDATIONS.bodies).
 */
export function stumblesOverBody(request: string, status: number): boolean {
  return status >= 500 && !isReadable(request);
}

function isReadable(request: string): boolean {
  const read = readJsonText(request);
  return read.ok && isRecord(read.value) && !Object.values(read.value).includes(Number.POSITIVE_INFINITY);
}
