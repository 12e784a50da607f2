import { executionModel } from '../../src/contract/gates.ts';
import type { Probe } from '../../src/host/probe.ts';
import { driveHandoff } from './drive.ts';
import { seeded } from './fixtures.ts';
import { readHandoff, type AllRecorded } from './handoff-run.ts';
import { ROLES } from './observation.ts';

/** What all scenarios of this suite have in common. */
export const COMMON = { suite: 'handoff-state-machine', gate: executionModel } as const;

/** What the scenarios have in common that start the first of these workflows and judge its handoffs to the others. */
export function handingOff(workflowIds: readonly [string, ...string[]], role: string = ROLES.handoff) {
  return {
    ...COMMON,
    needs: seeded(...workflowIds),
    drive: (probe: Probe) => driveHandoff(probe, workflowIds[0], role),
    see: (recorded: AllRecorded) => readHandoff(recorded, role),
  };
}
