import { isDeepStrictEqual } from 'node:util';
import type { HostParts } from '../parts.ts';
import type { Decision, Found, LedgerState } from '../policies/decide.ts';
import type { DeclaredCall } from '../policies/ledger.ts';
import { mayBeAlive } from '../region.ts';
import type { Failpoints } from '../store/failpoints.ts';
import type { LedgerPlace, LedgerRecord, Owner } from '../store/ledger.ts';
import type { Observation } from '../store/observations.ts';
import type { RunRecord } from '../store/runs.ts';
import type { Store } from '../store/store.ts';
import type { Invocation, KeptAnswer } from '../types/world.ts';
import { inStream, type InStream, type NamedCall } from './call-events.ts';
import type { Plants } from './plants.ts';
import type { LedgerDiary, Worker } from './worker.ts';

/** What the tool calls of one host share. */
export interface LedgerParts {
  readonly parts: HostParts;
  readonly store: Store;
  readonly failpoints: Failpoints;
  readonly diary: LedgerDiary;
  readonly plants: Plants;
  /**
   * Names this process. Leases of another one are void, because a region of the data file has one host at a time; those of
   * another region are valid until they run out.
   */
  readonly hostId: string;
  /** How long a record in flight is its worker's without a sign of life, in milliseconds; signs come four times as often. */
  readonly leaseMs: number;
}

/** A tool call that a worker has come to. */
export interface CallPlace {
  readonly shared: LedgerParts;
  readonly run: RunRecord;
  readonly worker: Worker;
  readonly invocation: Invocation;
  readonly place: LedgerPlace;
  /** The name of the call's record in the effect store. */
  readonly cacheKey: string;
  /** Whether a start in the log of the run, or of one that it was forked from, declares the call. */
  readonly isDeclaredBy: (start: DeclaredCall) => boolean;
  /** The record of the call: the run's own, or that of the run that it was forked from. */
  readonly recall: () => Observation | undefined;
  /** Where the run that this one was forked from has declared the call, if it has. */
  readonly declared: () => Declared | undefined;
}

/** A call in the log of another run. */
export interface Declared {
  readonly runId: string;
  readonly stream: InStream;
}

/** Everything that is known about a call at one moment. */
export interface Sight {
  readonly found: Found;
  readonly stream: InStream;
  readonly record: LedgerRecord | undefined;
  readonly recorded: Observation | undefined;
  readonly declared: Declared | undefined;
}

/** Looks at the stream, the ledger and the effect store. */
export function look(at: CallPlace): Sight {
  const { shared, run, invocation, worker, place } = at;
  const { ledger } = shared.store;
  const stream = inStream(shared.store.events.read(run.runId), invocation.nodeId, at.isDeclaredBy);
  const recorded = at.recall();
  // Other runs' logs are read only where nothing is on record.
  const declared = recorded === undefined ? at.declared() : undefined;
  const seen = { stream, recorded, declared, record: ledger.get(place) };
  if (!counts(at, seen)) return { ...seen, found: { stream: 'none', ledger: 'NEW', ...NOTHING } };
  const state = (record: LedgerRecord | undefined): LedgerState => stateOf(at, record);
  // A loss is on record, so that it is the same for ever; it is no result, and what the stream holds goes before it.
  const lost = isLoss(recorded) && stream.answer === undefined;
  if (lost) return { ...seen, found: { stream: 'started', ledger: 'RECOVERABLE', ...NOTHING } };
  if (declared?.stream.state === 'started') {
    // The source has declared the call and does not know its answer: neither does its replay, which must not ask for it.
    const theirs = { runId: declared.runId, key: declared.stream.call?.idempotencyKey ?? '' };
    return { ...seen, found: { stream: 'started', ledger: state(ledger.get(theirs)), ...NOTHING } };
  }
  const own = isOwn(at, seen);
  const begun = worker.begun.has(place.key);
  const found = { stream: stream.state, ledger: state(seen.record), effect: recorded !== undefined, own, begun };
  return { ...seen, found };
}

const NOTHING = { effect: false, own: false, begun: false } as const;

/** Whether what is recorded, where anything is, counts as a result. */
function counts({ shared }: CallPlace, { stream, record, recorded }: Omit<Sight, 'found'>): boolean {
  const answer = stream.answer ?? committedAnswer(record) ?? (recorded?.value as KeptAnswer | undefined);
  return answer === undefined || shared.parts.ledger.isResult(answer);
}

/** Whether it is on record that nobody can know the call's result. */
export function isLoss(recorded: Observation | undefined): boolean {
  return (recorded?.value as KeptAnswer | undefined)?.kind === 'lost';
}

/** A record that another worker has declared the call under, before it was taken from it, is not the asking worker's. */
function isOwn(
  { shared, worker }: CallPlace,
  { record, stream }: { readonly record: LedgerRecord | undefined; readonly stream: InStream },
): boolean {
  if (record?.state !== 'INFLIGHT' || record.host !== shared.hostId) return false;
  const attempt = worker.attempt();
  return record.attempt === attempt && (stream.call === undefined || stream.call.attempt === attempt);
}

function stateOf(at: CallPlace, record: LedgerRecord | undefined): LedgerState {
  if (record === undefined) return 'NEW';
  if (record.state === 'COMMITTED') return 'COMMITTED';
  const isLive = mayBeAlive(at.shared.hostId, record.host) && record.leaseUntil > Date.now();
  return isLive ? 'INFLIGHT' : 'RECOVERABLE';
}

function committedAnswer(record: LedgerRecord | undefined): KeptAnswer | undefined {
  return record?.result === undefined ? undefined : (JSON.parse(record.result) as KeptAnswer);
}

/** The worker as the ledger knows it. */
export function ownerOf({ shared, worker }: CallPlace): Owner {
  return { host: shared.hostId, attempt: worker.attempt() };
}

/**
 * The recorded result from where the decision takes it. Where the effect store holds another one than the stream, the
 * stream's is the result (provable-semantics §1).
 */
export function resultFrom(from: (Decision & { kind: 'ReturnRecordedResult' })['from'], sight: Sight): KeptAnswer {
  const recorded = sight.recorded?.value as KeptAnswer | undefined;
  const found = { stream: sight.stream.answer, ledger: committedAnswer(sight.record), effect: recorded }[from];
  if (found === undefined) throw new Error(`the ${from} holds no result`);
  return found;
}

/** The call as its events name it: as it was named first, which may be in the run that this one was forked from. */
export function namedCall({ invocation, place, worker }: CallPlace, sight: Omit<Sight, 'found'>): NamedCall {
  const { nodeId, tool, args } = invocation;
  const { recorded, stream, declared } = sight;
  const named =
    recorded?.call ?? stream.call ?? (declared?.stream.state === 'started' ? declared.stream.call : undefined);
  return { nodeId, tool, args, ...(named ?? { idempotencyKey: place.key, attempt: worker.attempt() }) };
}

/** The events that an answer leads to: the recorded ones where they are of the same answer. */
export function effectsOf(
  { invocation }: CallPlace,
  answer: KeptAnswer,
  recorded?: Observation,
): Observation['events'] {
  if (recorded !== undefined && isDeepStrictEqual(recorded.value, answer)) return recorded.events;
  return answer.kind === 'answered' ? invocation.effects(answer.answer) : [];
}
