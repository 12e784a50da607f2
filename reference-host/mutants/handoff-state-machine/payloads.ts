import { isObject, listMember, member, type JsonObject } from '../../json.ts';
import type { HandoffStep } from '../../policies/handoff.ts';
import type { Defect, Defects } from '../mutant.ts';
import { leftOut } from '../shared/fork-parts.ts';
import { phaseOf, writingSteps } from '../shared/handoff-parts.ts';
import { withPayload } from '../shared/replay-parts.ts';
import { knowingForks } from '../shared/run-memory.ts';
import { showingEvents } from '../shared/run-wire.ts';

/** A defect of payloads: other members than the conformant host's. */
function saying(
  breaks: string,
  isMeant: (draft: HandoffStep['drafts'][number]) => boolean,
  change: (payload: JsonObject, step: HandoffStep) => JsonObject,
  ...kills: readonly string[]
): Defect {
  return {
    breaks,
    kills,
    parts: writingSteps((step) =>
      step.drafts.map((draft) =>
        isMeant(draft) && isObject(draft.payload) ? { ...draft, payload: change(draft.payload, step) } : draft,
      ),
    ),
  };
}

const DECIDED: Parameters<typeof saying>[1] = ({ type }) => type === 'runOrchestrator.decided';
const HARVESTED: Parameters<typeof saying>[1] = (draft) => phaseOf(draft) === 'output.harvested';
const TRANSITION: Parameters<typeof saying>[1] = (draft) => phaseOf(draft) !== undefined;

/** A defect of what is shown of decisions or transitions: the host itself goes on by what they are. */
function showing(
  breaks: string,
  type: string,
  change: (payload: JsonObject) => JsonObject,
  ...kills: readonly string[]
): Defect {
  return {
    breaks,
    kills,
    parts: () => ({
      middleware: showingEvents(
        () => true,
        (event) => {
          const { payload } = event;
          return [event['type'] === type && isObject(payload) ? { ...event, payload: change(payload) } : event];
        },
      ),
    }),
  };
}

/** The same of the workers that decisions name. */
function showingWorkers(breaks: string, change: (workers: readonly unknown[]) => readonly unknown[]): Defect {
  return showing(
    breaks,
    'runOrchestrator.decided',
    (payload) => {
      const decision = isObject(payload['decision']) ? payload['decision'] : {};
      const workers = workersOf(payload);
      return workers.length === 0 ? payload : { ...payload, decision: { ...decision, nextWorkerIds: change(workers) } };
    },
    'handoff.payloads',
  );
}

function namingTheFirst(phase: string): Defect {
  return saying(
    `${phase} of a second worker names the first one of its decision.`,
    (draft) => phaseOf(draft) === phase,
    (payload, { earlier }) => {
      const decided = earlier.findLastIndex(({ type }) => type === 'runOrchestrator.decided');
      const [workerId = payload['workerId']] = workersOf(earlier[decided]?.payload);
      return { ...payload, workerId };
    },
    'handoff.payloads.two-workers',
  );
}

