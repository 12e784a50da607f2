import { defineScenario } from '../../src/runner/define-scenario.ts';
import { judgeInvisible } from '../shared/judge-invisible.ts';
import { branches, replays } from '../shared/replays.ts';
import { branchBody, driveAccess, FORK } from './access-drive.ts';
import { judgeAccess } from './judge-access.ts';
import { GOVERNANCE } from './observation-shapes.ts';

const ROW = 'privacy.same-access-checks';

/** replay.md, Privacy: a replay belongs to whom its source belongs to. */
export const accessChecks = defineScenario({
  ...GOVERNANCE,
  id: ROW,
  title: 'A replay is kept from everybody from whom its source is kept',
  needs: [replays, { kind: 'second-tenant' }],
  drive: (probe) => driveAccess(probe, () => ({ mode: 'replay' })),
  checks: [
    {
      id: ROW,
      title: 'What another tenant is refused of a run it is refused of a replay of it',
      judge: judgeAccess,
    },
    {
      id: `${ROW}.indistinguishable`,
      title: "To another tenant's fork request a replay is like a run that there is not",
      judge: (recorded) => judgeInvisible(recorded, FORK),
    },
  ],
});

/** The same for a branch. */
export const branchAccessChecks = defineScenario({
  ...GOVERNANCE,
  id: `${ROW}.branch`,
  title: 'A branch is kept from everybody from whom its source is kept',
  needs: [branches, { kind: 'second-tenant' }],
  drive: (probe) => driveAccess(probe, branchBody),
  checks: [
    {
      id: `${ROW}.branch`,
      title: 'What another tenant is refused of a run it is refused of a branch of it',
      judge: judgeAccess,
    },
  ],
});
