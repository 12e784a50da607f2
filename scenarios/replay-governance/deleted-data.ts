import type { Need } from '../../src/runner/scenario.ts';
import { DELETE, driveDeletion, PERSONAL_DATA } from './deleted-drive.ts';
import { judgeCanonicalError, judgeReExposed, judgeRefused } from './judge-deleted.ts';
import { BRANCH, gatingSeam, governanceScenario, REPLAY } from './row.ts';

const ROW = 'privacy.deleted-data';
const NEEDS: readonly Need[] = [
  gatingSeam(DELETE),
  { kind: 'witness' },
  { kind: 'fixture', workflowId: PERSONAL_DATA },
];
const [FULL, LATE] = ['replay', 'replay from the last event'] as const;
const [BRANCH_LATE, BRANCH_MIDDLE] = ['branch from the last event', 'branch from the middle'] as const;

/** replay.md, Privacy: replays of a run from which data was deleted. */
export const deletedData = governanceScenario({
  id: ROW,
  title: 'A replay that needs deleted data fails and brings nothing of it back',
  needs: [REPLAY, ...NEEDS],
  rows: [
    {
      id: ROW,
      requirement: ROW,
      title: 'A replay that needs deleted data is refused, or fails',
      judge: (check, observations) => judgeRefused(observations, { check, role: FULL }),
    },
    {
      id: `${ROW}.canonical-error`,
      requirement: ROW,
      title: 'The refusal carries the error envelope, or the failed run an error code',
      judge: (check, observations) => judgeCanonicalError(observations, { check, role: FULL }),
    },
    {
      id: `${ROW}.re-exposed`,
      requirement: ROW,
      title: 'Neither a replay nor its refusal shows what was deleted',
      judge: (check, observations) => judgeReExposed(observations, { check, roles: [FULL, LATE] }),
    },
  ],
  patience: () => 60,
  drive: (probe) =>
    driveDeletion(probe, (sequences) => [
      { role: FULL, body: { mode: 'replay' } },
      { role: LATE, body: { mode: 'replay', fromSeq: sequences.at(-1) ?? 0 } },
    ]),
});

/** Branches may go on, from a redacted projection. */
export const deletedBranch = governanceScenario({
  id: `${ROW}.branch`,
  title: 'A branch of a run from which data was deleted brings nothing of it back',
  needs: [BRANCH, ...NEEDS],
  rows: [
    {
      id: `${ROW}.branch`,
      requirement: ROW,
      title: 'A branch is refused, or goes on without showing what was deleted',
      judge: (check, observations) => judgeReExposed(observations, { check, roles: [BRANCH_LATE, BRANCH_MIDDLE] }),
    },
  ],
  patience: () => 60,
  drive: (probe) =>
    driveDeletion(probe, (sequences) => [
      { role: BRANCH_LATE, body: { mode: 'branch', fromSeq: sequences.at(-1) ?? 0 } },
      { role: BRANCH_MIDDLE, body: { mode: 'branch', fromSeq: sequences[Math.floor(sequences.length / 2)] ?? 0 } },
    ]),
});
