import { randomBytes } from 'node:crypto';
import type { Json } from '../evidence/types.ts';
import type { ChatAnswer, EffectFailure, WitnessCall, WitnessVisit } from '../evidence/witness.ts';
import { isCarriedKey, keyInBody } from './carried-key.ts';
import { createHolds, type Holds } from './hold.ts';
import { createWaiters } from './waiters.ts';

/** Calls of one visit that are kept; more are counted and answered all the same. */
export const KEPT_CALLS = 10_000;
/** Bytes of bodies and headers that one visit keeps; beyond, they are null. */
export const KEPT_BYTES = 16 * 1024 * 1024;

/** What chat calls are held back by: no effect has this name. */
export const CHATS = '';

/** A call at its arrival, before its body is read. */
export interface Arrival {
  readonly kind: WitnessCall['kind'];
  readonly name: string;
  readonly method: string;
  readonly idempotencyKey: string | null;
}

/** A call that has arrived: what is learned of it later is entered here. */
export interface OpenCall {
  readonly kind: WitnessCall['kind'];
  /** How many calls of this kind and name there were, this one included. */
  readonly count: number;
  /** Enters the body, `bytes` long on the wire. */
  received(body: Json, bytes: number): void;
  /** Enters the model that a chat call asks for. */
  rename(name: string): void;
  /** Enters the answer, as it is sent. */
  answer(answer: Json): void;
}

/** A visit as the server sees it. */
export interface OpenVisit extends WitnessVisit {
  arrive(arrival: Arrival): OpenCall;
  /** What the next chat call is answered; undefined where nothing is staged. */
  nextChat(model: string): ChatAnswer | undefined;
  /** A staged resource; undefined where there is none. */
  resource(id: string): Json | undefined;
  /** What calls of this effect are answered; undefined where nothing is staged. */
  effect(name: string): Json | undefined;
  /** How calls of this effect fail; undefined where they do not. */
  failure(name: string): Failure | undefined;
  /** The order of effect calls that is in force. */
  order(): Order;
  /** The answers to effect calls that are held back. */
  readonly holds: Pick<Holds, 'passed'>;
  /** Lets every call go that is still held back. */
  close(): void;
}

/** How calls of an effect fail, and how long a silent one is held, in milliseconds. */
export interface Failure {
  readonly how: EffectFailure;
  readonly patienceMs: number;
}

/** Makes one source run's part of the witness. */
export function createVisit(url: string): OpenVisit {
  const resources = createShelf();
  const effects = createShelf();
  const failures = new Map<string, Failure>();
  let staged: Parameters<OpenVisit['stageChat']>[0] = [];
  let chats = 0;
  let order = createOrder([], 0);
  const kept = createCallList();
  const holds = createHolds();
  return {
    url,
    stageChat(answers) {
      staged = typeof answers === 'function' ? answers : [...answers];
      chats = 0;
    },
    stageResource: resources.put,
    stageEffect: effects.put,
    failEffect: (name, how, patienceMs) => void failures.set(name, { how, patienceMs }),
    answerInOrder(names, patienceMs) {
      order.release();
      order = createOrder([...new Set(names)], patienceMs);
    },
    holdEffects: (name) => holds.hold(name),
    holdChats: () => holds.hold(CHATS),
    holds,
    calls: () => kept.calls(),
    arrive: (arrival) => kept.arrive(arrival),
    nextChat(model) {
      if (typeof staged === 'function') return staged(model);
      chats += 1;
      return staged[Math.min(chats, staged.length) - 1];
    },
    resource: resources.get,
    effect: effects.get,
    failure: (name) => failures.get(name),
    order: () => order,
    close() {
      order.release();
      holds.release();
    },
  };
}

/** A name that nobody can guess: whoever has it was told. */
export function freshToken(): string {
  return randomBytes(16).toString('hex');
}

/** What is staged under a name; undefined where nothing is. */
function createShelf() {
  const staged = new Map<string, Json>();
  return {
    get: (name: string): Json | undefined => staged.get(name),
    put: (name: string, value: Json | undefined): void => {
      if (value === undefined) staged.delete(name);
      else staged.set(name, value);
    },
  };
}

function createCallList() {
  const calls: WitnessCall[] = [];
  const counts = new Map<string, number>();
  let bytesLeft = KEPT_BYTES;
  const affords = (bytes: number): boolean => {
    bytesLeft -= bytes;
    return bytesLeft >= 0;
  };
  return {
    calls: (): readonly WitnessCall[] => calls.map((call) => ({ ...call })),
    arrive(arrival: Arrival): OpenCall {
      const key = `${arrival.kind} ${arrival.name}`;
      const count = (counts.get(key) ?? 0) + 1;
      if (counts.size < KEPT_CALLS || counts.has(key)) counts.set(key, count);
      const at = calls.length;
      const keyBytes = arrival.idempotencyKey?.length ?? 0;
      const idempotencyKey = affords(keyBytes) ? arrival.idempotencyKey : null;
      if (at < KEPT_CALLS) calls.push({ ...arrival, idempotencyKey, body: null, answer: null });
      const enter = (more: Partial<WitnessCall>): void => {
        const call = calls[at];
        if (call !== undefined) calls[at] = { ...call, ...more };
      };
      return {
        kind: arrival.kind,
        count,
        received(body, bytes) {
          const carried = isCarriedKey(idempotencyKey) ? undefined : keyInBody(body);
          if (affords(bytes)) enter({ body, ...(carried === undefined ? {} : { idempotencyKey: carried }) });
        },
        rename: (name) => enter({ name }),
        answer: (answer) => enter({ answer }),
      };
    },
  };
}

/** Lets calls go in a given order, without blocking a caller that makes one after the other. */
interface Order {
  /**
   * Resolves when the call may be answered: all its predecessors were, its patience is over, or the signal (the caller
   * went away) has aborted. At once for a name that has no place in the order.
   */
  turn(name: string, signal: AbortSignal): Promise<void>;
  /** Says that a call of this name was answered. */
  answered(name: string): void;
  /** Lets everyone go. */
  release(): void;
}

/** Makes an order of these names; a call waits at most `patienceMs` milliseconds. */
export function createOrder(names: readonly string[], patienceMs: number): Order {
  const done = new Set<string>();
  const waiters = createWaiters();
  const mayGo = (name: string): boolean =>
    names.slice(0, Math.max(0, names.indexOf(name))).every((predecessor) => done.has(predecessor));
  return {
    async turn(name, signal) {
      if (!mayGo(name)) await waiters.wait(() => mayGo(name) || undefined, { timeoutMs: patienceMs, signal });
    },
    answered(name) {
      done.add(name);
      waiters.tell();
    },
    release: () => waiters.release(),
  };
}
