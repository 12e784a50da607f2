import type { KeptAnswer } from '../reference-host/types/world.ts';
import type { Ledger, LedgerPlace, LedgerRecord, Owner } from '../reference-host/store/ledger.ts';
import type { Found, LedgerState, StreamState } from '../reference-host/policies/decide.ts';
import { decide } from '../reference-host/policies/decide.ts';

/** The ledger's semantics in memory, without a database. */
export function createPureLedger(): Ledger {
  const records = new Map<string, LedgerRecord>();
  const attempts = new Map<string, number>();
  const put = (place: LedgerPlace, owner: Owner, leaseUntil: number): void =>
    void records.set(name(place), { ...owner, state: 'INFLIGHT', leaseUntil, result: undefined });
  /** Changes the record where it is in flight under this owner. */
  const change = (place: LedgerPlace, { host, attempt }: Owner, by: Partial<LedgerRecord>): boolean => {
    const found = records.get(name(place));
    if (found?.state !== 'INFLIGHT' || found.host !== host || found.attempt !== attempt) return false;
    records.set(name(place), { ...found, ...by });
    return true;
  };
  return {
    get: (place) => records.get(name(place)),
    acquire(place, owner, leaseUntil) {
      if (records.has(name(place))) return false;
      put(place, owner, leaseUntil);
      return true;
    },
    reclaim: (place, { from, to, leaseUntil }) => change(place, from, { ...to, leaseUntil }),
    renew: (place, owner, leaseUntil) => change(place, owner, { leaseUntil }),
    commit: (place, owner, result) => change(place, owner, { state: 'COMMITTED', result }),
    claim(runId) {
      const next = (attempts.get(runId) ?? 0) + 1;
      attempts.set(runId, next);
      return String(next);
    },
  };
}

/** The events that a call, or its failure, leaves in the stream. */
export type CallEvent = Exclude<StreamState, 'none'> | 'failed';

/** What a worker sees of a call. */
export interface Seen {
  readonly found: Found;
  readonly record: LedgerRecord | undefined;
}

/** Where workers meet at one call: the stream, the ledger and the effect store. */
export interface Bench {
  readonly ledger: Ledger;
  readonly place: LedgerPlace;
  look(worker: ModelWorker): Seen;
  /** What has been written into the stream. */
  readonly written: readonly CallEvent[];
  /** Writes an event; false where the stream has ended, or is longer than `known`. */
  append(worker: ModelWorker, event: CallEvent, known: number): boolean;
  /** Keeps an answer in the effect store; the first one stays. */
  putEffect(answer: string): void;
  /** The answer that the stream, the ledger or the effect store holds. */
  recorded(from: 'stream' | 'ledger' | 'effect'): string;
  /** The tool: counts its calls, and gives each another answer. */
  call(): string;
  readonly calls: () => number;
}

function name({ runId, key }: LedgerPlace): string {
  return `${runId}\0${key}`;
}

/** The bench of a pure ledger; without a fence, the stream takes whatever a worker writes, as long as it has not ended. */
export function createPureBench(fenced = true): Bench {
  const ledger = createPureLedger();
  const place = { runId: 'run', key: 'key' };
  const events: CallEvent[] = [];
  const held = new Map<'stream' | 'effect', string>();
  let declaredBy: string | undefined;
  let calls = 0;
  return {
    ledger,
    place,
    look(worker) {
      const record = ledger.get(place);
      const own =
        record !== undefined && sameOwner(record, worker) && (declaredBy ?? worker.attempt) === worker.attempt;
      const last = events.at(-1) ?? 'none';
      const stream = last === 'failed' ? 'started' : last;
      const { begun } = worker;
      return { found: { stream, ledger: stateOf(record), effect: held.has('effect'), own, begun }, record };
    },
    written: events,
    append(worker, event, known) {
      if ((fenced && known !== events.length) || events.at(-1) === 'failed') return false;
      events.push(event);
      if (event === 'started') declaredBy ??= worker.attempt;
      if (event === 'finished') held.set('stream', worker.answer ?? '');
      return true;
    },
    putEffect: (answer) => void (held.has('effect') || held.set('effect', answer)),
    recorded: (from) => (from === 'ledger' ? ledger.get(place)?.result : held.get(from)) ?? 'nothing',
    call() {
      calls += 1;
      return answerOf(calls);
    },
    calls: () => calls,
  };
}

function stateOf(record: LedgerRecord | undefined): LedgerState {
  if (record === undefined) return 'NEW';
  if (record.state === 'COMMITTED') return 'COMMITTED';
  return record.leaseUntil >= LIVE ? 'INFLIGHT' : 'RECOVERABLE';
}

type Phase = 'arrive' | 'acquire' | 'started' | 'execute' | 'put effect' | 'finished' | 'committed' | 'commit';

/** One worker's way to and through the call, one step for each of its turns. */
export interface ModelWorker extends Owner {
  phase: Phase | 'inject' | 'fail' | 'over';
  /** How many steps it has done; to wait is none, nor is to find that somebody else was faster. */
  steps: number;
  /** How long the stream was when it last looked or wrote. */
  known: number;
  begun: boolean;
  waited: boolean;
  /** The record that its decision was made from. */
  seen: LedgerRecord | undefined;
  answer: string | undefined;
  /** What it ends with: a result, `lost`, or nothing while it is not over. */
  result: string | undefined;
}

export function createModelWorker(owner: Owner): ModelWorker {
  return {
    ...owner,
    phase: 'arrive',
    steps: 0,
    known: 0,
    begun: false,
    waited: false,
    seen: undefined,
    answer: undefined,
    result: undefined,
  };
}

