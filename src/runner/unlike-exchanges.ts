import { hash } from 'node:crypto';
import { member } from '../contract/discovery.ts';
import { isTooDeep } from '../evidence/json-depth.ts';
import type { BodyRecord, EvidenceRecord, ExchangeRecord, ObservationRecord } from '../evidence/types.ts';

/** Characters of bodies that are read in all: evidence of any length is looked at in a moment. */
const MOST_CHARACTERS = 64 * 1024 * 1024;
const MAKES_RUN = /(?:\/runs|:fork)$/u;
/** What an exchange counts for beside its body. */
const EACH = 100;
const OF_RUN = /\/runs\/([^/:?]+)/u;
const REDACTED = '[redacted]';
const BYTE_ORDER_MARK = '\ufeff';

/** Why an exchange is not as it was recorded: a body that is kept whole has the length and the digest that stand beside it. */
export function editedBody({ request, answer }: ExchangeRecord): string | undefined {
  if (isEdited(request.body)) return "the request's body is not the one whose length and digest stand beside it";
  if (answer.kind !== 'response' || !isEdited(answer.body)) return undefined;
  return "the answer's body is not the one whose length and digest stand beside it";
}

function isEdited(body: BodyRecord | undefined): boolean {
  return body !== undefined && isWhole(body) && !isDigested(body);
}

/** Whether a body is kept as it came: not cut, nothing of it taken out, and of characters alone. */
function isWhole({ text, truncated }: BodyRecord): boolean {
  return !truncated && !text.includes(REDACTED) && !text.includes('\ufffd');
}

function isDigested({ text, bytes, sha256 }: BodyRecord): boolean {
  return Buffer.byteLength(text) === bytes && hash('sha256', text, 'hex') === sha256;
}

/**
 * Makes the function that says why an observation cannot come from its exchanges: it has a status or a key that none of them has, or events
 * that no exchange about its run has. Undefined where it can, and where an exchange was not kept whole.
 */
export function createUnlike(records: readonly EvidenceRecord[]): (record: ObservationRecord) => string | undefined {
  const exchanges = new Map(records.flatMap((each) => (each.kind === 'exchange' ? [[each.id, each] as const] : [])));
  const byRun = new Map<string, ExchangeRecord[]>();
  for (const each of exchanges.values()) {
    const run = OF_RUN.exec(each.request.url)?.[1];
    if (run === undefined) continue;
    const others = byRun.get(run);
    if (others === undefined) byRun.set(run, [each]);
    else others.push(each);
  }
  let left = MOST_CHARACTERS;
  const stands = (reported: readonly string[], among: readonly ExchangeRecord[]): boolean => {
    const texts = among.map(wholeText);
    left -= texts.reduce((sum, text) => sum + EACH + (text?.length ?? 0), 0);
    if (left < 0 || reported.some((value) => value.includes(REDACTED))) return true;
    const shown = new Set<string>();
    for (const text of texts) {
      if (text === undefined) return true;
      for (const value of valuesIn(text)) addValues(value, shown);
    }
    return reported.every((value) => shown.has(value));
  };
  return ({ observation }) => {
    const own = observation.exchanges.flatMap((id) => exchanges.get(id) ?? []);
    if (own.length === 0 || left < 0) return undefined;
    const status = statusIn(observation);
    // A run that was made before is told of with what was asked of it since.
    const isMade =
      observation.type !== 'run' ||
      own.some(({ request: { method, url } }) => method === 'POST' && MAKES_RUN.test(url));
    if (
      status !== undefined &&
      isMade &&
      own.every(({ answer }) => answer.kind === 'response' && answer.status !== status)
    ) {
      return `it says that ${status} was answered, and none of its exchanges does`;
    }
    const key = keyIn(observation);
    if (key !== undefined)
      return stands([key], own) ? undefined : 'it tells of a key that stands in none of its exchanges';
    const runId = member(observation, 'runId');
    const recorded = eventsIn(observation);
    if (typeof runId !== 'string' || recorded.length === 0) return undefined;
    const about = new Set([...own, ...(byRun.get(encodeURIComponent(runId.toWellFormed())) ?? [])]);
    // Who names no reading of the log has it from elsewhere.
    const isRead = [...about].some(({ request }) => request.url.includes('/events'));
    return !isRead || stands(recorded, [...about])
      ? undefined
      : 'it tells of events that stand in no exchange about its run';
  };
}

/** The text of an answer that is kept as it came, and can be read; undefined where it is not. */
function wholeText({ answer }: ExchangeRecord): string | undefined {
  if (answer.kind !== 'response' || !isWhole(answer.body) || isTooDeep(answer.body.text)) return undefined;
  return answer.body.text;
}

/** Observations that say with which status their exchange was answered. */
const WITH_STATUS = new Set([
  'access',
  'answer',
  'asked',
  'cancel',
  'confirmation',
  'discovery',
  'events-url',
  'key',
  'run',
  'seam',
  'stream-mode',
]);
/** Those of them whose `answer` is what was read of one: that of others is the host's own. */
const WITH_ANSWERS = new Set(['asked', 'discovery', 'key']);

function statusIn(observation: { readonly type: string }): number | undefined {
  const { type } = observation;
  if (!WITH_STATUS.has(type)) return undefined;
  const read = WITH_ANSWERS.has(type) ? member(member(observation, 'answer'), 'status') : undefined;
  return [member(observation, 'answered'), member(observation, 'status'), read].find(
    (each) => typeof each === 'number',
  );
}

/** Observations that hold a log as it was sent. */
const WITH_LOGS = new Set(['run', 'child', 'held', 'debug-stream']);

/** A key as JSON. */
function keyIn(observation: { readonly type: string }): string | undefined {
  const answer = observation.type === 'key' ? member(observation, 'answer') : undefined;
  return member(answer, 'kind') === 'key' ? JSON.stringify(member(answer, 'key')) : undefined;
}

/** What the members of a log's events are, each as JSON. */
function eventsIn(observation: { readonly type: string }): readonly string[] {
  const events = WITH_LOGS.has(observation.type) ? member(observation, 'events') : undefined;
  return Array.isArray(events)
    ? events.flatMap((event: unknown) => Object.values(Object(event) as object).map((value) => JSON.stringify(value)))
    : [];
}

/** The JSON of a body, or that of each event of a stream. */
function valuesIn(text: string): readonly unknown[] {
  const whole = jsonOf(text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text);
  if (whole !== undefined) return [whole];
  const frames = text.replaceAll(/\r\n?/gu, '\n').split('\n\n');
  return frames.map((frame) => {
    const lines = frame.split('\n').filter((line) => line.startsWith('data:'));
    return jsonOf(lines.map((line) => line.slice('data:'.length)).join('\n'));
  });
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function addValues(value: unknown, shown: Set<string>): void {
  if (value === undefined) return;
  shown.add(JSON.stringify(value));
  if (typeof value === 'object' && value !== null) for (const each of Object.values(value)) addValues(each, shown);
}
