import type { Exchange, HostHandle } from '../../src/host/client.ts';
import type { Probe } from '../../src/host/probe.ts';
import { inTurn } from './log-answers.ts';
import { type Judged, rowsOf } from './judge-invisible-reading.ts';
import { accepted, requestedBy, type RequestedObservation, sendRequest, statusOf } from './requested.ts';
import { unknownLike } from './unknown-id.ts';

/** A run that is requested about, the run beside it, and the event behind which its log is read on. */
export interface About {
  readonly runId: string;
  readonly against: string;
  readonly after: number;
}

/** A kind of request about a run. */
export interface Kind extends Judged {
  readonly path: (about: About) => string;
  readonly headers?: (about: About) => Readonly<Record<string, string>>;
  /** A POST with the first of these bodies that is not refused as malformed; a GET where there are none. */
  readonly bodies?: readonly object[];
  /** Its answer may be a stream, which is left as soon as it is one: whether it is served is what counts. */
  readonly isLog?: true;
  /** The owner requests first, and others only what that one got. */
  readonly ownerFirst?: true;
  /** Another tenant requests first, and what it is refused nobody requests besides: how it is refused is not looked at. */
  readonly strangerFirst?: true;
}

/** Requests of one kind: another tenant's about a run and about two that there are not, and its owner's. */
export async function requestAbout(
  probe: Probe,
  otherTenant: HostHandle,
  kind: Kind,
  own: About,
): Promise<readonly RequestedObservation[]> {
  const rows = rowsOf(kind.kind);
  const byOwner = (): Promise<RequestedObservation> => sendFirst(probe.host, kind, { row: rows.owner, about: own });
  const first = kind.ownerFirst === true ? [await byOwner()] : [];
  if (first.some((each) => !accepted(each))) return first;
  const observations = [await sendFirst(otherTenant, kind, { row: rows.invisible, about: own })];
  if (kind.strangerFirst === true && !observations.some(accepted)) return observations;
  for (const turn of [1, 2]) {
    observations.push(await sendFirst(otherTenant, kind, { row: rows.unknown, about: unknownAbout(own, turn) }));
  }
  return first.length > 0 ? [...first, ...observations] : [...observations, await byOwner()];
}

/** The same request of another tenant about a run of its own. */
export function requestOwn(otherTenant: HostHandle, kind: Kind, own: About): Promise<RequestedObservation> {
  return sendFirst(otherTenant, kind, { row: rowsOf(kind.kind).own, about: own });
}

function unknownAbout({ runId, after }: About, turn: number): About {
  return { runId: unknownLike(runId, turn), against: unknownLike(runId, turn + 2), after };
}

interface Sent {
  readonly row: string;
  readonly about: About;
}

/** Sends the bodies in their order, as long as they are refused as malformed. */
async function sendFirst(handle: HostHandle, kind: Kind, sent: Sent): Promise<RequestedObservation> {
  const [first, ...others] = kind.bodies ?? [undefined];
  let requested = await send(handle, kind, sent, first);
  for (const body of others) {
    if (statusOf(requested) !== 400 && statusOf(requested) !== 422) break;
    requested = await send(handle, kind, sent, body);
  }
  return requested;
}

async function send(
  handle: HostHandle,
  { path, headers = () => ({}), isLog }: Kind,
  { row, about }: Sent,
  body: object | undefined,
): Promise<RequestedObservation> {
  const named = { row, name: about.runId };
  const [at, more] = [path(about), headers(about)];
  if (body !== undefined) return sendRequest(handle, at, { ...named, headers: more, body: JSON.stringify(body) });
  if (isLog !== true) return sendRequest(handle, at, { ...named, headers: more, method: 'GET' });
  const exchange = await inTurn((accept) => askForLog(handle, at, { ...more, accept }), more['accept']);
  return requestedBy(exchange, { ...named, request: '' });
}

async function askForLog(
  handle: HostHandle,
  path: string,
  headers: Readonly<Record<string, string>>,
): Promise<Exchange> {
  const request = { method: 'GET', path, headers } as const;
  const exchange = await handle.stream(request, {
    head: (_, answered) => (/^text\/event-stream\b/iu.test(answered['content-type'] ?? '') ? 'stop' : 'read'),
    text: () => 'more',
  });
  // Only whole exchanges come again after a 429.
  return exchange.kind === 'response' && exchange.status === 429 ? handle.exchange(request) : exchange;
}
