import { provableSemantics } from '../../src/contract/gates.ts';
import { defineJudgedScenario } from '../../src/runner/define-judged.ts';
import type { Check } from '../../src/runner/scenario.ts';
import { ONCE, type CrashObservation } from './cell.ts';
import { driveMatrix } from './crash-drive.ts';
import { cutNeeds } from './crash-seams.ts';
import { judgeAuthority } from './judge-authority.ts';
import { judgeEveryCut, judgeRecovery } from './judge-every-cut.ts';
import { judgeFound } from './judge-found.ts';
import { judgeWindow } from './judge-windows.ts';
import { readMatrix } from './seen-matrix.ts';

const before = 'once.before-execution';
const executed = 'once.executed-not-recorded';
const effect = 'once.effect-not-appended';
const appended = 'once.appended-not-committed';
const committed = 'once.committed';
const everyCut = 'once.every-cut';
const recovery = `${everyCut}.recovery`;
const authority = 'once.stream-is-authority';
const order = 'once.write-order';

const CHECKS: readonly Check[] = [
  { id: before, requirement: before, title: 'A tool that was not begun when the host died is called exactly once' },
  {
    id: executed,
    requirement: executed,
    title: 'A tool that may have been called is not called again, and the run ends',
  },
  { id: effect, requirement: effect, title: 'A recorded effect is written to the stream once, and nobody is called' },
  { id: appended, requirement: appended, title: 'A result in the stream is injected, whatever the ledger says' },
  { id: committed, requirement: committed, title: 'A committed result is injected' },
  {
    id: everyCut,
    requirement: everyCut,
    title: 'At every failpoint that a run passes the tool is called at most once',
  },
  { id: recovery, requirement: everyCut, title: 'The same holds where the host dies again while it recovers' },
  {
    id: authority,
    requirement: authority,
    title: 'Where the stream holds the result and the ledger does not, the run goes on with the result in the stream',
  },
  {
    id: `${order}.found`,
    requirement: order,
    title: 'What the stores hold after a death is the beginning of the write order',
  },
];

/** The crash matrix: provable-semantics §2 and §3, one run for each cut and each pair of cuts. */
export const crash = defineJudgedScenario<CrashObservation>({
  id: everyCut,
  suite: 'at-most-once',
  title: 'One call of a tool, and a death at every step',
  checks: CHECKS,
  gate: provableSemantics,
  needs: cutNeeds(ONCE),
  exclusive: [],
  patience: (options) => (options.crash === 'full' ? 240 : 60),
  drive: driveMatrix,
  judge: (observations) => {
    const matrix = readMatrix(observations);
    return [
      judgeWindow(before, '1', matrix),
      judgeWindow(executed, '2', matrix),
      judgeWindow(effect, '3', matrix),
      judgeWindow(appended, '4', matrix),
      judgeWindow(committed, '5', matrix),
      judgeEveryCut(everyCut, matrix),
      judgeRecovery(recovery, matrix),
      judgeAuthority(authority, matrix),
      judgeFound(`${order}.found`, matrix),
    ];
  },
});
