import { setImmediate as nextTurn } from 'node:timers/promises';
import { mayBeAlive } from '../region.ts';
import type { Decision } from '../policies/decide.ts';
import type { EventDraft } from '../store/event.ts';
import type { InvocationOutcome, KeptAnswer } from '../types/world.ts';
import { committed, eventsOf, finished, started } from './call-events.ts';
import { effectsOf, isLoss, look, namedCall, ownerOf, resultFrom, type CallPlace, type Sight } from './look.ts';
import { confirm } from './verification.ts';

/** A lease as it is where the host is not told otherwise, in milliseconds. */
export const LEASE_MS = 2_000;

/** Signs of life in the time of a lease. */
const SIGNS = 4;

/** How long a worker waits for another one before it looks again, where nothing is heard of the run. */
const LOOK_AGAIN_MS = 250;

type Arrival = { readonly decision: Exclude<Decision, { kind: 'WaitOtherWorker' }>; readonly sight: Sight };

/**
 * Calls a tool at most once, whatever happens to the workers that come to the call (provable-semantics §2, §3). Yields the
 * events about the call, those that the log holds already included: run again for a log that was cut off, it writes the
 * rest. A call that may have been executed and left no result is given up, never repeated.
 */
export async function* invoke(at: CallPlace): AsyncGenerator<EventDraft, InvocationOutcome> {
  const { injected } = at.shared.parts.ledger;
  const { decision, sight } = await arrive(at);
  switch (decision.kind) {
    case 'AllowExecute':
      return yield* execute(at, sight);
    case 'ReturnRecordedResult':
      return yield* inject(at, sight, injected(resultFrom(decision.from, sight), sight.found));
    case 'Rejected':
      giveUp(at, sight);
      return yield* inject(at, sight, { kind: 'lost' });
  }
}

/** Comes to the decision about the call, waiting as long as it is another worker's. */
async function arrive(at: CallPlace): Promise<Arrival> {
  const { parts, store } = at.shared;
  let graced: number | undefined;
  for (let waited = false; ;) {
    const sight = look(at);
    const late = lateLease(at, sight);
    if (late !== undefined && late !== graced) {
      // Where this process stood still, so did its workers: each gives its sign of life before anybody takes over.
      graced = late;
      await new Promise((resolve) => setTimeout(resolve, at.shared.leaseMs / SIGNS));
      continue;
    }
    const decision = parts.ledger.decide(sight.found, at.worker.attempt());
    if (decision.kind !== 'WaitOtherWorker') {
      note(at, decision, sight);
      if (decision.kind !== 'AllowExecute' || (await acquire(at, decision.takeOver, sight))) return { decision, sight };
      await nextTurn();
      continue;
    }
    if (!waited) note(at, decision, sight);
    waited = true;
    const last = store.events.last(at.run.runId)?.sequence;
    await store.events.changed(at.run.runId, last, AbortSignal.timeout(LOOK_AGAIN_MS));
    if (!store.events.isOpen()) throw new Error('the host is closing');
  }
}

/** When a lease ran out whose worker may still be there, and is another one; undefined where none did. */
function lateLease({ shared }: CallPlace, { record, found }: Sight): number | undefined {
  if (record?.state !== 'INFLIGHT' || found.own || !mayBeAlive(shared.hostId, record.host)) return undefined;
  return record.leaseUntil <= Date.now() ? record.leaseUntil : undefined;
}

function note({ shared, run, invocation, worker }: CallPlace, { kind }: Decision, { found }: Sight): void {
  const { stream, ledger, effect } = found;
  const record = { nodeId: invocation.nodeId, decision: kind, found: { stream, ledger, effect } };
  shared.diary.note(run.runId, { ...record, attempt: worker.attempt() });
}

/** Makes the record in flight the worker's; false where another one was faster. */
async function acquire(at: CallPlace, takeOver: boolean, { found, record }: Sight): Promise<boolean> {
  const { store, parts, failpoints, leaseMs } = at.shared;
  const owner = ownerOf(at);
  const leaseUntil = Date.now() + leaseMs;
  if (found.own) return true;
  if (takeOver && record !== undefined) {
    return store.ledger.reclaim(at.place, { from: record, to: owner, leaseUntil });
  }
  if (!(await parts.ledger.acquire(owner.attempt)(store.ledger, at.place, { owner, leaseUntil }))) return false;
  await failpoints.stall('after-acquire');
  // A worker that has slept over its lease goes on only where nobody has taken the record meanwhile.
  return Date.now() < leaseUntil || store.ledger.renew(at.place, owner, Date.now() + leaseMs);
}

