import { answeredBy } from '../../src/contract/remedy.ts';
import type { Json, Observation } from '../../src/evidence/types.ts';
import type { Exchange, HostHandle } from '../../src/host/client.ts';
import { answeredWith, jsonIn } from '../../src/host/exchanged.ts';
import { eventIdsIn } from '../../src/host/log/event-ids.ts';
import type { Probe } from '../../src/host/probe.ts';
import { targetUrl } from '../../src/host/request.ts';
import { canStandInPath } from '../../src/host/runs.ts';
import { forkPath, runPath } from '../../src/protocol/paths.ts';
import { isEnded } from '../../src/protocol/run-status.ts';
import { isSuccess } from '../../src/protocol/status.ts';
import { askInTurn } from './log-answers.ts';
import { accepted, namedRun, type RequestedObservation, sendRequest } from './requested.ts';
import {
  type ForkBody,
  forkRequest,
  offersMode,
  readAgain,
  type RunObservation,
  withSourceStart,
} from './run-observation.ts';
import { showsRunAlone, statusIn } from './snapshot.ts';

/** A fork of which the answer is judged as well as the run. */
export interface RequestedFork {
  readonly requested: RequestedObservation;
  /** The fork to its end; `runId` is null where the answer named no run. */
  readonly run: RunObservation;
  readonly events: EventsUrlObservation;
}

/** The `eventsUrl` of an answer, and what its path gave below the base URL. */
export interface EventsUrlObservation extends Observation {
  readonly type: 'events-url';
  readonly role: string;
  /** Whether the URL names the origin that is tested; false too where it is none. */
  readonly sameOrigin: boolean;
  /** The path that was requested; null where there is none. */
  readonly path: string | null;
  readonly status: number | null;
  /** Why there is no status. */
  readonly problem: string | null;
  /** The event ids that the answer holds, the first few of them; empty where it holds none, and absent in old evidence. */
  readonly eventIds?: readonly string[];
  /** There where the answer is a run's snapshot, which holds no events. */
  readonly isSnapshot?: true;
  /** What the snapshot of the runId was answered with; absent where the fork was seen to its end, or nothing was answered. */
  readonly snapshotStatus?: number;
  /** How that snapshot says that the run ended; absent where it says nothing of an end. */
  readonly snapshotEnd?: string;
}

/** The source of a fork; its run must have been seen. */
export type Source = RunObservation & { readonly runId: string };

/** Forks a run, follows the fork to its end and requests its `eventsUrl`. */
export async function requestFork(probe: Probe, source: Source, body: ForkBody, role: string): Promise<RequestedFork> {
  const sent = { row: 'fork', name: role, body: forkRequest(body) };
  const requested = await sendRequest(probe.host, forkPath(source.runId), sent);
  const { answer } = requested;
  const runId = runInPath(requested);
  const answered = answer.kind === 'answer' ? answer.status : null;
  const started: RunObservation = {
    type: 'run',
    role,
    fork: {
      sourceRunId: source.runId,
      mode: body.mode,
      fromSeq: body.fromSeq ?? null,
      advertised: offersMode(probe.discovery, body.mode),
    },
    answered,
    answer: answer.kind === 'answer' && answer.body.json ? answer.body.value : null,
    runId,
    problem: runId === null ? withoutRun(forkPath(source.runId), requested) : null,
    events: [],
    snapshot: null,
    exchanges: requested.exchanges,
  };
  const run = runId === null ? await withSourceStart(probe, started) : await readAgain(probe, started, { role });
  const events = await requestEventsUrl(probe, started, role);
  return {
    requested,
    run,
    events: isWhole(run) || runId === null ? events : await withSnapshot(probe, runId, events),
  };
}

/** Whether a run was followed to its end, and its snapshot read. */
function isWhole({ problem, snapshot }: RunObservation): boolean {
  return problem === null && snapshot !== null;
}

/** A fork that was not followed to its end, or whose snapshot was not read, may be none: whether there is a run of the id that was answered. */
async function withSnapshot(probe: Probe, runId: string, events: EventsUrlObservation): Promise<EventsUrlObservation> {
  const exchange = await probe.host.exchange({ method: 'GET', path: runPath(runId) });
  const exchanges = [...events.exchanges, exchange.id];
  if (exchange.kind !== 'response') return { ...events, exchanges };
  const status = exchange.json.ok ? statusIn(exchange.json.value) : undefined;
  const end = status !== undefined && isEnded(status) ? { snapshotEnd: status } : {};
  return { ...events, snapshotStatus: exchange.status, ...end, exchanges };
}

