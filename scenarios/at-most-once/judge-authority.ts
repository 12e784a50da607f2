import type { FoundState } from '../../src/contract/crash-matrix.ts';
import { pass, undecided, type Outcome } from '../../src/contract/outcome.ts';
import type { RunEvent } from '../../src/host/run-event.ts';
import { stageOfName } from './cut-names.ts';
import type { Defect } from './defect.ts';
import { invocationEvents, invocationStep } from './invocation-events.ts';
import { failureIn, judgeCells, listed } from './judge-cells.ts';
import { isFailureWritten, shownEvents, wasNodeEndShown } from './place-cell.ts';
import type { PlacedCell } from './seen-cell.ts';
import type { SeenMatrix } from './seen-matrix.ts';
import { isDoneAt } from './write-names.ts';

const NONE =
  "no death was seen where the stream held the result and the ledger did not: expose a failpoint between the append and the ledger's commit, such as after-append-finished or before-ledger-commit";

/** Judges the cells in which stream and stores disagreed when the host came back: the stream wins (sem §1). */
export function judgeAuthority(matrix: SeenMatrix): Outcome {
  const { singles, pairs, uncut, control } = matrix;
  const cells = [...singles, ...pairs].filter((cell) => cell.reached && disagrees(cell, matrix));
  if (cells.length === 0) return undecided(NONE, [uncut]);
  const found = judgeCells(cells, control) ?? failureIn(cells, (cell) => otherResult(cell, uncut));
  return found ?? pass(cells, `${cells.length} cells: ${listed(cells)}`);
}

function disagrees(cell: PlacedCell, { placing }: SeenMatrix): boolean {
  if (cell.found !== null) return !isFailureWritten(cell) && isAhead(cell.found);
  if (cell.by === 'name') {
    const { name = '' } = cell.cell.second ?? cell.cell.cut ?? {};
    const stage = stageOfName(name);
    if (stage !== 4 && stage !== 5) return false;
    // A name that speaks of the ledger says nothing of the stream.
    const isWritten = (['finished', 'committed'] as const).some((write) => isDoneAt(name, write, placing.passes));
    return isWritten || wasResultShown(cell);
  }
  return cell.by === 'seen' && !placing.misnamed && !wasNodeEndShown(cell) && wasResultShown(cell);
}

/** Whether a client was shown a result of the call before the last death. */
function wasResultShown(cell: PlacedCell): boolean {
  return invocationEvents(shownEvents(cell.cell)).some(({ step, outcome }) => {
    return step === 'finished' && outcome !== 'failure';
  });
}

/** Whether the stream holds the result and the ledger does not. */
function isAhead({ stream, ledger }: FoundState): boolean {
  return (stream === 'finished' || stream === 'committed') && ledger !== 'COMMITTED';
}

/** The events of a tool call and of its node hold what the tool answered, wherever they do in the run that was not cut. */
function otherResult({ events, nonces }: PlacedCell, uncut: PlacedCell): Defect | undefined {
  const shows = uncut.events.filter((event) => holds(event, uncut.nonces)).map(({ type }) => type);
  const wanted = shows.filter((type) => type === 'node.completed' || invocationStep(type) === 'finished');
  const missing = wanted.find((type) => !events.some((event) => event.type === type && holds(event, nonces)));
  if (missing === undefined || nonces.length === 0) return undefined;
  return { code: 'other-result', expected: `${nonces.join(' or ')} in ${missing}`, actual: 'something else' };
}

/** Whether an event holds one of these texts. */
function holds({ payload }: RunEvent, texts: readonly string[]): boolean {
  const text = JSON.stringify(payload) ?? '';
  return texts.some((each) => text.includes(each));
}
