import type { Requirement } from '../requirement.ts';
import { must, rowsOf } from './row.ts';

/** The rows of the register's group `handoff-state-machine`, in its order. */
export const handoffStateMachine: readonly Requirement[] = rowsOf('handoff-state-machine', [
  must('handoff.happy-path', {
    clause: 'dispatch.began, dispatch.succeeded, child.completed, output.harvested, once each, in this order',
    source: '0037 §B',
  }),
  must('handoff.causation-chain', {
    clause: "each transition's causationId is the previous transition's eventId; the first points at the decision",
    source: '0037 §B',
  }),
  must('handoff.harvest-exactly-when', {
    clause: 'harvested if and only if the child completed and outputMapping is non-empty',
    source: '0037 §B',
  }),
  must('handoff.failed-child-skips-harvest', {
    clause: 'a failed or cancelled child is reported and not harvested',
    source: '0037 §B',
  }),
  must('handoff.dispatch-failure', {
    clause: 'a child that cannot be created gives exactly one dispatch failure and no later transition',
    source: '0037 Conformance 3',
  }),
  must('handoff.output-mapping', {
    clause: "mapped outputs are in the parent's variables before its next decision",
    source: '0037 §A.3',
  }),
  must('handoff.loop', {
    clause: 'each turn emits one decision; terminate ends the run; clarify and escalate suspend it',
    source: '0037 §A',
  }),
  must('handoff.child-is-a-run', {
    clause: 'the dispatched child is a run of its own that can be read',
    source: '0037 §A.2',
  }),
  must('handoff.not-unless-supported', {
    clause: 'a host that does not support the model emits no handoff events',
    source: '0037 Compatibility',
  }),
  must('handoff.replays', {
    clause: "a handoff replays without dispatching a second child's side effects",
    source: '0037 §B, 0041 §C',
  }),
  must('replay.no-second-child', {
    clause:
      'a replay of a handoff makes no child run beside those that stand for the recorded ones, and gives each the same inputs',
    source: 'replay Determinism, 0037 §B',
  }),
  must('handoff.payloads', {
    clause: 'payloads of decisions and transitions hold the declared members only, with the right values',
    source: '0037 Amended, §B',
  }),
]);