/** Why there is no run to follow. */
function withoutRun(path: string, requested: RequestedObservation): string {
  const { answer } = requested;
  if (answer.kind === 'failure') return `POST ${path} was answered with nothing: ${answer.reason} (${answer.message})`;
  const answered = answeredBy(`POST ${path}`, answer.status);
  if (!accepted(requested)) return answered;
  return `${answered}, and the answer names no runId${namedRun(requested) === undefined ? '' : ' that can stand in a URL'}`;
}

/** The run that a 2xx names, where its id can stand in a path. */
function runInPath(requested: RequestedObservation): string | null {
  const runId = requested.answer.kind === 'answer' && requested.answer.status < 300 ? namedRun(requested) : undefined;
  return runId !== undefined && canStandInPath(runId) ? runId : null;
}

/**
 * Requests the path of an `eventsUrl` below the base URL: a URL of another origin, such as one behind a proxy, gets no
 * request and no credential, only its path is used.
 */
async function requestEventsUrl(probe: Probe, run: RunObservation, role: string): Promise<EventsUrlObservation> {
  const common = { type: 'events-url', role } as const;
  const places = placesOf(probe.host.baseUrl, forkPath(run.fork?.sourceRunId ?? ''), urlIn(run.answer));
  const found = run.runId === null ? undefined : await askAtPlaces(probe.host, places);
  if (found === undefined) {
    const problem = 'the answer names no URL';
    return { ...common, sameOrigin: false, path: null, status: null, problem, exchanges: run.exchanges };
  }
  const { place, exchange } = found;
  const answer =
    exchange.kind === 'response'
      ? { status: exchange.status, problem: null }
      : { status: null, problem: `${exchange.reason} (${exchange.message})` };
  const shows = showsRunAlone(jsonIn(exchange)) ? ({ isSnapshot: true } as const) : {};
  return { ...common, ...place, ...answer, eventIds: eventIdsIn(exchange), ...shows, exchanges: [exchange.id] };
}

function urlIn(answer: Json): string | undefined {
  if (typeof answer !== 'object' || answer === null || Array.isArray(answer)) return undefined;
  const url: unknown = Object.hasOwn(answer, 'eventsUrl') ? Reflect.get(answer, 'eventsUrl') : undefined;
  return typeof url === 'string' ? url : undefined;
}

/** Where a URL stands: its path below the base URL, and whether it names the base URL's origin. */
export interface Place {
  readonly sameOrigin: boolean;
  readonly path: string;
}

/**
 * The places that a URL in the answer to a request may mean: a relative one is relative to the request's own URL (RFC 3986 §5.1.3), and to
 * the base URL where there is nothing at that.
 */
export function placesOf(baseUrl: string, requested: string, url: string | undefined): readonly Place[] {
  const [own, atBase] = [targetUrl(baseUrl, requested), baseUrl].map((base) => placeOf(baseUrl, url, base));
  const places = [own, atBase].filter((place) => place !== undefined);
  return places.filter(({ path }, index) => places.findIndex((each) => each.path === path) === index);
}

/** Asks for a log or a snapshot at these places in turn: gives the first that shows something, else the first of all. */
export async function askAtPlaces(
  host: HostHandle,
  [place, ...others]: readonly Place[],
): Promise<{ readonly place: Place; readonly exchange: Exchange } | undefined> {
  if (place === undefined) return undefined;
  const first = { place, exchange: await askInTurn(host, place.path) };
  if (isSuccess(answeredWith(first.exchange))) return first;
  for (const each of others) {
    const exchange = await askInTurn(host, each.path);
    if (isSuccess(answeredWith(exchange))) return { place: each, exchange };
  }
  return first;
}

function placeOf(baseUrl: string, url: string | undefined, relativeTo: string): Place | undefined {
  if (url === undefined || url === '' || !URL.canParse(url, relativeTo)) return undefined;
  const base = new URL(baseUrl);
  const { protocol, origin, pathname, search } = new URL(url, relativeTo);
  if (protocol !== 'http:' && protocol !== 'https:') return undefined;
  const prefix = base.pathname.replace(/\/+$/u, '');
  const below = pathname.startsWith(`${prefix}/`) ? pathname.slice(prefix.length) : pathname;
  return { sameOrigin: origin === base.origin, path: below + search };
}
