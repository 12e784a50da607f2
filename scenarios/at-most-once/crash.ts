import type { CrashWindow } from '../../src/contract/crash-matrix.ts';
import { provableSemantics } from '../../src/contract/gates.ts';
import { pass, undecided, undecidedUntil, type Outcome } from '../../src/contract/outcome.ts';
import { defineScenario } from '../../src/runner/define-scenario.ts';
import { judgeCatchUp } from './catch-up.ts';
import { calledByReplay, defectOf, judgeBy, judgeCells, listed, NAMED, ownTypesLost } from './cell-defects.ts';
import { cellText, NOT_DEAD, type CrashObservation } from './cell.ts';
import { judgeAuthority, judgeFound } from './crash-stores.ts';
import { driveMatrix } from './crash-drive.ts';
import { cutNeeds } from './crash-seams.ts';
import { stageOfName, windowOfStage } from './failpoint-names.ts';
import { ONCE } from './fixtures.ts';
import { readMatrix, withoutDeath, type Matrix } from './matrix.ts';
import { firstOf, isDriven, isFollowed, isLost, type Cell } from './read-cell.ts';
import { toldIn, untoldIn, withoutRuns } from './told.ts';
import { EVERY_CUT, RECOVERY, rowOf, WINDOWS } from './windows.ts';

const BEFORE_RECORD = 'expose a failpoint before the call is recorded, such as before-acquire';

const FIND_AGAIN =
  'answer POST /v1/runs before the run executes, or advertise idempotency, so that a request sent again finds the run';

const ARM_AT_START = 'give --restart-command, and let the host read FAILPOINT=name@hit from its environment';

/** What to do about a host that stays away, which everything else waits for. */
const COME_BACK = { step: 'let the host come back by itself after its death, or give --restart-command' };

/** The single cuts that lie in one window; `expose` is the failpoint that shows it. */
function judgeWindow(matrix: Matrix, [window, row, , expose]: (typeof WINDOWS)[number]): Outcome {
  const { singles, uncut, control } = matrix;
  const cells = singles.filter((cell) => cell.reached && cell.window === window);
  if (cells.length > 0) {
    return (
      judgeBy(untoldIn(row, matrix, toldIn(matrix)), cells, { control }) ??
      firstCalledAgain(cells) ??
      judgeFollowed(cells, window)
    );
  }
  const lost = withoutRuns(matrix);
  if (lost !== undefined) return lost;
  const gone = singles.find(({ cell }) => cell.deaths.some(({ revival }) => !revival.ok));
  if (gone !== undefined) {
    return undecided(
      `no death was seen there: the host did not come back after ${listed([gone])}`,
      [gone],
      [COME_BACK],
    );
  }
  const left = singles.filter(({ reached }) => !reached);
  const note = left.length === 0 ? '' : ` (${listed(left)}: ${left.every(isDriven) ? NOT_DEAD : 'not seen'})`;
  const there = unreportedIn(matrix, window);
  if (there !== undefined) {
    const step = `let POST …/failpoint/passed tell of ${there} where a run passes it`;
    return undecided(
      `no death was seen there: ${there} is advertised, and no run was told to pass it`,
      [uncut],
      [{ step }],
    );
  }
  return undecided(
    `no death was seen there: expose a failpoint ${expose}${note}`,
    [uncut],
    [{ step: `expose a failpoint ${expose}` }],
  );
}

function firstCalledAgain(cells: readonly Cell[]): Outcome | undefined {
  return cells.flatMap((cell) => calledByReplay(cell) ?? [])[0];
}

/** Sound cells of a window, of which one at least has to be that of a run which was followed through its death. */
function judgeFollowed(cells: readonly Cell[], window: CrashWindow): Outcome {
  const followed = cells.filter(isFollowed);
  if (followed.length === 0) return unfollowed(cells);
  // Where nothing was begun, a run that was given up shows no call.
  const telling = window === '1' ? followed.filter(({ outcome }) => outcome === 'completed') : followed;
  if (telling.length > 0) return pass(telling, `${telling.length} cuts: ${listed(telling)}`);
  const why = `no call was made after a death there: its record was in flight, and was given up (${listed(followed)})`;
  return undecidedUntil(BEFORE_RECORD, why, followed);
}

