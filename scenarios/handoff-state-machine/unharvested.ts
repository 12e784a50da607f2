import { isOutcome, type Outcome, undecided } from '../../src/contract/outcome.ts';
import type { Observation } from '../../src/evidence/types.ts';
import { pause } from '../../src/host/pause.ts';
import type { Probe } from '../../src/host/probe.ts';
import type { RunEvent } from '../../src/host/run-event.ts';
import { canStandInPath } from '../../src/host/runs.ts';
import { isSuccess } from '../../src/protocol/status.ts';
import { defineScenario } from '../../src/runner/define-scenario.ts';
import type { Need } from '../../src/runner/scenario.ts';
import { cancelRun } from '../shared/cancel.ts';
import { named } from '../shared/compare-runs.ts';
import { isAsking } from '../shared/open-question.ts';
import { readAgain, type RunObservation, startRun } from '../shared/run-observation.ts';
import { besideLoop } from './beside-loop.ts';
import { readChain } from './chain.ts';
import { followChild, driveFirst, driveHandoff, startWhole, withChildren, withHiddenEvents, COMMON } from './suite.ts';
import { ASKER, BROKEN, FAILING, HANDOFF, MISSING, PUBLIC, seeded, UNMAPPED, WAITING } from './fixtures.ts';
import { type AllRecorded, namingItself, readHandoff, recordedAs } from './handoff-run.ts';
import { judgeFailure, judgeUnharvested, judgeUnmapped, readControl, type Unharvested } from './judge-harvest.ts';
import { judgeEndLink } from './judge-links.ts';
import { judgePayloads } from './judge-payloads.ts';
import { type CancelObservation, ROLES } from './observation.ts';
import { readDecision, readTransition } from './transition.ts';
import { childNamedBy } from '../shared/read-event.ts';

/** Starts a parent, cancels its child while that waits for somebody, and follows the parent to its end. */
async function driveCancelled(probe: Probe, workflowId: string): Promise<readonly Observation[]> {
  const live = await driveLive(probe, workflowId);
  const childId = readChain(live).children.find((id) => id !== live.runId);
  if (live.problem !== null || childId === undefined || !canStandInPath(childId)) {
    await cancelRun(probe, live.runId);
    return [live];
  }
  const { followed, exchanges } = await followChild(probe, childId, isAsking);
  const answer = await cancelRun(probe, childId);
  const cancelled: CancelObservation = {
    type: 'cancel',
    runId: childId,
    answered: answer.status,
    waited: followed.kind === 'reached',
    exchanges: [...exchanges, ...answer.exchanges],
  };
  if (!isSuccess(answer.status)) {
    await cancelRun(probe, live.runId);
    return [live, cancelled];
  }
  const ended = await withHiddenEvents(probe, await readAgain(probe, live, { role: ROLES.handoff }));
  return [live, cancelled, ...(await withChildren(probe, ended))];
}

/** A part of an exchange's time in which a parent that has begun to dispatch has to name the child. */
const PATIENCE = 0.5;

/**
 * Starts a parent and watches it until its log names its child. A log that shows the dispatch and names no child for a
 * while will not do so before the child's end, which is not waited for: the parent is cancelled, and given as it was.
 */
async function driveLive(probe: Probe, workflowId: string): Promise<RunObservation> {
  const until = (event: RunEvent): boolean => namesChild(event) || isDispatch(event);
  const begun = await startRun(probe, { workflowId, inputs: {} }, { role: ROLES.live, until });
  if (begun.problem !== null || readChain(begun).children.length > 0) return begun;
  const settled = new AbortController();
  const patience = pause(probe.timeoutMs * PATIENCE, AbortSignal.any([probe.signal, settled.signal]));
  const reading = readAgain(probe, begun, { role: ROLES.live, until: namesChild });
  const soon = await Promise.race([reading, patience]);
  settled.abort();
  if (soon !== undefined) return soon;
  const { exchanges } = await cancelRun(probe, begun.runId);
  const late = await reading;
  return { ...begun, exchanges: [...begun.exchanges, ...exchanges, ...late.exchanges] };
}

function isDispatch(event: RunEvent): boolean {
  return readTransition(event) !== undefined || readDecision(event)?.kind === 'next-worker';
}

function namesChild(event: RunEvent): boolean {
  return childNamedBy(event) !== undefined;
}

/** The outcome that is left where the child was not cancelled, which its parent has to name while it runs; else undefined. */
function notCancelled(recorded: AllRecorded): Outcome | undefined {
  const live = readHandoff(recorded, ROLES.live);
  if (isOutcome(live)) return live;
  const { run, chain } = live;
  if (!chain.children.some((id) => id !== run.runId)) {
    const itself = namingItself(live);
    if (itself !== undefined) return itself;
    const how = 'give childRunId in dispatch.succeeded or node.dispatched while the child runs';
    return undecided(`${named(run)} does not name the child that it waits for: ${how}`, [run]);
  }
  const cancelled = recordedAs(recorded, 'cancel')[0];
  if (cancelled === undefined) return undecided(`the child of ${named(run)} was not cancelled`, [run]);
  const { runId, waited, answered } = cancelled;
  if (!waited) {
    const how = 'its log has to show interrupt.requested while it runs';
    return undecided(`the child ${runId} was not seen to wait for somebody: ${how}`, [run, cancelled]);
  }
  if (isSuccess(answered)) return undefined;
  const what = `POST /v1/runs/{childRunId}/cancel answered ${answered ?? 'nothing'}`;
  return undecided(`${what}: it has to cancel a child that waits`, [run, cancelled]);
}

