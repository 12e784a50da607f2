import type { CrashWindow } from '../../src/contract/crash-matrix.ts';
import { provableSemantics } from '../../src/contract/gates.ts';
import { defineScenario } from '../../src/runner/define-scenario.ts';
import { ONCE, type CrashObservation } from './cell.ts';
import { driveMatrix } from './crash-drive.ts';
import { cutNeeds } from './crash-seams.ts';
import { judgeAuthority } from './judge-authority.ts';
import { judgeEveryCut, judgeRecovery, judgeWindow } from './judge-cuts.ts';
import { judgeFound } from './judge-found.ts';
import { faultIn } from './observation-shapes.ts';
import { readMatrix, type SeenMatrix } from './seen-matrix.ts';

/** The windows of provable-semantics §2, each with the failpoint in which it shows. */
const WINDOWS: readonly (readonly [window: CrashWindow, id: string, title: string, expose: string])[] = [
  [
    '1',
    'once.before-execution',
    'A tool that was not begun when the host died is called exactly once',
    'before the started event, such as before-append-started',
  ],
  [
    '2',
    'once.executed-not-recorded',
    'A tool that may have been called is not called again, and the run ends',
    'between the tool and PutEffect, such as after-execute',
  ],
  [
    '3',
    'once.effect-not-appended',
    'A recorded effect is written to the stream once, and nobody is called',
    'between PutEffect and the append, such as after-put-effect',
  ],
  [
    '4',
    'once.appended-not-committed',
    'A result in the stream is injected, whatever the ledger says',
    "between the append and the ledger's commit, such as after-append-command-committed",
  ],
  ['5', 'once.committed', 'A committed result is injected', "after the ledger's commit, such as after-ledger-commit"],
];

/** The crash matrix: provable-semantics §2 and §3, one run for each cut and each pair of cuts. */
export const crash = defineScenario<CrashObservation, SeenMatrix>({
  id: 'once.every-cut',
  suite: 'at-most-once',
  title: 'One call of a tool, and a death at every step',
  gate: provableSemantics,
  needs: cutNeeds(ONCE),
  patience: (options) => (options.crash === 'full' ? 240 : 60),
  drive: driveMatrix,
  see: readMatrix,
  faultIn,
  checks: [
    ...WINDOWS.map(([window, id, title, expose]) => ({
      id,
      title,
      judge: (matrix: SeenMatrix) => judgeWindow(matrix, window, expose),
    })),
    {
      id: 'once.every-cut',
      title: 'At every failpoint that a run passes the tool is called at most once',
      judge: judgeEveryCut,
    },
    {
      id: 'once.every-cut.recovery',
      title: 'The same holds where the host dies again while it recovers',
      judge: judgeRecovery,
    },
    {
      id: 'once.stream-is-authority',
      title: 'Where the stream holds the result and the ledger does not, the run goes on with the result in the stream',
      judge: judgeAuthority,
    },
    {
      id: 'once.write-order.found',
      title: 'What the stores hold after a death is the beginning of the write order',
      judge: judgeFound,
    },
  ],
});