/** What is left where each run was lost with its host, or another one stands in for it. */
function unfollowed(cells: readonly Cell[]): Outcome {
  const why = `of no run that died there is known what became of it: the answer to POST /v1/runs was lost with the host (${listed(cells)})`;
  return undecidedUntil(FIND_AGAIN, why, cells);
}

/** A failpoint of a window that the host advertises and that was not tried, as the run that was not cut did not pass it. */
function unreportedIn({ points, singles, placing }: Matrix, window: CrashWindow): string | undefined {
  return points.notPassed.find((name) => {
    const stage = stageOfName(name);
    const isThere = stage !== undefined && windowOfStage(stage, placing.hasEffects) === window;
    return isThere && !singles.some(({ cell }) => cell.cut?.name === name);
  });
}

/** Every single cut, the run that was not cut among them: none may be missing. What a window's row says is its own. */
function judgeEveryCut(matrix: Matrix): Outcome {
  const { uncut, singles, control } = matrix;
  const cells = [uncut, ...singles.filter(isDriven)];
  const untold = untoldIn(EVERY_CUT, matrix, toldIn(matrix));
  const defectIn = (cell: Cell) => (rowOf(cell) === undefined ? untold(cell) : defectOf(cell, control));
  const found = judgeBy(defectIn, cells, { control, ownerOf: rowOf }) ?? incomplete(matrix, 'singles');
  if (found !== undefined) return found.kind === 'rests' && found.on === EVERY_CUT ? found.otherwise : found;
  const reached = singles.filter((cell) => cell.reached);
  if (reached.length === 0) return undecided(withoutDeath(matrix), [uncut]);
  if (!reached.some(isFollowed)) return unfollowed(reached);
  return pass(reached, notesOf(`${reached.length} cuts`, reached, matrix));
}

/**
 * Every pair of cuts. A failure that one of its deaths shows alone is the business of the row about that: of the window in
 * which the second one lies, or of all single cuts.
 */
function judgeRecovery(matrix: Matrix): Outcome {
  const { points, pairs, singles, uncut, control } = matrix;
  const broken = singles.filter((single) => isDriven(single) && defectOf(single, control) !== undefined);
  const [windows, deaths] = [new Set(broken.map(rowOf)), new Set(broken.map(firstOf))];
  const ownerOf = (pair: Cell): string | undefined => {
    const row = rowOf(pair);
    if (row !== undefined && windows.has(row)) return row;
    return deaths.has(firstOf(pair)) ? EVERY_CUT : undefined;
  };
  const found = judgeCells(pairs.filter(isDriven), control, ownerOf);
  if (found !== undefined) return found;
  if (!points.armsAtStart) {
    const reason = 'a second death during recovery needs a failpoint that is armed for the start';
    return undecidedUntil(ARM_AT_START, reason, [uncut]);
  }
  const left = incomplete(matrix, 'pairs');
  if (left !== undefined) return left;
  const reached = pairs.filter((cell) => cell.reached);
  if (reached.length === 0) {
    const lost = withoutRuns(matrix);
    if (lost !== undefined) return lost;
    const isDead = singles.some((cell) => cell.reached);
    const why = isDead ? 'no recovery passed a failpoint: expose those of the recovery as well' : withoutDeath(matrix);
    return undecided(why, [uncut]);
  }
  if (!reached.some(isFollowed)) return unfollowed(reached);
  const all = points.pairs.length < points.pairsThereAre ? ` of ${points.pairsThereAre} (--crash full drives all)` : '';
  return pass(reached, notesOf(`${reached.length} pairs${all}`, reached, matrix));
}