/** What the scenarios have in common that drive a run beside a control run. */
function besideControl(needs: readonly Need[], drive: (probe: Probe) => Promise<readonly Observation[]>) {
  return {
    ...COMMON,
    needs: [...seeded(...PUBLIC), ...needs],
    drive: async (probe: Probe): Promise<readonly Observation[]> => {
      const [driven, control] = await Promise.all([drive(probe), startWhole(probe, HANDOFF, ROLES.control)]);
      return [...driven, control];
    },
    see: seeUnharvested,
  };
}

/** The same for the first of these workflows, which dispatches the others. */
function startingBesideControl(...workflowIds: readonly [string, ...string[]]) {
  return besideControl(seeded(...workflowIds), (probe) => driveHandoff(probe, workflowIds[0], ROLES.handoff));
}

function seeUnharvested(recorded: AllRecorded): Unharvested | Outcome {
  const handoff = readHandoff(recorded, ROLES.handoff);
  return isOutcome(handoff) ? handoff : { handoff, control: readControl(recorded) };
}

/** A child that did not complete; what is dispatched behind terminate is for the row about the loop. */
function judgeEnded(recorded: Unharvested, phase: Parameters<typeof judgeUnharvested>[1]): Outcome {
  return besideLoop(recorded.handoff, (handoff) => judgeUnharvested({ ...recorded, handoff }, phase));
}

/** No outputMapping, or one without entries. */
export const unmapped = defineScenario({
  ...besideControl([{ kind: 'one-of', candidates: UNMAPPED }], (probe) =>
    driveFirst(probe, UNMAPPED, { role: ROLES.handoff, holds: ({ transitions }) => transitions.length > 0 }),
  ),
  id: 'handoff.unmapped',
  title: 'A worker whose outputs nobody maps',
  checks: [
    {
      id: 'handoff.harvest-exactly-when.unmapped',
      title: 'A completed child whose outputMapping is empty is not harvested',
      judge: judgeUnmapped,
    },
  ],
});

/** A child that fails. */
export const failing = defineScenario({
  ...startingBesideControl(FAILING, BROKEN),
  id: 'handoff.failing-child',
  title: 'A worker fails',
  checks: [
    {
      id: 'handoff.failed-child-skips-harvest.failed',
      title: 'A failed child is reported as such, and not harvested',
      judge: (recorded) => judgeEnded(recorded, 'child.failed'),
    },
    {
      id: 'handoff.causation-chain.failed',
      title: 'The causationId of child.failed is the eventId of the transition before it',
      judge: ({ handoff }) => judgeEndLink(handoff, 'child.failed'),
    },
    {
      id: 'handoff.payloads.failed',
      title: 'Decisions and transitions of a worker that fails hold the declared members only, with the right values',
      judge: ({ handoff }) => judgePayloads(handoff),
    },
  ],
});

/** A child that is cancelled while it waits. */
export const cancelled = defineScenario({
  ...besideControl(seeded(WAITING, ASKER), (probe) => driveCancelled(probe, WAITING)),
  id: 'handoff.cancelled-child',
  title: 'A worker is cancelled',
  see: (recorded: AllRecorded) => notCancelled(recorded) ?? seeUnharvested(recorded),
  checks: [
    {
      id: 'handoff.failed-child-skips-harvest.cancelled',
      title: 'A cancelled child is reported as such, and not harvested',
      judge: (recorded) => judgeEnded(recorded, 'child.cancelled'),
    },
    {
      id: 'handoff.causation-chain.cancelled',
      title: 'The causationId of child.cancelled is the eventId of the transition before it',
      judge: ({ handoff }) => judgeEndLink(handoff, 'child.cancelled'),
    },
    {
      id: 'handoff.payloads.cancelled',
      title:
        'Decisions and transitions of a worker that is cancelled hold the declared members only, with the right values',
      judge: ({ handoff }) => judgePayloads(handoff),
    },
  ],
});

/** A child that cannot be created. */
export const missing = defineScenario({
  ...startingBesideControl(MISSING),
  id: 'handoff.missing-worker',
  title: 'A worker that does not exist',
  checks: [
    {
      id: 'handoff.dispatch-failure',
      title: 'A child that cannot be created gives exactly one dispatch failure and no later transition',
      judge: judgeFailure,
    },
    {
      id: 'handoff.causation-chain.dispatch-failed',
      title: 'The causationId of dispatch.failed is the eventId of dispatch.began, or the decision where nothing began',
      judge: ({ handoff }) => judgeEndLink(handoff, 'dispatch.failed'),
    },
    {
      id: 'handoff.payloads.dispatch-failed',
      title:
        'Decisions and transitions of a worker that does not exist hold the declared members only, with the right values',
      judge: ({ handoff }) => judgePayloads(handoff),
    },
  ],
});
