import { hash } from 'node:crypto';
import { isTooDeep } from '../evidence/json-depth.ts';
import type { BodyRecord, EvidenceRecord, ExchangeRecord, ObservationRecord } from '../evidence/types.ts';

/** Characters of bodies that are read in all: evidence of any length is looked at in a moment. */
const MOST_CHARACTERS = 64 * 1024 * 1024;
const MAKES_RUN = /(?:\/runs|:fork)$/u;
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
 * Makes the function that says why an observation was not made of the exchanges that it names: it tells of a status that none of them has,
 * of a key or of a log that stands in none. Where one of them is not kept as it came, nobody can say so.
 */
export function createUnlike(records: readonly EvidenceRecord[]): (record: ObservationRecord) => string | undefined {
  const exchanges = new Map(records.flatMap((each) => (each.kind === 'exchange' ? [[each.id, each] as const] : [])));
  let left = MOST_CHARACTERS;
  return ({ observation }) => {
    const own = observation.exchanges.flatMap((id) => exchanges.get(id) ?? []);
    const answers = own.flatMap(({ answer }) => (answer.kind === 'response' ? [answer] : []));
    const status = statusIn(observation);
    // A run that was made before is told of with what was asked of it since.
    const isMade =
      observation.type !== 'run' ||
      own.some(({ request: { method, url } }) => method === 'POST' && MAKES_RUN.test(url));
    if (status !== undefined && isMade && own.length > 0 && answers.every((answer) => answer.status !== status)) {
      return `it says that ${status} was answered, and none of its exchanges does`;
    }
    const texts = answers.map(({ body }) => body.text);
    left -= texts.reduce((sum, text) => sum + text.length, 0);
    if (left < 0 || texts.length === 0 || !answers.every(({ body }) => isWhole(body)) || texts.some(isTooDeep))
      return undefined;
    const told = toldIn(observation);
    if (told.length === 0 || told.some((value) => value.includes(REDACTED))) return undefined;
    const shown = new Set<string>();
    for (const text of texts) for (const value of valuesIn(text)) addValues(value, shown);
    const strange = told.find((value) => !shown.has(value));
    return strange === undefined ? undefined : 'it tells of what stands in none of the exchanges that it names';
  };
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

/** What an observation holds as the host sent it, each as JSON: the members of a log's events, a key. */
function toldIn(observation: { readonly type: string }): readonly string[] {
  const answer = member(observation, 'answer');
  if (observation.type === 'key')
    return member(answer, 'kind') === 'key' ? [JSON.stringify(member(answer, 'key'))] : [];
  const events = WITH_LOGS.has(observation.type) ? member(observation, 'events') : undefined;
  return Array.isArray(events)
    ? events.flatMap((event: unknown) => Object.values(Object(event) as object).map((value) => JSON.stringify(value)))
    : [];
}

function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (Reflect.get(value, name) as unknown)
    : undefined;
}

/** The JSON of a body, or that of each event of a stream. */
function valuesIn(text: string): readonly unknown[] {
  const whole = jsonOf(text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text);
  if (whole !== undefined) return [whole];
  return text.split(/(?:\r\n|\n|\r){2,}/u).map((frame) => {
    const lines = frame.split(/\r\n|\n|\r/u).filter((line) => line.startsWith('data:'));
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
