import { defineScenario } from '../../src/runner/define-scenario.ts';
import type { Need } from '../../src/runner/scenario.ts';
import { branches, replays } from '../shared/replays.ts';
import { DELETE, driveDeletion, PERSONAL_DATA } from './deleted-drive.ts';
import { judgeCanonicalError, judgeReExposed, judgeRefused, seeDeletion } from './judge-deleted.ts';
import { faultIn } from './observation-shapes.ts';
import { gatingSeam } from './seam.ts';

const ROW = 'privacy.deleted-data';
const NEEDS: readonly Need[] = [
  gatingSeam(DELETE),
  { kind: 'witness' },
  { kind: 'fixture', workflowId: PERSONAL_DATA },
];
const [FULL, LATE] = ['replay', 'replay from the last event'] as const;
const [BRANCH_LATE, BRANCH_MIDDLE] = ['branch from the last event', 'branch from the middle'] as const;

/** replay.md, Privacy: replays of a run from which data was deleted. */
export const deletedData = defineScenario({
  id: ROW,
  suite: 'replay-governance',
  title: 'A replay that needs deleted data fails and brings nothing of it back',
  needs: [replays, ...NEEDS],
  patience: () => 60,
  drive: (probe) =>
    driveDeletion(probe, (sequences) => [
      { role: FULL, body: { mode: 'replay' } },
      { role: LATE, body: { mode: 'replay', fromSeq: sequences.at(-1) ?? 0 } },
    ]),
  see: seeDeletion,
  faultIn,
  checks: [
    {
      id: ROW,
      title: 'A replay that needs deleted data is refused, or fails',
      judge: (seen) => judgeRefused(seen, FULL),
    },
    {
      id: `${ROW}.canonical-error`,
      title: 'The refusal carries the error envelope, or the failed run an error code',
      judge: (seen) => judgeCanonicalError(seen, FULL),
    },
    {
      id: `${ROW}.re-exposed`,
      title: 'Neither a replay nor its refusal shows what was deleted',
      judge: (seen) => judgeReExposed(seen, [FULL, LATE]),
    },
  ],
});

/** Branches may go on, from a redacted projection. */
export const deletedBranch = defineScenario({
  id: `${ROW}.branch`,
  suite: 'replay-governance',
  title: 'A branch of a run from which data was deleted brings nothing of it back',
  needs: [branches, ...NEEDS],
  patience: () => 60,
  drive: (probe) =>
    driveDeletion(probe, (sequences) => [
      { role: BRANCH_LATE, body: { mode: 'branch', fromSeq: sequences.at(-1) ?? 0 } },
      { role: BRANCH_MIDDLE, body: { mode: 'branch', fromSeq: sequences[Math.floor(sequences.length / 2)] ?? 0 } },
    ]),
  see: seeDeletion,
  faultIn,
  checks: [
    {
      id: `${ROW}.branch`,
      title: 'A branch is refused, or goes on without showing what was deleted',
      judge: (seen) => judgeReExposed(seen, [BRANCH_LATE, BRANCH_MIDDLE]),
    },
  ],
});
