import { isRecord } from '../../src/host/run-event.ts';
import { readJsonText } from '../../src/host/json.ts';

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
