import { defineScenario } from '../../src/runner/define-scenario.ts';
import { branches, replays } from '../shared/replays.ts';
import { branchBody } from './access-drive.ts';
import { AUDIT, driveAudit } from './audit-drive.ts';
import { judgeAudit, judgeAuditSecret, seeAudit } from './judge-audit.ts';
import { faultIn } from './observation-shapes.ts';
import { gatingSeam } from './seam.ts';

const ROW = 'privacy.audit';

/** replay.md, Privacy: replays of a run with a sensitive input. */
export const audit = defineScenario({
  id: ROW,
  suite: 'replay-governance',
  title: 'A replay of a run with sensitive fields leaves an audit record',
  needs: [replays, gatingSeam(AUDIT)],
  drive: (probe) => driveAudit(probe, () => ({ mode: 'replay' })),
  see: seeAudit,
  faultIn,
  checks: [
    { id: ROW, title: 'The audit names the replay and its source', judge: judgeAudit },
    { id: `${ROW}.no-secret`, title: 'The audit shows no secret of the run', judge: judgeAuditSecret },
  ],
});

/** The same for branches. */
export const branchAudit = defineScenario({
  id: `${ROW}.branch`,
  suite: 'replay-governance',
  title: 'A branch of a run with sensitive fields leaves an audit record',
  needs: [branches, gatingSeam(AUDIT)],
  drive: (probe) => driveAudit(probe, branchBody),
  see: seeAudit,
  faultIn,
  checks: [{ id: `${ROW}.branch`, title: 'The audit names the branch and its source', judge: judgeAudit }],
});
