import type { HostHandle } from '../../src/host/client.ts';
import type { Probe } from '../../src/host/probe.ts';
import { type CacheKeyObservation, type KeyObservation, type Part, readAnswer } from './observation.ts';

/** The seam of wire-contract.md, Test seams. */
export const seamPath = '/v1/host/sample/test/llm-cache-key';

/** A request to be sent, and under which name it is recorded. */
export interface Ask {
  readonly name: string;
  readonly part: Part;
  readonly request: string;
  readonly variation?: string;
  readonly like?: string;
  readonly mayRefuse?: true;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Where requests go, and how many at once. */
export interface Line {
  readonly handle: HostHandle;
  readonly concurrency: number;
  readonly signal: AbortSignal;
  readonly secondHost?: true;
}

const failuresToStop = 3;

/** The probe's own host, asked at its concurrency. */
export function lineTo(probe: Probe, handle: HostHandle = probe.host): Line {
  return { handle, concurrency: probe.concurrency, signal: probe.signal };
}

/** Sends one request to the seam and records what came back. */
export async function askKey(line: Line, ask: Ask): Promise<KeyObservation> {
  const { headers, ...recorded } = ask;
  const exchange = await line.handle.exchange({
    method: 'POST',
    path: seamPath,
    body: ask.request,
    repeatable: true,
    ...(headers === undefined ? {} : { headers }),
  });
  return {
    type: 'key',
    exchanges: [exchange.id],
    ...recorded,
    ...(line.secondHost === undefined ? {} : { secondHost: line.secondHost }),
    answer: readAnswer(exchange),
  };
}

/**
 * Sends all requests, never more than the line's concurrency at once, and returns the answers in the order of the
 * requests. Stops after three transport failures in a row or when the signal aborts; the last observation then says so.
 */
export function askKeys(line: Line, asks: readonly Ask[]): Promise<readonly CacheKeyObservation[]> {
  return askDrawn(line, { asks, planned: asks.length, onAnswer: () => undefined });
}

/** Requests that are drawn one by one while others are under way; `onAnswer` sees each answer as it comes. */
export interface DrawnAsks {
  readonly asks: Iterable<Ask>;
  readonly planned: number;
  readonly onAnswer: (observation: KeyObservation) => void;
}

/** The same for requests that are drawn when a place is free: drawing and looking cost no time that the host leaves idle. */
export async function askDrawn(line: Line, drawn: DrawnAsks): Promise<readonly CacheKeyObservation[]> {
  const observations: (KeyObservation | undefined)[] = [];
  const asks = drawn.asks[Symbol.iterator]();
  let next = 0;
  let failures = 0;
  let part: Part | undefined;
  const work = async (): Promise<void> => {
    while (!line.signal.aborted && failures < failuresToStop) {
      const index = next;
      next += 1;
      const ask = asks.next();
      if (ask.done === true) return;
      part ??= ask.value.part;
      const observation = await askKey(line, ask.value);
      failures = observation.answer.kind === 'failure' ? failures + 1 : 0;
      observations[index] = observation;
      drawn.onAnswer(observation);
    }
  };
  await Promise.all(Array.from({ length: Math.min(line.concurrency, drawn.planned) }, work));
  const answered = observations.filter((observation) => observation !== undefined);
  const [asked, { planned }] = [answered.length, drawn];
  if (asked === planned) return answered;
  const reason = line.signal.aborted ? 'the time was up' : `${failuresToStop} requests in a row got no answer`;
  return [...answered, { type: 'cut-short', exchanges: [], part: part ?? 'probe', asked, planned, reason }];
}
