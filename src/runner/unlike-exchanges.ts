import { hash } from 'node:crypto';
import { member } from '../contract/discovery.ts';
import { parseExactly } from '../evidence/exact-json.ts';
import { excessOf } from '../evidence/json-depth.ts';
import { MARK } from '../evidence/redact.ts';
import type { BodyRecord, EvidenceRecord, ExchangeRecord, Observation, ObservationRecord } from '../evidence/types.ts';
import { isEventStream } from '../host/request.ts';
import { isReduced, readRunEvent } from '../host/run-event.ts';
import { endsRun, isEnded } from '../protocol/run-status.ts';
import { type Claim, createClaims } from './sent-values.ts';
import { digestOf, type Digests, holds, inOrder } from './value-digest.ts';

/** Values that are looked up in all, among exchanges that are no run's: no run records nearly so many. */
const MOST_LOOK_UPS = 300_000_000;
const MAKES_RUN = /(?:\/runs|:fork)$/u;
const OF_RUN = /\/runs\/([^/:?]+)/u;
const SHOWS_RUN = /\/runs\/[^/:?]+(?:\?|$)/u;
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
  return !truncated && !text.includes(MARK) && !text.includes('\ufffd');
}

function isDigested({ text, bytes, sha256 }: BodyRecord): boolean {
  return Buffer.byteLength(text) === bytes && hash('sha256', text, 'hex') === sha256;
}

/** What a few exchanges show. */
interface Shown {
  readonly values: Digests;
  /** Something of it was not kept. */
  readonly isCut: boolean;
  /** It holds a reading of a log. */
  readonly isRead: boolean;
  /** It is one, of whole events, that shows the run's end. */
  readonly isEnd: boolean;
}

const NOTHING: Shown = { values: inOrder([]), isCut: false, isRead: false, isEnd: false };

/**
 * Makes the function that says why an observation cannot come from its exchanges: it names one twice, has a status that none of them has,
 * lacks the end that they show, or holds what none of them shows, those about its run included where it comes from a log. Undefined where it can, and where an exchange
 * was not kept whole.
 */
export function createUnlike(records: readonly EvidenceRecord[]): (record: ObservationRecord) => string | undefined {
  const exchanges = new Map(records.flatMap((each) => (each.kind === 'exchange' ? [[each.id, each] as const] : [])));
  const shownBy = once(shownIn);
  const byRun: Readonly<Record<Claim['from'], ReadonlyMap<string, readonly ExchangeRecord[]>>> = {
    'its own': new Map(),
    'its log': byKey(exchanges.values(), runOf),
    'its snapshots': byKey([...exchanges.values()].filter(isSnapshot), runOf),
    'its making': byKey([...exchanges.values()].filter(makesRun), madeIn),
  };
  const shownOf = once((about: readonly ExchangeRecord[]) => together(about.map(shownBy)));
  const claimsOf = createClaims((value) => JSON.stringify(value).includes(MARK));
  let left = MOST_LOOK_UPS;
  const aboutRun = (from: Claim['from'], observation: Observation): readonly (readonly ExchangeRecord[])[] => {
    const runId = member(observation, 'runId');
    // An answer may be told of that made another run of its kind.
    const ids = from === 'its making' ? [runId, member(member(observation, 'answer'), 'runId')] : [runId];
    return [...new Set(ids)].flatMap((id) => (typeof id === 'string' ? [byRun[from].get(segmentOf(id)) ?? []] : []));
  };
  const unshown = (claim: Claim, own: readonly ExchangeRecord[], observation: Observation): string | undefined => {
    const others = aboutRun(claim.from, observation).filter(({ length }) => length > 0);
    const shown = [...others.map(shownOf), ...own.filter(MAY_SHOW[claim.from]).map(shownBy)];
    // Who names no reading of the log has it from elsewhere, and so has who names no snapshot, or nothing that made the run.
    const isElsewhere = claim.from === 'its log' ? !shown.some(({ isRead }) => isRead) : shown.length === 0;
    if (isElsewhere || shown.some(({ isCut }) => isCut)) return undefined;
    for (const value of claim.values) {
      left -= shown.length;
      if (left < 0) return 'it holds more than can be compared with that many exchanges';
      if (!shown.some(({ values }) => holds(values, value))) return strange(claim);
    }
    return undefined;
  };
  /** Those whose status an observation may tell of. A run that was made before is told of with what was asked of it since. */
  const makers = (observation: Observation, own: readonly ExchangeRecord[]): readonly ExchangeRecord[] => {
    if (observation.type !== 'run') return own;
    const named = own.filter(makesRun);
    return named.length > 0 ? named : aboutRun('its making', observation).flat();
  };
  return ({ observation }) => {
    const { exchanges: ids } = observation;
    const twice = repeated(ids);
    if (twice !== undefined) return `it names ${twice} twice`;
    const own = ids.flatMap((id) => exchanges.get(id) ?? []);
    if (own.length === 0) return undefined;
    if (lacksEnd(observation) && firstRead(observation, own).some((each) => shownBy(each).isEnd))
      return 'its log has no end, and the first reading of it shows one';
    const status = unanswered(observation, makers(observation, own));
    if (status !== undefined) return `it says that ${status} was answered, and none of its exchanges does`;
    return claimsOf(observation)
      .map((claim) => unshown(claim, own, observation))
      .find((problem) => problem !== undefined);
  };
}

