import type { TransportFailure } from '../src/evidence/types.ts';
import type { Exchange, FailedExchange, HostHandle } from '../src/host/client.ts';
import { readJsonText } from '../src/host/json.ts';
import type { Probe } from '../src/host/probe.ts';

/** An answer: a text is its body, of anything else the JSON is. */
export function answered(
  status: number,
  body: unknown = {},
  headers: Readonly<Record<string, string>> = {},
  id = 'x1',
): Extract<Exchange, { kind: 'response' }> {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return { id, kind: 'response', status, headers, text, json: readJsonText(text) };
}

/** A request that was not answered. */
export function unanswered(reason: TransportFailure, message = 'm'): FailedExchange {
  return { id: 'x1', kind: 'failure', reason, message };
}

/** A host that answers so, and streams as it answers. */
export function handleOf(exchange: HostHandle['exchange']): HostHandle {
  return { baseUrl: 'http://h', exchange, stream: (request) => exchange(request) };
}

/** What a drive gets where there is one host and nothing else. */
export function probeOf(host: HostHandle, more: Partial<Probe> = {}): Probe {
  return {
    host,
    otherTenant: undefined,
    limited: undefined,
    hostB: undefined,
    witness: undefined,
    discoveryExchange: unanswered('refused'),
    discovery: undefined,
    concurrency: 4,
    timeoutMs: 1000,
    signal: new AbortController().signal,
    ...more,
  };
}
