import { isRedirect, statusText } from '../protocol/status.ts';
import type { Exchange, HostHandle, JsonBeyond, JsonReading } from './client.ts';
import { isRecord } from './run-event.ts';

/** The status of an answer; null where there was none. */
export function answeredWith(exchange: Exchange): number | null {
  return exchange.kind === 'response' ? exchange.status : null;
}

/** An answer in few words: its status, with where it redirects to, or why there was none. */
export function answerText(exchange: Exchange): string {
  if (exchange.kind === 'failure') return `${exchange.reason} (${exchange.message})`;
  return statusText(exchange.status, redirectedTo(exchange));
}

/** Characters of an address that are shown: a longer one is not cut, as a part of a credential may stand in it. */
const LONGEST_ADDRESS = 200;

/** Where an answer redirects to, which is not followed; undefined where it does not. */
export function redirectedTo(exchange: Exchange): string | undefined {
  if (exchange.kind === 'failure' || !isRedirect(exchange.status)) return undefined;
  const location = exchange.headers['location'] ?? '';
  if (location.length > LONGEST_ADDRESS) return `an address of ${location.length} characters`;
  return location === '' ? undefined : location;
}

/** The JSON of an answer, of this status where one is named; undefined where it has none. */
export function jsonIn(exchange: Exchange, status?: number): unknown {
  if (exchange.kind === 'failure' || (status !== undefined && exchange.status !== status)) return undefined;
  return exchange.json.ok ? exchange.json.value : undefined;
}

/** Whether a body was not read as JSON since it goes beyond a bound of ours. Nothing that is judged may call it no JSON. */
export function goesBeyond(json: JsonReading): json is JsonBeyond {
  return !json.ok && (json.why === 'too-deep' || json.why === 'too-many');
}

/** Characters of a run's id, which stands in the paths of requests. */
const LONGEST_RUN_ID = 1024;

/** Why a run's id is longer than one that is asked for; undefined where it is not, or could stand in no path anyhow. */
export function idBeyond(runId: unknown): string | undefined {
  if (typeof runId !== 'string' || runId.length <= LONGEST_RUN_ID || !runId.isWellFormed()) return undefined;
  return `the runId is longer than ${LONGEST_RUN_ID} characters, the bound of this tool`;
}

/**
 * An answer whose JSON is read: where that, or the run's id in it, goes beyond a bound of ours it counts as none, as one of too many
 * bytes does. The message names the bound.
 */
export function withinBounds(exchange: Exchange): Exchange {
  if (exchange.kind === 'failure') return exchange;
  const { id, json } = exchange;
  const value = jsonIn(exchange);
  const beyond = goesBeyond(json) ? json.message : idBeyond(isRecord(value) ? value['runId'] : undefined);
  return beyond === undefined ? exchange : { id, kind: 'failure', reason: 'body-too-large', message: beyond };
}

/** Whether an answer is a web page. */
export function isPage(exchange: Exchange): boolean {
  return exchange.kind === 'response' && /^text\/html\b/iu.test(exchange.headers['content-type'] ?? '');
}

/** Sends a value as JSON. */
export function post(handle: HostHandle, path: string, body: object): Promise<Exchange> {
  return handle.exchange({ method: 'POST', path, body: JSON.stringify(body) });
}