/** Whether a run that has ended by its snapshot was seen as far as was wanted, and not to the end of its log. */
function lacksEnd(observation: Observation): boolean {
  const status = member(member(observation, 'snapshot'), 'status');
  if (observation.type !== 'run' || member(observation, 'problem') !== null || !isEnded(status)) return false;
  const events = member(observation, 'events');
  return Array.isArray(events) && !events.some((each) => endsRun({ type: String(member(each, 'type')) }));
}

/** The first readings of a run's log before its snapshot: up to the first stream. What that shows was kept, and where there is none, what a list shows. */
function firstRead(observation: Observation, own: readonly ExchangeRecord[]): readonly ExchangeRecord[] {
  const runId = segmentOf(String(member(observation, 'runId')));
  const before = own
    .slice(0, Math.max(0, own.findIndex(isSnapshot)))
    .filter((each) => runOf(each) === runId && isAnsweredLog(each));
  const stream = before.findIndex(isStream);
  return stream === -1 ? before : before.slice(0, stream + 1);
}

function isAnsweredLog({ request, answer }: ExchangeRecord): boolean {
  return request.url.includes('/events') && answer.kind === 'response' && answer.status === 200;
}

function isStream({ answer }: ExchangeRecord): boolean {
  return answer.kind === 'response' && isEventStream(answer.headers);
}

function repeated(ids: readonly string[]): string | undefined {
  const before = new Set<string>();
  return ids.find((id) => before.has(id) || !before.add(id));
}

function strange({ path, from }: Claim): string {
  if (from === 'its log') return 'it tells of events that stand in no exchange about its run';
  return path === 'answer/key'
    ? 'it tells of a key that stands in none of its exchanges'
    : `its ${path} is not as an exchange shows it`;
}

/** The same, worked out once for each. */
function once<K extends object, V>(make: (key: K) => V): (key: K) => V {
  const known = new WeakMap<K, { readonly value: V }>();
  return (key) => {
    const found = known.get(key) ?? { value: make(key) };
    known.set(key, found);
    return found.value;
  };
}

function byKey(
  exchanges: Iterable<ExchangeRecord>,
  keyOf: (exchange: ExchangeRecord) => string | undefined,
): ReadonlyMap<string, readonly ExchangeRecord[]> {
  const found = new Map<string, ExchangeRecord[]>();
  for (const each of exchanges) {
    const key = keyOf(each);
    if (key === undefined) continue;
    const others = found.get(key);
    if (others === undefined) found.set(key, [each]);
    else others.push(each);
  }
  return found;
}

/** A run's id as it stands in a URL. */
function segmentOf(runId: string): string {
  return encodeURIComponent(runId.toWellFormed());
}

function runOf({ request }: ExchangeRecord): string | undefined {
  return OF_RUN.exec(request.url)?.[1];
}

/** The run that an answer says was made. */
function madeIn(exchange: ExchangeRecord): string | undefined {
  const runId = member(valuesIn(wholeText(exchange) ?? '')[0], 'runId');
  return typeof runId === 'string' ? segmentOf(runId) : undefined;
}

function isSnapshot({ request: { method, url } }: ExchangeRecord): boolean {
  return method === 'GET' && SHOWS_RUN.test(url);
}

function makesRun({ request: { method, url } }: ExchangeRecord): boolean {
  return method === 'POST' && MAKES_RUN.test(url);
}

