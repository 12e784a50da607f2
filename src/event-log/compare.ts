import { createIdBijection, type IdBijection } from './bijection.ts';
import { type ComparedCall, createCallKeys } from './call-key.ts';
import type { LogEvent } from './event.ts';
import { isRecord, own } from './json-value.ts';
import type { Entry } from './look-ahead.ts';
import { renameRunId, type RunIdRename, type Difference, findDifferences, same, type Search } from './same.ts';
import type { VolatilePlaces } from './volatile.ts';

/** Compares events of two logs under the declared normalisation (readings, Fork and prefix). */
export interface Comparison {
  /** Equal in type, node and payload: what decides which events belong together. */
  equal(source: Entry, replay: Entry): boolean;
  /**
   * The places where two events that belong together differ, at most 32 in the payload; learns their ids. `areEqual` is
   * what `equal` says of them.
   */
  compare(source: Entry, replay: Entry, areEqual: boolean): readonly Difference[];
  /** Envelope members whose different values were masked, as pointers. */
  masks(): readonly string[];
  readonly ids: IdBijection;
}

const LIMIT = 32;

/** Clock fields of the envelope; payloads are never masked. */
const CLOCKS = new Set(['timestamp', 'observedAt', 'recordedAt', 'createdAt', 'appendedAt']);

/** What hosts call further clocks of their own. */
const CLOCK_NAME =
  /(?:[a-z\d]At|_at|[tT]ime|[tT]imestamp|[eE]poch|^ts)(?:_?(?:[mM]s|[mM]illis|[uU]s|[mM]icros|[nN]s|[nN]anos|[sS]|[sS]ec|[sS]econds))?$/u;
/** What hosts call members of the envelope that name another event, beside causationId. */
const EVENT_NAME = /[eE]vent_?[iI]d$/u;
/** What hosts call the logical clock of a region, or the region whose clock it is (replay.md, Phase 4 §C). */
const REGION_CLOCK = /^hlc|hlc$|clock|lamport|^region/iu;
/** An id that hosts mint anew for each event, a ULID or a UUID (replay.md, Phase 4 §C 1), alone or behind a word of its kind. */
const MINTED = /^(?:[a-z]{1,16}[-_:])?(?:[0-7][\dA-HJKMNP-TV-Z]{25}|[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12})$/iu;
/** What hosts call the trace in which an event was written (replay.md, Observability: that of a fork is another), and its place in their store. */
const WRITING = /^(?:trace|span|parentSpan)_?[iI]d$|^trace_?(?:parent|state)$|(?:[pP]osition|[oO]ffset|^lsn)$/u;
/** Seconds from the epoch to 2001; milliseconds and finer are more. */
const EPOCH = 1_000_000_000;

/** Whether a member of the envelope is a region's clock, or the reading of a clock on both sides. */
function isClock(name: string, { a, b }: Sides): boolean {
  return CLOCKS.has(name) || REGION_CLOCK.test(name) || (CLOCK_NAME.test(name) && isMoment(a) && isMoment(b));
}

function isMoment(value: unknown): boolean {
  if (typeof value === 'number') return value >= EPOCH;
  return typeof value === 'string' && (/^\d{4}-\d\d-\d\d[T ]\d\d:\d\d/iu.test(value) || Number(value) >= EPOCH);
}

/** Members that are compared by themselves, or come a second time under another name. */
const READ = new Set(['eventId', 'type', 'sequence', 'seq', 'nodeId', 'causationId', 'payload', 'data']);

/** What is known about the two logs before they are compared. */
export interface Normalisation {
  readonly sourceRunId: string | undefined;
  readonly replayRunId: string | undefined;
  readonly volatile: VolatilePlaces;
  /**
   * How sequence numbers count: `exact`, step by step, as in fixed history; with `gaps`, which are no divergence but a mask
   * (readings, Fork and prefix), as long as they go up on both sides or on neither.
   */
  readonly numbers: 'exact' | 'gaps';
  /**
   * How the keys of tool calls count: `exact` in fixed history; else a run's `own`, which are made of its id
   * (provable-semantics §4.1), stand for its source's, one for one. Whether they are right is not said here.
   */
  readonly callKeys: 'exact' | 'own';
  /**
   * The number in the source's log from which on the replay executed and wrote its events itself: what a host adds to their
   * envelopes, and to its start, is its own. Undefined where that is not known: then every event is compared as history.
   */
  readonly executedFrom?: number | undefined;
}

