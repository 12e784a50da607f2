import type { EventLog } from './event-log.ts';
import type { EventType } from './event.ts';
import type { Failpoints, FailpointStep } from './failpoints.ts';
import type { Ledger } from './ledger.ts';
import type { ObservationStore } from './observations.ts';
import type { ResponseCache } from './response-cache.ts';
import type { Store } from './store.ts';

/** A store with a failpoint before and after every durable write; what one transaction keeps together is one write. */
export function withFailpoints(store: Store, failpoints: Failpoints): Store {
  let inside = 0;
  const around = <T>(step: FailpointStep, work: () => T): T => (inside > 0 ? work() : failpoints.around(step, work));
  const whole = <T>(work: () => T): T => {
    inside += 1;
    try {
      return store.atomically(work);
    } finally {
      inside -= 1;
    }
  };
  return {
    ...store,
    events: events(store.events, around),
    ledger: ledger(store.ledger, around),
    effects: recording(store.effects, (work) => around('put-effect', work)),
    observations: recording(store.observations, (work) => around('record-observation', work)),
    responses: responses(store.responses, (work) => around('store-response', work)),
    atomically: (work, step) =>
      step === undefined || inside > 0 ? whole(work) : failpoints.around(step, () => whole(work)),
  };
}

type Around = <T>(step: FailpointStep, work: () => T) => T;
type AroundOne = <T>(work: () => T) => T;

const STEPS: ReadonlyMap<EventType, FailpointStep> = new Map([
  ['tool_invocation_started', 'append-started'],
  ['tool_invocation_finished', 'append-finished'],
  ['command_committed', 'append-command-committed'],
]);

function events(log: EventLog, around: Around): EventLog {
  return {
    ...log,
    append: (runId, draft, last) =>
      around(STEPS.get(draft.type) ?? 'append-event', () => log.append(runId, draft, last)),
  };
}

function ledger(plain: Ledger, around: Around): Ledger {
  return {
    ...plain,
    acquire: (...given) => around('acquire', () => plain.acquire(...given)),
    reclaim: (...given) => around('reclaim', () => plain.reclaim(...given)),
    renew: (...given) => around('renew-lease', () => plain.renew(...given)),
    commit: (...given) => around('ledger-commit', () => plain.commit(...given)),
    claim: (runId) => around('claim', () => plain.claim(runId)),
  };
}

function recording(plain: ObservationStore, around: AroundOne): ObservationStore {
  return { ...plain, record: (...given) => around(() => plain.record(...given)) };
}

function responses(plain: ResponseCache, around: AroundOne): ResponseCache {
  return { ...plain, record: (...given) => around(() => plain.record(...given)) };
}