/** What decisions and transitions say beside their kinds and causes. */
export const defects: Defects = {
  'handoff-transition-with-undeclared-member': saying(
    "Transitions say in a member of the host's own which attempt they are.",
    TRANSITION,
    (payload) => ({ ...payload, attempt: 1 }),
    'handoff.payloads',
  ),
  'handoff-decision-with-undeclared-member': saying(
    'Decisions carry the prompt that led to them.',
    DECIDED,
    (payload) => ({ ...payload, prompt: 'What next?' }),
    'handoff.payloads',
  ),
  'handoff-decision-names-a-worker-too-many': showingWorkers(
    'Decisions are shown with a worker that nobody planned.',
    (workers) => [...workers, 'nobody'],
  ),
  'handoff-decision-names-no-worker': showingWorkers('Decisions for a worker are shown with a list of none.', () => []),
  'handoff-decision-kind-as-number': showing(
    'The kind of a decision is shown as a number.',
    'runOrchestrator.decided',
    (payload) => ({ ...payload, decision: { ...(isObject(payload['decision']) ? payload['decision'] : {}), kind: 1 } }),
    'handoff.loop',
  ),
  'handoff-transitions-without-phase': showing(
    'Transitions are shown without their phase.',
    'core.workflowChain.event',
    (payload) => leftOut(payload, 'phase'),
    'handoff.happy-path',
  ),
  'handoff-harvested-other-keys': saying(
    'output.harvested names keys that nobody mapped.',
    HARVESTED,
    (payload) => ({ ...payload, harvestedKeys: ['other'] }),
    'handoff.payloads',
  ),
  'handoff-harvested-no-keys-but-in-forks': {
    breaks: 'output.harvested is shown with an empty list of keys, but in forks.',
    kills: ['handoff.payloads'],
    parts: knowingForks((modeOf) => () => ({
      eventOnWire: (event) =>
        phaseOf(event) === 'output.harvested' && modeOf(event.runId) === undefined
          ? withPayload(event, { harvestedKeys: [] })
          : event,
    })),
  },
  'handoff-later-harvest-of-other-keys': saying(
    'output.harvested of the second turn names keys that nobody mapped.',
    HARVESTED,
    (payload, { turn }) => (turn > 0 ? { ...payload, harvestedKeys: ['other'] } : payload),
    'handoff.payloads.turns',
  ),
  'handoff-other-parent': saying(
    'Transitions name another run as the parent.',
    TRANSITION,
    (payload) => ({ ...payload, parentRunId: 'run_other' }),
    'handoff.payloads',
  ),
  'handoff-child-as-parent': saying(
    'Transitions name the child as the parent.',
    TRANSITION,
    (payload) => ('childRunId' in payload ? { ...payload, parentRunId: payload['childRunId'] ?? null } : payload),
    'handoff.payloads',
  ),
  'handoff-failed-child-unnamed': saying(
    'child.failed does not name the child that dispatch.succeeded names.',
    (draft) => phaseOf(draft) === 'child.failed',
    (payload) => leftOut(payload, 'childRunId'),
    'handoff.payloads.failed',
  ),
  'handoff-failed-dispatch-names-a-child': saying(
    'dispatch.failed names a child that nobody created.',
    (draft) => phaseOf(draft) === 'dispatch.failed',
    (payload) => ({ ...payload, childRunId: 'run_of-nobody' }),
    'handoff.payloads.dispatch-failed',
  ),
  'handoff-other-child-at-the-end': saying(
    'child.completed names another run than the transitions before it.',
    TRANSITION,
    (payload) =>
      payload['phase'] === 'child.completed'
        ? { ...payload, childRunId: `${String(payload['childRunId'])}x` }
        : payload,
    'handoff.payloads',
  ),
  'handoff-worker-renamed': saying(
    'Transitions behind dispatch.began name a worker that nobody decided on.',
    TRANSITION,
    (payload) => (payload['phase'] === 'dispatch.began' ? payload : { ...payload, workerId: 'another-worker' }),
    'handoff.payloads',
  ),
  'handoff-worker-named-after-its-node': saying(
    'Transitions name the node that dispatches as the worker.',
    TRANSITION,
    (payload) => ({ ...payload, workerId: 'dispatch' }),
    'handoff.payloads',
  ),
  'handoff-later-turn-names-other-worker': saying(
    'The transitions of later turns name the worker of no decision.',
    TRANSITION,
    (payload, { turn }) => (turn > 0 ? { ...payload, workerId: 'worker-of-nobody' } : payload),
    'handoff.payloads.turns',
  ),
  'handoff-second-worker-names-the-first': namingTheFirst('child.completed'),
  'handoff-second-dispatch-names-the-first': namingTheFirst('dispatch.succeeded'),
  'handoff-nested-parent-is-the-root': {
    breaks: 'The transitions of a worker that hands off itself name the run that dispatched it as the parent.',
    kills: ['handoff.payloads.nested'],
    parts: ({ snapshotOnWire, eventOnWire }) => {
      const above = new Map<unknown, unknown>();
      return {
        snapshotOnWire,
        eventOnWire: (event, reading) => {
          const [parentRunId, childRunId] = [member(event.payload, 'parentRunId'), member(event.payload, 'childRunId')];
          if (phaseOf(event) !== undefined && childRunId !== undefined) above.set(childRunId, parentRunId);
          const root = above.get(parentRunId);
          return eventOnWire(root === undefined ? event : withPayload(event, { parentRunId: root }), reading);
        },
      };
    },
  },
  'handoff-sub-workflow-names-no-parent-run': saying(
    'The transitions of a sub-workflow name the node that hands off as the parent.',
    TRANSITION,
    (payload, { earlier }) =>
      earlier.some(({ type }) => type === 'runOrchestrator.decided')
        ? payload
        : { ...payload, parentRunId: 'delegate' },
    'handoff.payloads.sub-workflow',
  ),
  'handoff-failed-child-as-parent': saying(
    'child.failed names the child as the parent.',
    TRANSITION,
    (payload) =>
      payload['phase'] === 'child.failed' ? { ...payload, parentRunId: payload['childRunId'] ?? null } : payload,
    'handoff.payloads.failed',
  ),
  'handoff-cancelled-child-names-other-parent': saying(
    'child.cancelled names another run as the parent.',
    TRANSITION,
    (payload) => (payload['phase'] === 'child.cancelled' ? { ...payload, parentRunId: 'run_other' } : payload),
    'handoff.payloads.cancelled',
  ),
  'handoff-failure-names-no-worker-of-the-decision': saying(
    'dispatch.failed names a worker that nobody decided on.',
    TRANSITION,
    (payload) => (payload['phase'] === 'dispatch.failed' ? { ...payload, workerId: 'another-worker' } : payload),
    'handoff.payloads.dispatch-failed',
  ),
};

function workersOf(decided: unknown): readonly unknown[] {
  return listMember(member(decided, 'decision'), 'nextWorkerIds');
}
