import { answeredBy } from '../../src/contract/remedy.ts';
import { member } from '../../src/contract/discovery.ts';
import type { Json, Observation } from '../../src/evidence/types.ts';
import type { Exchange, HostHandle, HostRequest } from '../../src/host/client.ts';
import { redirectedTo, withinBounds } from '../../src/host/exchanged.ts';
import { isSuccess, saysNothing } from '../../src/protocol/status.ts';
import type { Recorded } from '../../src/runner/scenario.ts';
import { shown } from './compare-runs.ts';
import { ofType, type Recordings } from './of-type.ts';

/** One request of a scenario and what came back, for answers that are judged themselves. */
export interface RequestedObservation extends Observation {
  readonly type: 'asked';
  /** The row of requests that it belongs to, such as `bad-mode`. */
  readonly row: string;
  /** What is requested, in words. */
  readonly name: string;
  /** Its method and path; absent where they are judged nowhere, and in old evidence. */
  readonly sent?: string;
  /** The body's text; empty where there was none. */
  readonly request: string;
  readonly answer: Answer;
  /** The answer's header openwop-Idempotent-Replay, null where it has none; absent without an Idempotency-Key, and in old evidence. */
  readonly idempotentReplay?: string | null;
  /** The names of the answer's headers, in order; absent where nobody compares them, and in old evidence. */
  readonly headerNames?: readonly string[];
}

/** A request as a judge sees it. */
export type Requested = Recorded<RequestedObservation>;

export type Answer =
  | {
      readonly kind: 'answer';
      readonly status: number;
      /** Where it redirects to. */
      readonly location?: string;
      readonly body: AnswerBody;
    }
  | { readonly kind: 'failure'; readonly reason: string; readonly message: string };

/** A body as JSON, or why it is none. */
type AnswerBody = { readonly json: true; readonly value: Json } | { readonly json: false; readonly why: string };

/** What is sent, and under which row and name it is recorded. */
export interface RequestOfRow extends Pick<HostRequest, 'body' | 'bytes' | 'headers' | 'anonymous'> {
  readonly row: string;
  readonly name: string;
  readonly method?: 'GET' | 'POST';
  /** Whether it is noted which headers the answer has. */
  readonly notesHeaders?: true;
}

/** Sends one request, to a path below the base URL. */
export async function sendRequest(
  handle: HostHandle,
  path: string,
  { row, name, method = 'POST', notesHeaders, ...sent }: RequestOfRow,
): Promise<RequestedObservation> {
  const exchange = await handle.exchange({ method, path, ...sent });
  const text = sent.body ?? (sent.bytes === undefined ? '' : Buffer.from(sent.bytes).toString('utf8'));
  const answered = requestedBy(exchange, { row, name, sent: `${method} ${path}`, request: text });
  const isNoted = notesHeaders === true && exchange.kind === 'response';
  const requested = isNoted ? { ...answered, headerNames: namesOf(exchange.headers) } : answered;
  if (sent.headers?.['idempotency-key'] === undefined || exchange.kind === 'failure') return requested;
  return { ...requested, idempotentReplay: exchange.headers['openwop-idempotent-replay'] ?? null };
}

/** Headers of an answer whose names are noted, and characters of a name: more than any host has. */
const MOST = 100;

function namesOf(headers: Readonly<Record<string, string>>): readonly string[] {
  const names = Object.keys(headers).map((name) => name.toLowerCase().slice(0, MOST));
  return names.toSorted().slice(0, MOST);
}

/** The same for an exchange that took place already. */
export function requestedBy(
  exchange: Exchange,
  about: Pick<RequestedObservation, 'row' | 'name' | 'sent' | 'request'>,
): RequestedObservation {
  return { type: 'asked', ...about, answer: answerOf(withinBounds(exchange)), exchanges: [exchange.id] };
}

function answerOf(exchange: Exchange): Answer {
  if (exchange.kind === 'failure') {
    return { kind: 'failure', reason: exchange.reason, message: exchange.message };
  }
  const { json } = exchange;
  const body: AnswerBody = json.ok ? { json: true, value: json.value as Json } : { json: false, why: json.message };
  const location = redirectedTo(exchange);
  return { kind: 'answer', status: exchange.status, ...(location === undefined ? {} : { location }), body };
}

/** All requests whose answers are judged themselves, in the order in which they were recorded. */
export function requestsIn(recorded: Recordings): readonly Requested[] {
  return ofType<RequestedObservation>(recorded, 'asked');
}

/** Those of a row. */
export function requestsOf(recorded: Recordings, row: string): readonly Requested[] {
  return requestsIn(recorded).filter((each) => each.row === row);
}

type Answered = Pick<RequestedObservation, 'answer'>;

/** The status of an answer; 0 where there was none. */
export function statusOf({ answer }: Answered): number {
  return answer.kind === 'answer' ? answer.status : 0;
}

/** The body of an answer; undefined where it is no JSON. */
export function bodyOf({ answer }: Answered): Json | undefined {
  return answer.kind === 'answer' && answer.body.json ? answer.body.value : undefined;
}

/** Whether an answer is a 2xx. */
export function accepted(requested: Answered): boolean {
  return isSuccess(statusOf(requested));
}

/** The id of the run that an answer names, or undefined. */
export function namedRun(requested: Answered): string | undefined {
  const runId = member(bodyOf(requested), 'runId');
  return typeof runId === 'string' && runId !== '' ? runId : undefined;
}

/** Why an answer decides nothing, or undefined where it decides. */
export function whyUndecided({
  name,
  sent,
  answer,
}: Pick<RequestedObservation, 'name' | 'sent' | 'answer'>): string | undefined {
  const what = sent === undefined ? `"${name}"` : `"${name}" (${sent})`;
  if (answer.kind === 'failure') return `${what} got no answer: ${answer.reason} (${answer.message})`;
  return saysNothing(answer.status, 'refusal') ? answeredBy(what, answer.status, answer.location) : undefined;
}

/** An answer in words. */
export function shownAnswer({ answer }: Answered): string {
  if (answer.kind === 'failure') return `no answer: ${answer.reason} (${answer.message})`;
  const { status, body } = answer;
  return body.json ? `${status} ${shown(body.value)}` : `${status}, ${body.why}`;
}
