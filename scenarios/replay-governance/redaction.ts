import type { Need } from '../../src/runner/scenario.ts';
import { judgeRedaction } from './judge-redaction.ts';
import { driveBranch, driveErrors, driveReplays, SECRET_ERROR, SECRETS } from './redaction-drive.ts';
import { BRANCH, governanceScenario, REPLAY } from './row.ts';

const ROW = 'privacy.same-redaction';
const WITNESS: Need = { kind: 'witness' };

/** replay.md, Privacy: what is planted in a run, and looked for in everything that a replay of it shows. */
export const redaction = governanceScenario({
  id: ROW,
  title: 'A replay shows no secret that its source redacts',
  needs: [REPLAY, WITNESS, { kind: 'fixture', workflowId: SECRETS }],
  rows: [
    {
      id: `${ROW}.events`,
      requirement: ROW,
      title: 'The log of a replay, as JSON and by poll, shows no secret that the log of its source hides',
      judge: (check, observations) =>
        judgeRedaction(observations, { check, fork: 'replay', surfaces: ['log', 'log in debug mode', 'poll'] }),
    },
    {
      id: `${ROW}.streams`,
      requirement: ROW,
      title: 'Nor do its event streams, in any stream mode',
      judge: (check, observations) =>
        judgeRedaction(observations, { check, fork: 'replay', surfaces: ['stream', 'stream in another mode'] }),
    },
    {
      id: `${ROW}.snapshot`,
      requirement: ROW,
      title: 'Nor does its snapshot',
      judge: (check, observations) => judgeRedaction(observations, { check, fork: 'replay', surfaces: ['snapshot'] }),
    },
    {
      id: `${ROW}.diff`,
      requirement: ROW,
      title: 'Nor do comparisons with it',
      judge: (check, observations) => judgeRedaction(observations, { check, fork: 'replay', surfaces: ['diff'] }),
    },
    {
      id: `${ROW}.answers`,
      requirement: ROW,
      title: 'Nor do the answers and refusals to requests about it',
      judge: (check, observations) =>
        judgeRedaction(observations, { check, fork: 'replay', surfaces: ['answer', 'refusal'] }),
    },
    {
      id: `${ROW}.replay-of-replay`,
      requirement: ROW,
      title: 'Nor does a replay of the replay, anywhere',
      judge: (check, observations) => judgeRedaction(observations, { check, fork: 'replay of the replay' }),
    },
  ],
  patience: () => 90,
  drive: driveReplays,
});

/** The same for a branch, which shows its source's history as its own. */
export const branchRedaction = governanceScenario({
  id: `${ROW}.branch`,
  title: 'A branch shows no secret that its source redacts',
  needs: [BRANCH, WITNESS, { kind: 'fixture', workflowId: SECRETS }],
  rows: [
    {
      id: `${ROW}.branch`,
      requirement: ROW,
      title: 'No surface of a branch shows a secret that its source hides there',
      judge: (check, observations) => judgeRedaction(observations, { check, fork: 'branch' }),
    },
  ],
  patience: () => 60,
  drive: driveBranch,
});

/** The same for a run that fails with secrets in its message. */
export const errorRedaction = governanceScenario({
  id: `${ROW}.errors`,
  title: 'A replay of a failed run shows no secret that the error of its source redacts',
  needs: [REPLAY, WITNESS, { kind: 'fixture', workflowId: SECRET_ERROR }],
  rows: [
    {
      id: `${ROW}.errors`,
      requirement: ROW,
      title: 'The error of a failed replay, wherever it is told, shows no secret that its source hides there',
      judge: (check, observations) => judgeRedaction(observations, { check, fork: 'replay' }),
    },
  ],
  patience: () => 60,
  drive: driveErrors,
});
