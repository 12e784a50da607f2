import { defineScenario } from '../../src/runner/define-scenario.ts';
import type { Need } from '../../src/runner/scenario.ts';
import { branches, replays } from '../shared/replays.ts';
import { judgeRedaction } from './judge-redaction.ts';
import type { Surface } from './listen.ts';
import { GOVERNANCE } from './observation-shapes.ts';
import { driveBranch, driveErrors, driveReplays, SECRET_ERROR, SECRETS } from './redaction-drive.ts';

const ROW = 'privacy.same-redaction';

function needsOf(fork: Need, workflowId: string): readonly Need[] {
  return [fork, { kind: 'witness' }, { kind: 'fixture', workflowId }];
}

/** What one check of a replay looks at. */
const LOOKED_AT: readonly (readonly [name: string, title: string, surfaces: readonly Surface[]])[] = [
  [
    'events',
    'The log of a replay, as JSON and by poll, shows no secret that the log of its source hides',
    ['log', 'log in debug mode', 'poll'],
  ],
  ['streams', 'Nor do its event streams, in any stream mode', ['stream', 'stream in another mode']],
  ['snapshot', 'Nor does its snapshot', ['snapshot']],
  ['diff', 'Nor do comparisons with it', ['diff']],
  ['answers', 'Nor do the answers and refusals to requests about it', ['answer', 'refusal']],
];

/** replay.md, Privacy: what is planted in a run, and looked for in everything that a replay of it shows. */
export const redaction = defineScenario({
  ...GOVERNANCE,
  id: ROW,
  title: 'A replay shows no secret that its source redacts',
  needs: needsOf(replays, SECRETS),
  patience: () => 90,
  drive: driveReplays,
  checks: [
    ...LOOKED_AT.map(([name, title, surfaces]) => ({
      id: `${ROW}.${name}`,
      title,
      judge: (recorded: Parameters<typeof judgeRedaction>[0]) => judgeRedaction(recorded, { fork: 'replay', surfaces }),
    })),
    {
      id: `${ROW}.replay-of-replay`,
      title: 'Nor does a replay of the replay, anywhere',
      judge: (recorded) => judgeRedaction(recorded, { fork: 'replay of the replay' }),
    },
  ],
});

/** The same for a branch, which shows its source's history as its own. */
export const branchRedaction = defineScenario({
  ...GOVERNANCE,
  id: `${ROW}.branch`,
  title: 'A branch shows no secret that its source redacts',
  needs: needsOf(branches, SECRETS),
  patience: () => 60,
  drive: driveBranch,
  checks: [
    {
      id: `${ROW}.branch`,
      title: 'No surface of a branch shows a secret that its source hides there',
      judge: (recorded) => judgeRedaction(recorded, { fork: 'branch' }),
    },
  ],
});

/** The same for a run that fails with secrets in its message. */
export const errorRedaction = defineScenario({
  ...GOVERNANCE,
  id: `${ROW}.errors`,
  title: 'A replay of a failed run shows no secret that the error of its source redacts',
  needs: needsOf(replays, SECRET_ERROR),
  patience: () => 60,
  drive: driveErrors,
  checks: [
    {
      id: `${ROW}.errors`,
      title: 'The error of a failed replay, wherever it is reported, shows no secret that its source hides there',
      judge: (recorded) => judgeRedaction(recorded, { fork: 'replay' }),
    },
  ],
});
