import type { CrashWindow } from '../../src/contract/crash-matrix.ts';
import type { Cell } from './read-cell.ts';

/** The windows of provable-semantics §2, each with the failpoint in which it shows. */
export const WINDOWS: readonly (readonly [window: CrashWindow, id: string, title: string, expose: string])[] = [
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

/** The check of all single cuts, and that of pairs of cuts. */
export const EVERY_CUT = 'once.every-cut';
export const RECOVERY = 'once.every-cut.recovery';

/** The row of the window in which a cell's death lies; undefined outside all windows. */
export function rowOf({ reached, window }: Cell): string | undefined {
  return reached ? WINDOWS.find(([each]) => each === window)?.[1] : undefined;
}

/** The check to which it belongs what a cell shows whatever is asked of it: that of its window, or that of pairs. */
export function ownerOf(cell: Cell): string | undefined {
  return cell.cell.second === null ? rowOf(cell) : RECOVERY;
}
