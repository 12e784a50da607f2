import { judgementOf } from '../../src/runner/define-scenario.ts';
import type { Need } from '../../src/runner/scenario.ts';
import { judgeInvisible } from '../shared/judge-invisible.ts';
import { branchBody, driveAccess, FORK } from './access-drive.ts';
import { judgeAccess } from './judge-access.ts';
import { BRANCH, governanceScenario, REPLAY } from './row.ts';

const ROW = 'privacy.same-access-checks';
const SECOND: Need = { kind: 'second-tenant' };

/** replay.md, Privacy: a replay belongs to whom its source belongs to. */
export const accessChecks = governanceScenario({
  id: ROW,
  title: 'A replay is kept from everybody from whom its source is kept',
  needs: [REPLAY, SECOND],
  rows: [
    {
      id: ROW,
      requirement: ROW,
      title: 'What another tenant is refused of a run it is refused of a replay of it',
      judge: judgeAccess,
    },
    {
      id: `${ROW}.indistinguishable`,
      requirement: ROW,
      title: "To another tenant's fork request a replay is like a run that there is not",
      judge: (check, observations) => judgementOf(check, judgeInvisible(observations, FORK)),
    },
  ],
  drive: (probe) => driveAccess(probe, () => ({ mode: 'replay' })),
});

/** The same for a branch. */
export const branchAccessChecks = governanceScenario({
  id: `${ROW}.branch`,
  title: 'A branch is kept from everybody from whom its source is kept',
  needs: [BRANCH, SECOND],
  rows: [
    {
      id: `${ROW}.branch`,
      requirement: ROW,
      title: 'What another tenant is refused of a run it is refused of a branch of it',
      judge: judgeAccess,
    },
  ],
  drive: (probe) => driveAccess(probe, branchBody),
});