/** Which of the exchanges that an observation names may show what it tells of. */
const MAY_SHOW: Readonly<Record<Claim['from'], (exchange: ExchangeRecord) => boolean>> = {
  'its own': () => true,
  'its log': () => true,
  'its snapshots': isSnapshot,
  'its making': makesRun,
};

function shownIn(exchange: ExchangeRecord): Shown {
  const isRead = exchange.request.url.includes('/events');
  const text = wholeText(exchange);
  if (text === undefined) return { ...NOTHING, isCut: true, isRead };
  const values = new Set<number>();
  const sent = valuesIn(text);
  for (const value of sent) if (value !== undefined) digestOf(value, (digest) => values.add(digest));
  return { values: inOrder(values), isCut: false, isRead, isEnd: isRead && showsEnd(sent, isStream(exchange)) };
}

/** Whether a reading shows a run's end, and nothing but whole events. */
function showsEnd(values: readonly unknown[], inStream: boolean): boolean {
  const list = inStream ? values.filter((each) => typeof each === 'object') : listIn(values[0]);
  const events = list.map((each) => (inStream && isReduced(each) ? undefined : readRunEvent(each)));
  return !events.includes(undefined) && events.some((event) => event !== undefined && endsRun(event));
}

function listIn(value: unknown): readonly unknown[] {
  const list = Array.isArray(value) ? value : member(value, 'events');
  return Array.isArray(list) ? list : [];
}

function together(shown: readonly Shown[]): Shown {
  const values = new Float64Array(shown.reduce((sum, each) => sum + each.values.length, 0));
  let at = 0;
  for (const each of shown) {
    values.set(each.values, at);
    at += each.values.length;
  }
  return {
    values: values.toSorted(),
    isCut: shown.some(({ isCut }) => isCut),
    isRead: shown.some(({ isRead }) => isRead),
    isEnd: shown.some(({ isEnd }) => isEnd),
  };
}

/** The text of an answer that is kept as it came, and can be read; undefined where it is not. */
function wholeText({ answer }: ExchangeRecord): string | undefined {
  if (answer.kind !== 'response' || !isWhole(answer.body) || excessOf(answer.body.text) !== undefined) return undefined;
  return answer.body.text;
}

/** Observations that say with which status their exchange was answered. */
const WITH_STATUS = new Set([
  'access',
  'answer',
  'asked',
  'cancel',
  'child',
  'confirmation',
  'debug-stream',
  'discovery',
  'events-url',
  'key',
  'run',
  'seam',
  'stream-mode',
  'tenant-run',
  'timeline-page',
]);
/** Those of them whose `answer` is what was read of one: that of others is the host's own. */
const WITH_ANSWERS = new Set(['asked', 'discovery', 'key']);

/** A status that an observation tells of and no exchange has, where all of them were answered. */
function unanswered(observation: Observation, exchanges: readonly ExchangeRecord[]): number | undefined {
  if (exchanges.some(({ answer }) => answer.kind !== 'response')) return undefined;
  const answered = new Set(exchanges.map(({ answer }) => (answer.kind === 'response' ? answer.status : 0)));
  return answered.size === 0 ? undefined : statusesIn(observation).find((status) => !answered.has(status));
}

function statusesIn(observation: { readonly type: string }): readonly number[] {
  const { type } = observation;
  if (type === 'heard') {
    const answers = member(observation, 'answers');
    return Array.isArray(answers) ? answers.map((each) => member(each, 'status')).filter(isNumber) : [];
  }
  if (!WITH_STATUS.has(type)) return [];
  const read = WITH_ANSWERS.has(type) ? member(member(observation, 'answer'), 'status') : undefined;
  return [member(observation, 'answered'), member(observation, 'status'), read].filter(isNumber).slice(0, 1);
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number';
}

/** The JSON of a body, or that of each event of a stream and its name. */
function valuesIn(text: string): readonly unknown[] {
  const whole = jsonOf(text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text);
  if (whole !== undefined) return [whole];
  const frames = text.replaceAll(/\r\n?/gu, '\n').split('\n\n');
  return frames.flatMap((frame) => {
    const lines = frame.split('\n');
    const [data, names] = ['data:', 'event:'].map((field) =>
      lines.filter((line) => line.startsWith(field)).map((line) => line.slice(field.length)),
    );
    return [jsonOf((data ?? []).join('\n')), ...(names ?? []).map((name) => name.replace(' ', ''))];
  });
}

function jsonOf(text: string): unknown {
  try {
    return parseExactly(text);
  } catch {
    return undefined;
  }
}
