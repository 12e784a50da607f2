import { executionModel } from '../../src/contract/gates.ts';
import type { Probe } from '../../src/host/probe.ts';
import type { Need } from '../../src/runner/scenario.ts';
import type { Candidates } from '../shared/first-executed.ts';
import type { Chain } from './chain.ts';
import { driveFirst, driveHandoff } from './drive.ts';
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

/** The same for the first of several workflows that is executed, and whose log holds what is asked for. */
export function handingOffFirst(
  candidates: Candidates,
  holds: (chain: Chain) => boolean,
  role: string = ROLES.handoff,
) {
  return {
    ...COMMON,
    needs: [{ kind: 'one-of', candidates }] satisfies readonly Need[],
    drive: (probe: Probe) => driveFirst(probe, candidates, { role, holds }),
    see: (recorded: AllRecorded) => readHandoff(recorded, role),
  };
}
