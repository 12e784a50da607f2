import { member } from '../../src/contract/discovery.ts';
import type { Json, Observation } from '../../src/evidence/types.ts';
import type { Exchange, HostHandle, HostRequest } from '../../src/host/client.ts';
import { isSuccess, saysNothing } from '../../src/protocol/status.ts';
import type { Recorded } from '../../src/runner/scenario.ts';
import { shown } from './compare-runs.ts';

/** One request of a scenario and what came back, for answers that are judged themselves. */
export interface AskedObservation extends Observation {
  readonly type: 'asked';
  /** The row of requests that it belongs to, such as `bad-mode`. */
  readonly row: string;
  /** What is asked, in words. */
  readonly name: string;
  /** The body's text; empty where there was none. */
  readonly request: string;
  readonly answer: AskedAnswer;
}

export type AskedAnswer =
  | { readonly kind: 'answer'; readonly status: number; readonly body: AnswerBody }
  | { readonly kind: 'failure'; readonly reason: string; readonly message: string };

/** A body as JSON, or why it is none. */
type AnswerBody = { readonly json: true; readonly value: Json } | { readonly json: false; readonly why: string };

export interface Asking extends Pick<HostRequest, 'body' | 'bytes' | 'headers' | 'anonymous'> {
  readonly row: string;
  readonly name: string;
  readonly method?: 'GET' | 'POST';
}

/** Sends one request, to a path below the base URL. */
export async function ask(handle: HostHandle, path: string, asking: Asking): Promise<AskedObservation> {
  const { row, name, method = 'POST', ...request } = asking;
  const exchange = await handle.exchange({ method, path, ...request });
  const text = request.body ?? (request.bytes === undefined ? '' : Buffer.from(request.bytes).toString('utf8'));
  return askedBy(exchange, { row, name, request: text });
}

/** The same for an exchange that took place already. */
export function askedBy(
  exchange: Exchange,
  about: Pick<AskedObservation, 'row' | 'name' | 'request'>,
): AskedObservation {
  return { type: 'asked', ...about, answer: answerOf(exchange), exchanges: [exchange.id] };
}

function answerOf(exchange: Exchange): AskedAnswer {
  if (exchange.kind === 'failure') {
    return { kind: 'failure', reason: exchange.reason, message: exchange.message };
  }
  const { json } = exchange;
  const body: AnswerBody = json.ok ? { json: true, value: json.value as Json } : { json: false, why: json.message };
  return { kind: 'answer', status: exchange.status, body };
}

type Recordings = readonly Recorded<Observation>[];

/** The requests of a row, in the order in which they were recorded. */
export function askedIn(observations: Recordings, row: string): readonly Recorded<AskedObservation>[] {
  return observations.filter((each): each is Recorded<AskedObservation> => isAsked(each) && each.row === row);
}

/** All requests whose answers are judged themselves. */
export function allAsked(observations: Recordings): readonly Recorded<AskedObservation>[] {
  return observations.filter(isAsked);
}

function isAsked(observation: Recorded<Observation>): observation is Recorded<AskedObservation> {
  return observation.type === 'asked';
}

/** Whether an answer is a 2xx. */
export function accepted({ answer }: Pick<AskedObservation, 'answer'>): boolean {
  return answer.kind === 'answer' && isSuccess(answer.status);
}

/** The id of the run that an answer names, or undefined. */
export function namedRun({ answer }: Pick<AskedObservation, 'answer'>): string | undefined {
  const runId = answer.kind === 'answer' && answer.body.json ? member(answer.body.value, 'runId') : undefined;
  return typeof runId === 'string' && runId !== '' ? runId : undefined;
}

/** Why an answer decides nothing, or undefined where it decides. */
export function undecided({ name, answer }: Pick<AskedObservation, 'name' | 'answer'>): string | undefined {
  if (answer.kind === 'failure') return `"${name}" got no answer: ${answer.reason} (${answer.message})`;
  return saysNothing(answer.status, 'refusal') ? `"${name}" was answered with ${answer.status}` : undefined;
}

/** An answer in words. */
export function shownAnswer({ answer }: Pick<AskedObservation, 'answer'>): string {
  if (answer.kind === 'failure') return `no answer: ${answer.reason}`;
  const { status, body } = answer;
  return body.json ? `${status} ${shown(body.value)}` : `${status}, ${body.why}`;
}