/** The steps of §3. What yields is written before the next step begins. */
async function* execute(at: CallPlace, sight: Sight): AsyncGenerator<EventDraft, InvocationOutcome> {
  const { shared, invocation, run } = at;
  const call = namedCall(at, sight);
  const { store } = shared;
  let answer: KeptAnswer = { kind: 'lost' };
  for (const step of shared.parts.ledger.steps()) {
    switch (step) {
      case 'append started':
        yield started(call);
        break;
      case 'execute':
        answer = await carryOut(at);
        break;
      case 'put effect': {
        const { idempotencyKey, attempt } = call;
        const observation = { value: answer, events: effectsOf(at, answer), call: { idempotencyKey, attempt } };
        store.effects.record({ runId: run.runId, nodeId: invocation.nodeId, cacheKey: at.cacheKey }, observation);
        break;
      }
      case 'append finished':
        if (answer.kind !== 'lost') yield finished(call, answer);
        break;
      case 'append committed':
        if (answer.kind === 'answered') yield committed(call);
        break;
      case 'commit':
        shared.parts.ledger.commits(() => store.ledger.commit(at.place, ownerOf(at), JSON.stringify(answer)));
    }
  }
  return outcome(at, answer);
}

/** A test has another result put into a store than the tool gave; what the call itself puts there later changes nothing. */
function plantIn(at: CallPlace): void {
  const { shared, invocation, run, cacheKey, place } = at;
  const plant = shared.plants.take(invocation.nodeId);
  if (plant === undefined) return;
  const { store } = shared;
  const { attempt } = ownerOf(at);
  const value: KeptAnswer = { kind: 'answered', answer: plant.result };
  store.atomically(() => {
    if (plant.store === 'ledger') store.ledger.commit(place, ownerOf(at), JSON.stringify(value));
    else {
      const observation = { value, events: effectsOf(at, value), call: { idempotencyKey: place.key, attempt } };
      store.effects.record({ runId: run.runId, nodeId: invocation.nodeId, cacheKey }, observation);
    }
  });
}

/** Executes the call, with a sign of life from time to time. */
async function carryOut(at: CallPlace): Promise<KeptAnswer> {
  const { shared, worker, invocation, place } = at;
  const { ledger } = shared.store;
  const { leaseMs } = shared;
  const owner = ownerOf(at);
  worker.begun.add(place.key);
  shared.failpoints.pass('before-execute');
  const live = setInterval(() => {
    try {
      ledger.renew(place, owner, Date.now() + leaseMs);
    } catch {
      // The store is gone, and the call's end will find that out.
      clearInterval(live);
    }
  }, leaseMs / SIGNS);
  try {
    const call = { runId: place.runId, ...invocation, attempt: owner.attempt };
    const answer = await invocation.execute(shared.parts.ledger.externalKey(call));
    plantIn(at);
    shared.failpoints.pass('after-execute');
    return shared.parts.ledger.kept(answer);
  } finally {
    clearInterval(live);
  }
}

/** Shows a recorded result: what the log lacks of the call's events is written, and nobody is called. */
async function* inject(at: CallPlace, sight: Sight, answer: KeptAnswer): AsyncGenerator<EventDraft, InvocationOutcome> {
  const events = eventsOf(namedCall(at, sight), answer);
  const confirmed = yield* confirm(at, { answer, events, written: sight.stream.count });
  switch (confirmed) {
    case 'parked':
      return { kind: 'suspended' };
    case 'refused':
      return failed('replay_verification_failed', 'The world outside is not what the record says.');
    case 'confirmed':
      settle(at, sight, answer);
      return outcome(at, answer, sight);
  }
}

/** The ledger follows the stream: a record that a lost worker left in flight is closed with the result. */
function settle(at: CallPlace, { record }: Sight, answer: KeptAnswer): void {
  if (record?.state !== 'INFLIGHT') return;
  const { ledger } = at.shared.store;
  const owner = ownerOf(at);
  const isOwn = record.host === owner.host && record.attempt === owner.attempt;
  const leaseUntil = Date.now() + at.shared.leaseMs;
  if (isOwn || ledger.reclaim(at.place, { from: record, to: owner, leaseUntil })) {
    ledger.commit(at.place, owner, JSON.stringify(answer));
  }
}

/** Nobody can know whether the call was executed: it is recorded as lost, for this run and its replays. */
function giveUp(at: CallPlace, sight: Sight): void {
  if (isLoss(sight.recorded)) return;
  const { store } = at.shared;
  const lost: KeptAnswer = { kind: 'lost' };
  const { idempotencyKey, attempt } = namedCall(at, sight);
  const place = { runId: at.run.runId, nodeId: at.invocation.nodeId, cacheKey: at.cacheKey };
  store.atomically(() => {
    store.effects.record(place, { value: lost, events: [], call: { idempotencyKey, attempt } });
    settle(at, sight, lost);
  }, 'record-loss');
}

function outcome(at: CallPlace, answer: KeptAnswer, sight?: Sight): InvocationOutcome {
  switch (answer.kind) {
    case 'answered':
      return { kind: 'answered', answer: answer.answer, events: effectsOf(at, answer, sight?.recorded) };
    case 'failed':
      return failed('tool_failed', answer.message);
    case 'lost':
      return failed('invocation_in_doubt', 'invocation in flight or lost');
  }
}

function failed(code: string, message: string): InvocationOutcome {
  return { kind: 'failed', error: { code, message } };
}
