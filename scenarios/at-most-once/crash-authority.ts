import type { FoundState } from '../../src/contract/crash-matrix.ts';
import { pass, undecided, type Outcome } from '../../src/contract/outcome.ts';
import { failureIn, judgeCells, listed, type Defect } from './cell-defects.ts';
import { isDoneAt, stageOfName } from './failpoint-names.ts';
import { invocationStep, isResult } from './invocation-events.ts';
import type { Matrix } from './matrix.ts';
import { holdsAny, isFailureWritten, wasNodeEndShown, type Cell } from './read-cell.ts';

const NONE =
  "no death was seen where the stream held the result and the ledger did not: expose a failpoint between the append and the ledger's commit, such as after-append-finished or before-ledger-commit";

/** Judges the cells in which stream and stores disagreed when the host came back: the stream wins (sem §1). */
export function judgeAuthority(matrix: Matrix): Outcome {
  const { singles, pairs, uncut, control } = matrix;
  const cells = [...singles, ...pairs].filter((cell) => cell.reached && disagrees(cell, matrix));
  if (cells.length === 0) return undecided(NONE, [uncut]);
  const found = judgeCells(cells, control) ?? failureIn(cells, (cell) => otherResult(cell, uncut));
  return found ?? pass(cells, `${cells.length} cells: ${listed(cells)}`);
}

function disagrees(cell: Cell, { placing }: Matrix): boolean {
  if (cell.found !== null) return !isFailureWritten(cell) && isAhead(cell.found);
  const wasResultShown = cell.shownInvocations.some(isResult);
  if (cell.by === 'name') {
    const { name = '' } = cell.cell.second ?? cell.cell.cut ?? {};
    const stage = stageOfName(name);
    if (stage !== 4 && stage !== 5) return false;
    // A name that speaks of the ledger says nothing of the stream.
    return (
      wasResultShown || (['finished', 'committed'] as const).some((write) => isDoneAt(name, write, placing.passes))
    );
  }
  return cell.by === 'seen' && !placing.misnamed && !wasNodeEndShown(cell) && wasResultShown;
}

/** Whether the stream holds the result and the ledger does not. */
function isAhead({ stream, ledger }: FoundState): boolean {
  return (stream === 'finished' || stream === 'committed') && ledger !== 'COMMITTED';
}

/** The events of a tool call and of its node hold what the tool answered, wherever they do in the run that was not cut. */
function otherResult({ events, nonces }: Cell, uncut: Cell): Defect | undefined {
  const shows = uncut.events.filter(({ payload }) => holdsAny(payload, uncut.nonces)).map(({ type }) => type);
  const wanted = shows.filter((type) => type === 'node.completed' || invocationStep(type) === 'finished');
  const kept = new Set(events.filter(({ payload }) => holdsAny(payload, nonces)).map(({ type }) => type));
  const missing = wanted.find((type) => !kept.has(type));
  if (missing === undefined || nonces.length === 0) return undefined;
  return ['other-result', `${nonces.join(' or ')} in ${missing}`, 'something else'];
}
