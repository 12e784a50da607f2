import type { EventType } from './event.ts';
import type { Failpoints, FailpointStep } from './failpoints.ts';
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
  const { events, ledger, effects, observations, responses } = store;
  return {
    ...store,
    events: {
      ...events,
      append: (runId, draft, last) =>
        around(STEPS.get(draft.type) ?? 'append-event', () => events.append(runId, draft, last)),
    },
    ledger: {
      ...ledger,
      acquire: (...given) => around('acquire', () => ledger.acquire(...given)),
      reclaim: (...given) => around('reclaim', () => ledger.reclaim(...given)),
      renew: (...given) => around('renew-lease', () => ledger.renew(...given)),
      commit: (...given) => around('ledger-commit', () => ledger.commit(...given)),
      claim: (runId) => around('claim', () => ledger.claim(runId)),
    },
    effects: { ...effects, record: (...given) => around('put-effect', () => effects.record(...given)) },
    observations: {
      ...observations,
      record: (...given) => around('record-observation', () => observations.record(...given)),
    },
    responses: { ...responses, record: (...given) => around('store-response', () => responses.record(...given)) },
    atomically: (work, step) =>
      step === undefined || inside > 0 ? whole(work) : failpoints.around(step, () => whole(work)),
  };
}

const STEPS: ReadonlyMap<EventType, FailpointStep> = new Map([
  ['tool_invocation_started', 'append-started'],
  ['tool_invocation_finished', 'append-finished'],
  ['command_committed', 'append-command-committed'],
  ['node.completed', 'append-node-completed'],
]);
