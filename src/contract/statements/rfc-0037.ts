import { DESCRIPTION, INSIDE, PERMISSION, PROCESS, held, left, type Document } from './statement.ts';

const LATER = 'put off to later documents, which are not among the four';

const UNPRINTED = 'the four documents do not print which members these are';
const GROWS = 'later phases add members to it: one that is not known here may be one of theirs';

/** What RFC 0037 demands. */
export const rfc0037: Document = {
  name: '0037',
  title: 'RFC 0037, execution model',
  sections: {
    Amended: [
      held(
        'the event of a decision may carry an iteration, and otherwise the declared members only',
        'handoff.payloads',
      ),
      held('a harvest may carry an attestation, and otherwise the declared members only', 'handoff.payloads'),
      left('members that are required stay required', UNPRINTED),
      left('the version of the log schema stays', PROCESS),
    ],
    'A Execution loop': [
      held('the supervisor emits a decision: next-worker, terminate, clarify or escalate', 'handoff.loop'),
      held('a decision for a worker is made real as a child run or a sub-workflow', 'handoff.child-is-a-run'),
      held("on the child's end its mapped results are in the parent's variables", 'handoff.output-mapping'),
      held('the next turn sees the new state and decides by it', 'handoff.output-mapping', 'handoff.loop'),
      held('version 1 and above implement this loop', 'handoff.loop'),
    ],
    'B Handoff state machine': [
      held('pending is left towards dispatching only', 'handoff.happy-path'),
      held(
        'dispatching is left towards running, or towards failed where no child could be made',
        'handoff.happy-path',
        'handoff.dispatch-failure',
      ),
      held(
        'running is left as completed, failed or cancelled',
        'handoff.happy-path',
        'handoff.failed-child-skips-harvest',
      ),
      held('harvested is the last state', 'handoff.happy-path'),
      held('a child that completed under a mapping that is not empty is harvested', 'handoff.harvest-exactly-when'),
      held('nothing else is harvested', 'handoff.harvest-exactly-when'),
      held('failed and cancelled children are not harvested', 'handoff.failed-child-skips-harvest'),
      held('each transition emits an event', 'handoff.happy-path'),
      held('each such event names the previous one as its cause', 'handoff.causation-chain'),
      held(
        'a replay takes the recorded handoff and makes no second child',
        'handoff.replays',
        'replay.no-second-child',
      ),
    ],
    'C Capability': [
      held('the block says whether the model is supported', 'discovery.execution-model'),
      held('the block gives an integer version of 1 or more', 'discovery.execution-model'),
      left('the block holds no other members than the documents declare', GROWS),
    ],
    'Phases 2 to 4': [
      left('from which confidence on a supervisor has to escalate', LATER),
      left('how long memory lives across child runs', LATER),
      left('what a replay carries over of memory', LATER),
      left('causes across hosts', LATER),
      left('trace context across hosts', LATER),
      left('run ids across hosts', LATER),
      left(
        'the key of LLM calls, refusals on replay, determinism against idempotency',
        'RFC 0041 closes them: its rows hold',
      ),
    ],
    Compatibility: [
      held('the model is opt-in: hosts that do not advertise it need not speak it', 'handoff.not-unless-supported'),
      left('such hosts integrate the older parts as they like', PERMISSION),
    ],
    Conformance: [
      held('each of the states shows as one event per transition', 'handoff.happy-path'),
      held('causes chain back through every transition', 'handoff.causation-chain'),
      held(
        'a child that cannot be made gives one dispatch failure and no further transition',
        'handoff.dispatch-failure',
      ),
      held('a harvest needs a completed child and a mapping that is not empty', 'handoff.harvest-exactly-when'),
      left('the scenario applies where the model is supported', PROCESS),
    ],
    'Alternatives and questions': [
      left('no pattern of orchestration is mandated', DESCRIPTION),
      left('whether the profile gates replay across handoffs', LATER),
      left('handoffs between hosts need a machine of their own', LATER),
      left('how a host composes the older parts', INSIDE),
    ],
  },
};