/** How a record is made: the two ways that look and make it in one turn or in two, and the broken one. */
export type Acquiring = 'at once' | 'a turn later' | 'a turn later, whatever is there';

/** What the tool answers to its first call, its second, and so on. */
export function answerOf(call: number): string {
  return JSON.stringify({ kind: 'answered', answer: call } satisfies KeptAnswer);
}

/** The kept answer of a call that nobody knows the answer of, in JSON as every answer here. */
export const LOST = JSON.stringify({ kind: 'lost' } satisfies KeptAnswer);

/** Far enough away for every schedule. */
export const LIVE = 8_640_000_000_000_000;

/** Gives a worker its turn. */
export function turn(bench: Bench, worker: ModelWorker, acquiring: Acquiring): void {
  const { phase } = worker;
  proceed(bench, worker, acquiring);
  if (phase !== 'arrive' || worker.phase !== 'arrive') worker.steps += 1;
}

function proceed(bench: Bench, worker: ModelWorker, acquiring: Acquiring): void {
  const { phase } = worker;
  switch (phase) {
    case 'arrive':
      return arrive(bench, worker, acquiring);
    case 'acquire':
      return acquire(bench, worker, acquiring);
    case 'inject':
      return inject(bench, worker);
    case 'fail':
      return write(bench, worker, { event: 'failed', next: 'over' });
    case 'over':
      return;
    case 'started':
    case 'execute':
    case 'put effect':
    case 'finished':
    case 'committed':
    case 'commit':
      return step(bench, worker, phase);
  }
}

function arrive(bench: Bench, worker: ModelWorker, acquiring: Acquiring): void {
  worker.known = bench.written.length;
  if (bench.written.at(-1) === 'failed') return finish(worker, LOST);
  const { found, record } = bench.look(worker);
  worker.seen = record;
  const decision = decide(found);
  switch (decision.kind) {
    case 'AllowExecute':
      worker.phase = 'acquire';
      if (acquiring === 'at once') acquire(bench, worker, acquiring);
      return;
    case 'WaitOtherWorker':
      worker.waited = true;
      return;
    case 'ReturnRecordedResult':
      worker.answer = bench.recorded(decision.from);
      worker.phase = worker.answer === LOST ? 'fail' : 'inject';
      return;
    case 'Rejected':
      bench.putEffect(LOST);
      settle(bench, worker, LOST);
      worker.result = LOST;
      worker.phase = 'fail';
  }
}

function acquire({ ledger, place }: Bench, worker: ModelWorker, acquiring: Acquiring): void {
  const { seen } = worker;
  worker.phase = made(ledger, place, { worker, seen, acquiring }) ? 'started' : 'arrive';
}

interface Making {
  readonly worker: ModelWorker;
  readonly seen: LedgerRecord | undefined;
  readonly acquiring: Acquiring;
}

function made(ledger: Ledger, place: LedgerPlace, { worker, seen, acquiring }: Making): boolean {
  if (seen !== undefined) {
    return sameOwner(seen, worker) || ledger.reclaim(place, { from: seen, to: worker, leaseUntil: LIVE });
  }
  if (acquiring !== 'a turn later, whatever is there') return ledger.acquire(place, worker, LIVE);
  const found = ledger.get(place);
  if (found === undefined) ledger.acquire(place, worker, LIVE);
  else ledger.reclaim(place, { from: found, to: worker, leaseUntil: LIVE });
  return true;
}

function step(bench: Bench, worker: ModelWorker, phase: Exclude<Phase, 'arrive' | 'acquire'>): void {
  switch (phase) {
    case 'started':
      return write(bench, worker, { event: 'started', next: 'execute' });
    case 'execute':
      worker.begun = true;
      worker.answer = bench.call();
      worker.phase = 'put effect';
      return;
    case 'put effect':
      bench.putEffect(worker.answer ?? '');
      worker.phase = 'finished';
      return;
    case 'finished':
      return write(bench, worker, { event: 'finished', next: 'committed' });
    case 'committed':
      return write(bench, worker, { event: 'committed', next: 'commit' });
    case 'commit':
      bench.ledger.commit(bench.place, worker, worker.answer ?? '');
      finish(worker, worker.answer);
  }
}

/** Fenced: a worker that does not know all that stands in the stream looks again. */
function write(bench: Bench, worker: ModelWorker, { event, next }: { event: CallEvent; next: ModelWorker['phase'] }) {
  const written = bench.append(worker, event, worker.known);
  worker.known += 1;
  worker.phase = written ? next : 'arrive';
  if (written && next === 'over') worker.result = LOST;
}

const EVENTS = ['started', 'finished', 'committed'] as const;

/** Writes what the stream lacks, one event a turn, and closes the record at last. */
function inject(bench: Bench, worker: ModelWorker): void {
  const missing = EVENTS.find((event) => !bench.written.includes(event));
  if (missing !== undefined) return write(bench, worker, { event: missing, next: 'inject' });
  settle(bench, worker, worker.answer ?? '');
  finish(worker, worker.answer);
}

function settle({ ledger, place }: Bench, worker: ModelWorker, answer: string): void {
  const record = ledger.get(place);
  if (record?.state !== 'INFLIGHT') return;
  if (sameOwner(record, worker) || ledger.reclaim(place, { from: record, to: worker, leaseUntil: LIVE })) {
    ledger.commit(place, worker, answer);
  }
}

function finish(worker: ModelWorker, answer: string | undefined): void {
  worker.result = answer;
  worker.phase = 'over';
}

function sameOwner(one: Owner, other: Owner): boolean {
  return one.host === other.host && one.attempt === other.attempt;
}
