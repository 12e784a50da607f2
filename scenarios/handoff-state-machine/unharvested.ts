import type { Observation } from '../../src/evidence/types.ts';
import type { Probe } from '../../src/host/probe.ts';
import { driveHandoff, driveTwin } from './drive.ts';
import { driveCancelled } from './cancel-drive.ts';
import { ASKER, BROKEN, FAILING, MISSING, PUBLIC, seeded, TELLER, UNMAPPED, WAITING } from './fixtures.ts';
import { judgeEndLink } from './judge-end-link.ts';
import { judgeFailure } from './judge-failure.ts';
import { judgeUnmapped } from './judge-harvest.ts';
import { notCancelled } from './judge-cancelled.ts';
import { judgeUnharvested } from './judge-unharvested.ts';
import { handoffScenario } from './row.ts';
import { CANCELLED, DISPATCH_FAILED, FAILED } from './transition.ts';

const ROLE = 'handoff';

async function besideTwin(probe: Probe, driven: Promise<readonly Observation[]>): Promise<readonly Observation[]> {
  const [seen, twin] = await Promise.all([driven, driveTwin(probe)]);
  return [...seen, ...twin];
}

/** An outputMapping without entries. */
export const unmapped = handoffScenario({
  id: 'handoff.unmapped',
  title: 'A worker whose outputs nobody maps',
  needs: [...PUBLIC, ...seeded(UNMAPPED, TELLER)],
  rows: [
    {
      id: 'handoff.harvest-exactly-when.unmapped',
      title: 'A completed child whose outputMapping is empty is not harvested',
      judge: (check, seen) => judgeUnmapped(check, seen, ROLE),
    },
  ],
  drive: (probe) => besideTwin(probe, driveHandoff(probe, { workflowId: UNMAPPED }, ROLE)),
});

/** A child that fails. */
export const failing = handoffScenario({
  id: 'handoff.failing-child',
  title: 'A worker fails',
  needs: [...PUBLIC, ...seeded(FAILING, BROKEN)],
  rows: [
    {
      id: 'handoff.failed-child-skips-harvest.failed',
      title: 'A failed child is reported as such, and not harvested',
      judge: (check, seen) => judgeUnharvested(check, seen, { role: ROLE, phase: FAILED }),
    },
    {
      id: 'handoff.causation-chain.failed',
      title: 'The causationId of child.failed is the eventId of the transition before it',
      judge: (check, seen) => judgeEndLink(check, seen, { role: ROLE, phase: FAILED }),
    },
  ],
  drive: (probe) => besideTwin(probe, driveHandoff(probe, { workflowId: FAILING }, ROLE)),
});

/** A child that is cancelled while it waits. */
export const cancelled = handoffScenario({
  id: 'handoff.cancelled-child',
  title: 'A worker is cancelled',
  needs: [...PUBLIC, ...seeded(WAITING, ASKER)],
  rows: [
    {
      id: 'handoff.failed-child-skips-harvest.cancelled',
      title: 'A cancelled child is reported as such, and not harvested',
      judge: (check, seen) =>
        notCancelled(check, seen) ?? judgeUnharvested(check, seen, { role: ROLE, phase: CANCELLED }),
    },
    {
      id: 'handoff.causation-chain.cancelled',
      title: 'The causationId of child.cancelled is the eventId of the transition before it',
      judge: (check, seen) => notCancelled(check, seen) ?? judgeEndLink(check, seen, { role: ROLE, phase: CANCELLED }),
    },
  ],
  drive: (probe) => besideTwin(probe, driveCancelled(probe, WAITING, ROLE)),
});

/** A child that cannot be created. */
export const missing = handoffScenario({
  id: 'handoff.missing-worker',
  title: 'A worker that does not exist',
  needs: [...PUBLIC, ...seeded(MISSING)],
  rows: [
    {
      id: 'handoff.dispatch-failure',
      title: 'A child that cannot be created gives exactly one dispatch failure and no later transition',
      judge: (check, seen) => judgeFailure(check, seen, ROLE),
    },
    {
      id: 'handoff.causation-chain.dispatch-failed',
      title: 'The causationId of dispatch.failed is the eventId of dispatch.began, or the decision where nothing began',
      judge: (check, seen) => judgeEndLink(check, seen, { role: ROLE, phase: DISPATCH_FAILED }),
    },
  ],
  drive: (probe) => besideTwin(probe, driveHandoff(probe, { workflowId: MISSING }, ROLE)),
});
