import { branchBody } from './access-drive.ts';
import { AUDIT, driveAudit } from './audit-drive.ts';
import { judgeAudit, judgeAuditSecret } from './judge-audit.ts';
import { BRANCH, gatingSeam, governanceScenario, REPLAY } from './row.ts';

const ROW = 'privacy.audit';
const SEAM = gatingSeam(AUDIT);

/** replay.md, Privacy: replays of a run with a sensitive input. */
export const audit = governanceScenario({
  id: ROW,
  title: 'A replay of a run with sensitive fields leaves an audit record',
  needs: [REPLAY, SEAM],
  rows: [
    {
      id: ROW,
      requirement: ROW,
      title: 'The audit names the replay and its source',
      judge: judgeAudit,
    },
    {
      id: `${ROW}.no-secret`,
      requirement: ROW,
      title: 'The audit shows no secret of the run',
      judge: judgeAuditSecret,
    },
  ],
  drive: (probe) => driveAudit(probe, () => ({ mode: 'replay' })),
});

/** The same for branches. */
export const branchAudit = governanceScenario({
  id: `${ROW}.branch`,
  title: 'A branch of a run with sensitive fields leaves an audit record',
  needs: [BRANCH, SEAM],
  rows: [
    {
      id: `${ROW}.branch`,
      requirement: ROW,
      title: 'The audit names the branch and its source',
      judge: judgeAudit,
    },
  ],
  drive: (probe) => driveAudit(probe, branchBody),
});
