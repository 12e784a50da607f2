import type { Observation } from '../../src/evidence/types.ts';
import type { Exchange, HostHandle } from '../../src/host/client.ts';
import { answeredWith } from '../../src/host/exchanged.ts';
import { cursorsAt } from '../../src/host/log/pages.ts';
import { debugPath, diffPath, eventsPath, pollPath, runPath } from '../../src/protocol/paths.ts';

/** One request about a run, under a credential that is not to see it. */
export interface AccessObservation extends Observation {
  readonly type: 'access';
  readonly of: 'source' | 'fork' | 'further fork' | 'later fork' | 'branch' | 'child of the fork';
  /** What is requested, in words. */
  readonly name: string;
  /** The answer's status; null where there was none. */
  readonly status: number | null;
  /** Whether the answer holds nothing: no body, or no member; absent where it does, and in old evidence. */
  readonly isEmpty?: true;
  /** Whether an event of the run stands in the page; absent where none does, of what is no page, and in old evidence. */
  readonly showsEvent?: true;
  /** The run itself, where it is another one than that of the role. */
  readonly runId?: string;
}

/** One kind of request about a run: a GET, or a POST where there is a body; a stream is left as soon as it is one. */
export interface AccessRequest {
  readonly name: string;
  readonly path: (runId: string) => string;
  readonly body?: object;
  readonly isStream?: true;
  /** A stream from behind this event on. */
  readonly after?: number;
  /** For a page, as a browser requests it: whether a text holds an event of the run. */
  readonly holdsEvent?: (text: string, runId: string) => boolean;
}

/** The reading that decides whether a run is open to a credential at all. */
export const SNAPSHOT = 'the snapshot';

/** An event that every log has, from which on the rest is read. */
const FIRST = 1;

/** All that can be read of a run itself. */
export const READINGS: readonly AccessRequest[] = [
  { name: SNAPSHOT, path: runPath },
  { name: 'the log', path: eventsPath },
  { name: 'the event stream', path: eventsPath, isStream: true },
  { name: 'the debug stream', path: debugPath, isStream: true },
  { name: 'the rest of the event stream', path: eventsPath, isStream: true, after: FIRST },
  { name: 'the log by poll', path: pollPath },
  { name: 'the rest of the log by poll', path: (run) => pollPath(run) + (cursorsAt(FIRST)[0] ?? '') },
  { name: 'its comparison with itself', path: (run) => diffPath(run, run) },
];

/** Makes each request about each of the runs. */
export async function askOfEach(
  handle: HostHandle,
  requests: readonly AccessRequest[],
  runs: readonly (readonly [of: AccessObservation['of'], runId: string])[],
): Promise<readonly AccessObservation[]> {
  const observations: AccessObservation[] = [];
  for (const request of requests) {
    for (const [of, runId] of runs) {
      const exchange = await send(handle, request, runId);
      const status = answeredWith(exchange);
      const empty = request.isStream !== true && holdsNothing(exchange) ? ({ isEmpty: true } as const) : {};
      const isShown = exchange.kind === 'response' && request.holdsEvent?.(exchange.text, runId) === true;
      const shows = isShown ? ({ showsEvent: true } as const) : {};
      observations.push({
        type: 'access',
        of,
        name: request.name,
        status,
        ...empty,
        ...shows,
        exchanges: [exchange.id],
      });
    }
  }
  return observations;
}

/** Whether nobody learns anything by an answer but that it came. */
function holdsNothing(exchange: Exchange): boolean {
  if (exchange.kind === 'failure') return false;
  return exchange.text === '' || (exchange.json.ok && Object.keys(Object(exchange.json.value)).length === 0);
}

function send(
  handle: HostHandle,
  { path, body, isStream, after, holdsEvent }: AccessRequest,
  runId: string,
): Promise<Exchange> {
  const accept = holdsEvent ? 'text/html' : isStream ? 'text/event-stream' : 'application/json';
  const sent = { path: path(runId), headers: { accept, ...(after !== undefined && { 'last-event-id': `${after}` }) } };
  if (isStream) return handle.stream({ method: 'GET', ...sent }, { head: () => 'stop', text: () => 'done' });
  if (body === undefined) return handle.exchange({ method: 'GET', ...sent });
  return handle.exchange({ method: 'POST', body: JSON.stringify(body), ...sent });
}
