import { isOutcome, type Outcome } from '../../src/contract/outcome.ts';
import type { Observation } from '../../src/evidence/types.ts';
import type { Probe } from '../../src/host/probe.ts';
import { defineScenario } from '../../src/runner/define-scenario.ts';
import { driveCancelled, notCancelled } from './cancelled.ts';
import { driveHandoff, startWhole } from './drive.ts';
import { ASKER, BROKEN, FAILING, HANDOFF, MISSING, PUBLIC, seeded, TELLER, UNMAPPED, WAITING } from './fixtures.ts';
import { readHandoff, type AllRecorded } from './handoff-run.ts';
import { judgeFailure, judgeUnharvested, judgeUnmapped, readControl, type Unharvested } from './judge-harvest.ts';
import { judgeEndLink } from './judge-links.ts';
import { ROLES } from './observation.ts';
import { COMMON } from './suite.ts';

/** What the scenarios have in common that start the first of these workflows, beside a control run. */
function besideControl(
  workflowIds: readonly [string, ...string[]],
  drive: (probe: Probe, workflowId: string) => Promise<readonly Observation[]> = (probe, id) =>
    driveHandoff(probe, id, ROLES.handoff),
) {
  return {
    ...COMMON,
    needs: seeded(...PUBLIC, ...workflowIds),
    drive: async (probe: Probe): Promise<readonly Observation[]> => {
      const [driven, control] = await Promise.all([
        drive(probe, workflowIds[0]),
        startWhole(probe, HANDOFF, ROLES.control),
      ]);
      return [...driven, control];
    },
    see: seeUnharvested,
  };
}

function seeUnharvested(recorded: AllRecorded): Unharvested | Outcome {
  const handoff = readHandoff(recorded, ROLES.handoff);
  return isOutcome(handoff) ? handoff : { handoff, control: readControl(recorded) };
}

/** An outputMapping without entries. */
export const unmapped = defineScenario({
  ...besideControl([UNMAPPED, TELLER]),
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
  ...besideControl([FAILING, BROKEN]),
  id: 'handoff.failing-child',
  title: 'A worker fails',
  checks: [
    {
      id: 'handoff.failed-child-skips-harvest.failed',
      title: 'A failed child is reported as such, and not harvested',
      judge: (seen) => judgeUnharvested(seen, 'child.failed'),
    },
    {
      id: 'handoff.causation-chain.failed',
      title: 'The causationId of child.failed is the eventId of the transition before it',
      judge: ({ handoff }) => judgeEndLink(handoff, 'child.failed'),
    },
  ],
});

/** A child that is cancelled while it waits. */
export const cancelled = defineScenario({
  ...besideControl([WAITING, ASKER], driveCancelled),
  id: 'handoff.cancelled-child',
  title: 'A worker is cancelled',
  see: (recorded: AllRecorded) => notCancelled(recorded) ?? seeUnharvested(recorded),
  checks: [
    {
      id: 'handoff.failed-child-skips-harvest.cancelled',
      title: 'A cancelled child is reported as such, and not harvested',
      judge: (seen) => judgeUnharvested(seen, 'child.cancelled'),
    },
    {
      id: 'handoff.causation-chain.cancelled',
      title: 'The causationId of child.cancelled is the eventId of the transition before it',
      judge: ({ handoff }) => judgeEndLink(handoff, 'child.cancelled'),
    },
  ],
});

/** A child that cannot be created. */
export const missing = defineScenario({
  ...besideControl([MISSING]),
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
  ],
});
