import type { Exchange, HostHandle } from './client.ts';

/** The status of an answer; null where there was none. */
export function answeredWith(exchange: Exchange): number | null {
  return exchange.kind === 'response' ? exchange.status : null;
}

/** An answer in few words: its status, or why there was none. */
export function answerText(exchange: Exchange): string {
  return exchange.kind === 'response' ? `${exchange.status}` : `${exchange.reason} (${exchange.message})`;
}

/** The JSON of an answer, of this status where one is named; undefined where it has none. */
export function jsonIn(exchange: Exchange, status?: number): unknown {
  if (exchange.kind === 'failure' || (status !== undefined && exchange.status !== status)) return undefined;
  return exchange.json.ok ? exchange.json.value : undefined;
}

/** Sends a value as JSON. */
export function post(handle: HostHandle, path: string, body: object): Promise<Exchange> {
  return handle.exchange({ method: 'POST', path, body: JSON.stringify(body) });
}