/** What was planned and not seen; undefined where nothing is left. */
function incomplete(matrix: Matrix, which: 'singles' | 'pairs'): Outcome | undefined {
  const cells = matrix[which];
  const undriven = cells.filter((cell) => !isDriven(cell));
  // Where passes are searched for by trial, the last one of each name is not there.
  const quiet = matrix.points.by === 'trial' ? [] : cells.filter((cell) => isDriven(cell) && isQuiet(cell));
  const parts = [
    ...matrix.missing[which].map((name) => `${name} (not recorded)`),
    ...undriven.map(({ cell }) => `${cellText(cell)} (not driven: ${cell.notDriven ?? ''})`),
  ];
  const armed = quiet.length === 0 ? [] : [`${listed(quiet)} (${NOT_DEAD})`];
  if (parts.length + armed.length === 0) return undefined;
  const more = parts.length > NAMED ? [`${parts.length - NAMED} more`] : [];
  const said = [...parts.slice(0, NAMED), ...more, ...armed].join('; ');
  return undecided(`not every cut was seen: ${said}`, [...undriven, ...quiet]);
}

/**
 * Whether the host tells that a run did not come by its failpoint, as one that renews its leases does by the clock: it is one run
 * less, and nothing that was armed in vain.
 */
function wentElsewhere({ cell: { cut, second, passed, deaths, stopped } }: Cell): boolean {
  const armed = deaths.length === 0 ? cut : second;
  if (armed === null || passed === null || passed.length === 0 || stopped !== 'ended') return false;
  return passed.filter((name) => name === armed.name).length < armed.hit;
}

function isQuiet(cell: Cell): boolean {
  return !cell.reached && !wentElsewhere(cell);
}

/** What a pass adds to its count: whatever was not counted, or not seen. */
function notesOf(count: string, reached: readonly Cell[], { points, singles, pairs, control }: Matrix): string {
  const passed = new Set([...singles, ...pairs].flatMap(({ cell }) => cell.passed ?? []));
  const notes: readonly (readonly [what: string, which: string])[] = [
    ['advertised, and passed by no run', points.notPassed.filter((name) => !passed.has(name)).join(', ')],
    ['passed more often than was tried', points.capped.join(', ')],
    ['armed, and not passed again', listed([...singles, ...pairs].filter(wentElsewhere))],
    ["of the host's own types, shown before a death and gone after it", ownTypesLost(reached, control).join(', ')],
    ['the run could not be found again, only its calls were counted', listed(reached.filter(isLost))],
    [
      'a request that was sent twice made calls for two runs',
      listed(reached.filter(({ othersCalls }) => othersCalls > 0)),
    ],
  ];
  const said = notes.flatMap(([what, which]) => (which === '' ? [] : [`; ${what}: ${which}`]));
  return `${count}, at most one call in each${said.join('')}`;
}

/** The crash matrix: provable-semantics §2 and §3, one run for each cut and each pair of cuts. */
export const crash = defineScenario<CrashObservation, Matrix>({
  id: EVERY_CUT,
  suite: 'at-most-once',
  title: 'One call of a tool, and a death at every step',
  gate: provableSemantics,
  needs: cutNeeds(ONCE),
  patience: (options) => (options.crash === 'full' ? 240 : 60),
  drive: driveMatrix,
  see: readMatrix,
  checks: [
    ...WINDOWS.map((row) => ({ id: row[1], title: row[2], judge: (matrix: Matrix) => judgeWindow(matrix, row) })),
    {
      id: EVERY_CUT,
      title: 'At every failpoint that a run passes the tool is called at most once',
      judge: judgeEveryCut,
    },
    {
      id: RECOVERY,
      title: 'The same holds where the host dies again while it recovers',
      judge: judgeRecovery,
    },
    {
      id: 'once.stream-is-authority',
      title: 'Where the stream holds the result and the ledger does not, the run goes on with the result in the stream',
      judge: judgeAuthority,
    },
    {
      id: 'once.catch-up-complete',
      title: 'After a death in window 3 the log holds the result and its commit, each once, before the end of the node',
      judge: judgeCatchUp,
    },
    {
      id: 'once.write-order.found',
      title: 'What the stores hold after a death is the beginning of the write order',
      judge: judgeFound,
    },
  ],
});
