import type { FoundState } from '../../src/contract/crash-matrix.ts';
import type { Judgement } from '../../src/contract/verdict.ts';
import { stageOfName } from './cut-names.ts';
import type { Defect } from './defect.ts';
import { invocationEvents, invocationStep } from './invocation-events.ts';
import { failing, judgeCells, listed, passing, undecided } from './judge-windows.ts';
import { isFailureWritten, shownEvents, wasNodeEndShown } from './place-cell.ts';
import type { PlacedCell } from './seen-cell.ts';
import { holds, typesThatShow, type ReadMatrix, type SeenMatrix } from './seen-matrix.ts';
import { isDoneAt } from './write-names.ts';

const NONE =
  "no death was seen where the stream held the result and the ledger did not: expose a failpoint between the append and the ledger's commit, such as after-append-finished or before-ledger-commit";

/** Judges the cells in which stream and stores disagreed when the host came back: the stream wins (sem §1). */
export function judgeAuthority(check: string, matrix: ReadMatrix): Judgement {
  if (typeof matrix === 'string') return undecided(check, matrix, []);
  const cells = [...matrix.singles, ...matrix.pairs].filter((cell) => cell.reached && disagrees(cell, matrix));
  if (cells.length === 0) return undecided(check, NONE, [matrix.uncut]);
  const found = judgeCells(check, cells, matrix);
  if (found !== undefined) return found;
  for (const cell of cells) {
    const defect = otherResult(cell, matrix);
    if (defect !== undefined) return failing(check, { cell, defect }, []);
  }
  return passing(check, `${cells.length} cells: ${listed(cells)}`, cells);
}

function disagrees(cell: PlacedCell, { passes, misnamed }: SeenMatrix): boolean {
  if (cell.found !== null) return !isFailureWritten(cell) && isAhead(cell.found);
  if (cell.by === 'name') {
    const { name = '' } = cell.cell.second ?? cell.cell.cut ?? {};
    const stage = stageOfName(name);
    if (stage !== 4 && stage !== 5) return false;
    // A name that speaks of the ledger says nothing of the stream.
    return isDoneAt(name, 'finished', passes) || isDoneAt(name, 'committed', passes) || wasResultShown(cell);
  }
  return cell.by === 'seen' && !misnamed && !wasNodeEndShown(cell) && wasResultShown(cell);
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
function otherResult(cell: PlacedCell, { uncut }: SeenMatrix): Defect | undefined {
  const wanted = [...typesThatShow(uncut)].filter(
    (type) => type === 'node.completed' || invocationStep(type) === 'finished',
  );
  const wrong = wanted.find((type) => !cell.events.some((event) => event.type === type && holds(event, cell.nonces)));
  if (wrong === undefined || cell.nonces.length === 0) return undefined;
  return {
    code: 'other-result',
    message: 'the run went on with something else than the result in the event stream',
    expected: `${cell.nonces.join(' or ')} in ${wrong}`,
    actual: 'something else',
  };
}
