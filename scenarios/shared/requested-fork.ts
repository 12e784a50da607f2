import { answeredBy } from '../../src/contract/remedy.ts';
import type { Json, Observation } from '../../src/evidence/types.ts';
import { eventIdsIn } from '../../src/host/log/event-ids.ts';
import type { Probe } from '../../src/host/probe.ts';
import { forkPath, runPath } from '../../src/protocol/paths.ts';
import { askInTurn } from './log-answers.ts';
import { accepted, namedRun, type RequestedObservation, sendRequest } from './requested.ts';
import { type ForkBody, forkRequest, offersMode, readAgain, type RunObservation } from './run-observation.ts';

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
  /** What the snapshot of the runId was answered with; absent where the fork was seen to its end, or nothing was answered. */
  readonly snapshotStatus?: number;
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
  const run = runId === null ? started : await readAgain(probe, started, { role });
  const events = await requestEventsUrl(probe, started, role);
  return {
    requested,
    run,
    events: run.problem === null || runId === null ? events : await withSnapshot(probe, runId, events),
  };
}

/** A fork that was not followed to its end may be none: whether there is a run of the id that was answered. */
async function withSnapshot(probe: Probe, runId: string, events: EventsUrlObservation): Promise<EventsUrlObservation> {
  const exchange = await probe.host.exchange({ method: 'GET', path: runPath(runId) });
  const exchanges = [...events.exchanges, exchange.id];
  return exchange.kind === 'response'
    ? { ...events, snapshotStatus: exchange.status, exchanges }
    : { ...events, exchanges };
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
  if (runId === undefined || runId.length > 1024 || !runId.isWellFormed()) return null;
  return runId === '.' || runId === '..' ? null : runId;
}

/**
 * Requests the path of an `eventsUrl` below the base URL: a URL of another origin, such as one behind a proxy, gets no
 * request and no credential, only its path is used.
 */
async function requestEventsUrl(probe: Probe, run: RunObservation, role: string): Promise<EventsUrlObservation> {
  const common = { type: 'events-url', role } as const;
  const place = placeOf(probe.host.baseUrl, urlIn(run.answer));
  if (place === undefined || run.runId === null) {
    const problem = 'the answer names no URL';
    return { ...common, sameOrigin: false, path: null, status: null, problem, exchanges: run.exchanges };
  }
  const exchange = await askInTurn(probe.host, place.path);
  const answer =
    exchange.kind === 'response'
      ? { status: exchange.status, problem: null }
      : { status: null, problem: `${exchange.reason} (${exchange.message})` };
  return { ...common, ...place, ...answer, eventIds: eventIdsIn(exchange), exchanges: [exchange.id] };
}

function urlIn(answer: Json): string | undefined {
  if (typeof answer !== 'object' || answer === null || Array.isArray(answer)) return undefined;
  const url: unknown = Object.hasOwn(answer, 'eventsUrl') ? Reflect.get(answer, 'eventsUrl') : undefined;
  return typeof url === 'string' ? url : undefined;
}

/** Where a URL stands: its path below the base URL, and whether it names the base URL's origin. */
export function placeOf(
  baseUrl: string,
  url: string | undefined,
): { readonly sameOrigin: boolean; readonly path: string } | undefined {
  if (url === undefined || url === '' || !URL.canParse(url, baseUrl)) return undefined;
  const base = new URL(baseUrl);
  const { protocol, origin, pathname, search } = new URL(url, baseUrl);
  if (protocol !== 'http:' && protocol !== 'https:') return undefined;
  const prefix = base.pathname.replace(/\/+$/u, '');
  const below = pathname.startsWith(`${prefix}/`) ? pathname.slice(prefix.length) : pathname;
  return { sameOrigin: origin === base.origin, path: below + search };
}