/** Starts comparing two logs from their beginnings. */
export function createComparison(rules: Normalisation): Comparison {
  const { sourceRunId, replayRunId, volatile, numbers, callKeys, executedFrom = Infinity } = rules;
  const ids = createIdBijection();
  const keys = callKeys === 'own' ? createCallKeys() : undefined;
  const renameRun = renameRunId(sourceRunId, replayRunId);
  // A payload may name its own event or an earlier one by an id, which is minted anew for a replay.
  let ownSource = '';
  let ownReplay = '';
  let call: ComparedCall | undefined;
  const rename: RunIdRename = (text) => {
    if (text === ownSource) return ownReplay;
    if (keys !== undefined && text === call?.source) return keys.inReplay(call);
    return ids.inReplay(text) ?? renameRun(text);
  };
  // A link to the event itself, of the envelope.
  const inEnvelope: RunIdRename = (text) => ids.inReplay(text) ?? renameRun(renameRunId(ownSource, ownReplay)(text));
  const look = ({ event: a }: Entry, { event: b }: Entry): void => {
    ownSource = a.eventId;
    ownReplay = b.eventId;
    call = keys?.look(a, b);
  };
  const masked = new Set<string>();
  const callDifferences = (): readonly Difference[] => {
    if (keys === undefined || call === undefined) return [];
    const { member, source, replay } = call;
    if (!keys.fit(call)) return [difference(`/payload/${member}`, source, replay)];
    if (source !== replay) masked.add(`payload/${member}`);
    return [];
  };
  const inPayload = volatile.get('payload');
  const isOwn = ({ event }: Entry): boolean => event.sequence >= executedFrom;
  const payloadsOf = (a: Entry, b: Entry): Payloads =>
    isOwn(a) && isStart(b.event)
      ? withoutOrigin(a.event.payload, b.event.payload, sourceRunId)
      : [a.event.payload, b.event.payload];
  const equal = (a: Entry, b: Entry): boolean => {
    if (a.event.type !== b.event.type || a.event.nodeId !== b.event.nodeId) return false;
    look(a, b);
    const [ours, theirs] = payloadsOf(a, b);
    return same(ours, theirs, rename, inPayload);
  };
  return {
    ids,
    equal,
    masks: () => [...masked].map((name) => `/${name}`),
    compare: (a, b, areEqual) => {
      look(a, b);
      const eventIds = ids.bind(a.event.eventId, b.event.eventId);
      const keyOfCall = areEqual ? callDifferences() : [];
      const causes = sameCause(a, b, ids);
      const envelopes = { rename: inEnvelope, volatile, masked, ids, isOwn: isOwn(a) };
      const envelope = envelopeDifferences(a.event, b.event, envelopes);
      const steps = sameStep(a, b, numbers);
      if (steps === 'masked') masked.add('sequence');
      if (eventIds && causes && steps !== false && envelope.length + keyOfCall.length === 0 && areEqual) return [];
      return [
        ...differing('/type', a.event.type, b.event.type),
        ...differing('/nodeId', a.event.nodeId, b.event.nodeId),
        ...payloadDifferences(payloadsOf(a, b), { rename, places: inPayload }),
        ...keyOfCall,
        ...envelope,
        ...(causes ? [] : [difference('/causationId', a.cause, b.cause)]),
        ...(eventIds ? [] : [difference('/eventId', a.event.eventId, b.event.eventId)]),
        ...(steps !== false ? [] : [difference('/sequence', a.event.sequence, b.event.sequence)]),
      ];
    },
  };
}

/** Whether the numbers go on alike; `masked` where only the width of a gap differs. */
function sameStep(a: Entry, b: Entry, numbers: Normalisation['numbers']): boolean | 'masked' {
  if (a.step === b.step || a.step === undefined || b.step === undefined) return true;
  return numbers === 'gaps' && a.step > 0 === b.step > 0 ? 'masked' : false;
}

function sameCause(source: Entry, replay: Entry, ids: IdBijection): boolean {
  if (source.cause === undefined || replay.cause === undefined) return source.cause === replay.cause;
  return ids.bindCauses(source.cause, replay.cause);
}

function differing(pointer: string, source: string | undefined, replay: string | undefined): readonly Difference[] {
  return source === replay ? [] : [difference(pointer, source, replay)];
}

function difference(pointer: string, source: unknown, replay: unknown): Difference {
  return {
    pointer,
    ...(source === undefined ? {} : { source }),
    ...(replay === undefined ? {} : { replay }),
  };
}

interface PayloadRules {
  readonly rename: RunIdRename;
  readonly places: VolatilePlaces | true | undefined;
}

type Payloads = readonly [source: unknown, replay: unknown];

function isStart({ type, nodeId }: LogEvent): boolean {
  return type === 'run.started' && nodeId === undefined;
}

/**
 * The payloads of two starts without what the replay says of its own making: members that its source's lacks, and those that
 * name the source (readings: the event at fromSeq is advisory).
 */
function withoutOrigin(source: unknown, replay: unknown, sourceRunId: string | undefined): Payloads {
  if (!isRecord(source) || !isRecord(replay)) return [source, replay];
  const isOrigin = (name: string): boolean =>
    !Object.hasOwn(source, name) ||
    (Object.hasOwn(replay, name) && sourceRunId !== undefined && JSON.stringify(replay[name]).includes(sourceRunId));
  const plain = (payload: Readonly<Record<string, unknown>>) =>
    Object.fromEntries(Object.entries(payload).filter(([name]) => !isOrigin(name)));
  return [plain(source), plain(replay)];
}

function payloadDifferences([source, replay]: Payloads, { rename, places }: PayloadRules): readonly Difference[] {
  const search = { rename, found: [], limit: LIMIT };
  findDifferences(source, replay, { pointer: '/payload', places }, search);
  return search.found;
}

interface EnvelopeRules {
  readonly rename: RunIdRename;
  readonly volatile: VolatilePlaces;
  /** Receives the names of the members that were masked. */
  readonly masked: Set<string>;
  readonly ids: IdBijection;
  /** Whether the replay executed and wrote its event itself. */
  readonly isOwn: boolean;
}

function envelopeDifferences(source: LogEvent, replay: LogEvent, rules: EnvelopeRules): readonly Difference[] {
  const search = { rename: rules.rename, found: [], limit: LIMIT };
  const [of, by] = [source.raw, replay.raw];
  let surplus = 0;
  for (const _ in by) surplus += 1;
  // A parsed value inherits nothing that is enumerated, and nothing that equals one.
  for (const name in of) {
    const a = of[name];
    if (a === by[name]) {
      surplus -= 1;
      continue;
    }
    const b = own(by, name);
    if (b !== undefined) surplus -= 1;
    if (!READ.has(name)) addDifferences(name, { a, b }, rules, search);
  }
  if (surplus === 0) return search.found;
  for (const name in by) {
    if (!READ.has(name) && !Object.hasOwn(of, name)) addDifferences(name, { a: undefined, b: by[name] }, rules, search);
  }
  return search.found;
}

interface Sides {
  readonly a: unknown;
  readonly b: unknown;
}

/** What a member of the envelope differs in that is the same on neither side; one that is null is as good as absent. */
function addDifferences(name: string, sides: Sides, rules: EnvelopeRules, search: Search): void {
  const [a, b] = [sides.a ?? undefined, sides.b ?? undefined];
  if (a === b) return;
  const isMasked = name === 'runId' || rules.isOwn || isClock(name, { a, b }) || isOfWriting(name, { a, b });
  if (!isMasked && namesEvent(name, { a, b }, rules.ids)) return;
  if (isMasked || areMinted({ a, b }, rules.ids)) {
    rules.masked.add(name);
    return;
  }
  const pointer = `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
  const places = rules.volatile.get(name);
  if (a !== undefined && b !== undefined) findDifferences(a, b, { pointer, places }, search);
  else if (places !== true) search.found.push(difference(pointer, a, b));
}

/** Whether a member says on both sides how its event was written, not what it is. */
function isOfWriting(name: string, { a, b }: Sides): boolean {
  return WRITING.test(name) && typeof a === typeof b && (typeof a === 'string' || typeof a === 'number');
}

/** Whether two ids were minted for the same thing, one in each log: an event, where they are known as such. */
function areMinted({ a, b }: Sides, ids: IdBijection): boolean {
  return typeof a === 'string' && typeof b === 'string' && MINTED.test(a) && MINTED.test(b) && ids.bindCauses(a, b);
}

/** Whether a member names the same event on both sides, one that was compared or one that both logs name alike. */
function namesEvent(name: string, { a, b }: Sides, ids: IdBijection): boolean {
  return EVENT_NAME.test(name) && typeof a === 'string' && typeof b === 'string' && ids.bindCauses(a, b);
}
