import type { FoundState } from '../../src/contract/crash-matrix.ts';
import type { Judgement } from '../../src/contract/verdict.ts';
import type { Defect } from './defect.ts';
import type { InvocationStep } from './invocation-events.ts';
import { failing, passing, undecided } from './judge-windows.ts';
import { isFailureWritten } from './place-cell.ts';
import type { PlacedCell } from './seen-cell.ts';
import type { ReadMatrix, SeenMatrix } from './seen-matrix.ts';
import { contradictionIn, disorderIn } from './write-names.ts';

const NO_SEAM =
  'judged on the event stream alone: the seam POST /v1/host/sample/test/invocations tells the other stores';
const NO_EFFECTS = 'no effect store was seen';

/** Judges that what the stores held at each cut is a part, from its beginning, of the write order (sem §3). */
export function judgeFound(check: string, matrix: ReadMatrix): Judgement {
  if (typeof matrix === 'string') return undecided(check, matrix, []);
  const cells = [matrix.uncut, ...matrix.singles, ...matrix.pairs].filter(({ cell }) => cell.notDriven === null);
  const reached = cells.filter((cell) => cell.reached && cell.cell.cut !== null);
  const hasEffects = cells.some((cell) => cell.allFound.some(({ effect }) => effect));
  // Where the host tells its stores, these count, and not what its failpoints are called.
  const misnamed = reached.some(({ allFound }) => allFound.length > 0) ? undefined : orderInNames(matrix);
  const wrong = cells.flatMap((cell) => {
    const named = cell === matrix.uncut ? misnamed : undefined;
    const defect = named ?? orderInStores(cell, hasEffects) ?? orderInStream(cell);
    return defect === undefined ? [] : [{ cell, defect }];
  });
  const [first, ...others] = wrong;
  if (first !== undefined) {
    return failing(
      check,
      first,
      others.map(({ cell }) => cell),
    );
  }
  if (reached.length === 0) return undecided(check, 'no failpoint killed the host', [matrix.uncut]);
  const telling = reached.filter((cell) => cell.allFound.length > 0);
  if (telling.length > 0) {
    const note = hasEffects ? '' : `; ${NO_EFFECTS}`;
    return passing(check, `the stores were found in order after ${telling.length} deaths${note}`, telling);
  }
  const disorder = disorderIn(matrix.passes);
  if (disorder !== undefined) {
    const [earlier, later] = disorder;
    const why = `the run passes ${earlier} before ${later}, which is another order than that of provable-semantics §3`;
    return undecided(check, `${why}, if the names say what they seem to. ${NO_SEAM}`, reached);
  }
  const told = reached.filter((cell) => cell.invocations.length > 0);
  if (told.length === 0) return undecided(check, `neither stream nor seam shows a tool call. ${NO_SEAM}`, reached);
  return passing(check, `${told.length} logs; ${NO_SEAM}`, told);
}

/** The order in which the run that was not cut passed the host's own failpoints. */
function orderInNames({ passes }: SeenMatrix): Defect | undefined {
  const found = contradictionIn(passes);
  if (found === undefined) return undefined;
  return {
    code: 'written-out-of-order',
    message: 'the host passes its own failpoints in another order than the write order (provable-semantics §3)',
    expected: `${found.notBegun} passed before ${found.done}`,
    actual: 'the other way round',
  };
}

const RANK: Readonly<Record<string, number>> = { none: 0, started: 1, finished: 2, committed: 3 };

function orderInStores(cell: PlacedCell, hasEffects: boolean): Defect | undefined {
  for (const found of foundBeforeLoss(cell)) {
    const wrong = wrongOrder(found, hasEffects);
    if (wrong === undefined) continue;
    return {
      code: 'written-out-of-order',
      message: 'a later step of the write order was found without an earlier one (provable-semantics §3)',
      expected: wrong,
      actual: `stream ${found.stream}, ledger ${found.ledger}, effect ${found.effect}`,
    };
  }
  return undefined;
}

/** A call in doubt that is given up is recorded as a loss, which has no order of its own: only what stood before it counts. */
function foundBeforeLoss(cell: PlacedCell): readonly FoundState[] {
  if (cell.window !== '2' && !isFailureWritten(cell)) return cell.allFound;
  return cell.cell.second === null ? cell.allFound.slice(0, 1) : [];
}

function wrongOrder({ stream, ledger, effect }: FoundState, hasEffects: boolean): string | undefined {
  const rank = Object.hasOwn(RANK, stream) ? RANK[stream] : undefined;
  if (rank === undefined) return undefined;
  if (effect && rank < 1) return 'the started event before the effect';
  // What is committed may be cleared away.
  if (hasEffects && rank >= 2 && !effect && ledger !== 'COMMITTED') return 'the effect before the finished event';
  if (ledger === 'COMMITTED' && rank < 3) return "command_committed in the stream before the ledger's commit";
  return undefined;
}

const ORDER: readonly InvocationStep[] = ['started', 'finished', 'committed'];

function orderInStream({ invocations, events }: PlacedCell): Defect | undefined {
  const nodeId = invocations.find((each) => each.nodeId !== undefined)?.nodeId;
  const end = events.findIndex((event) => event.type === 'node.completed' && event.nodeId === nodeId);
  const places = [
    ...ORDER.map((step) => ({ name: step as string, at: invocations.find((each) => each.step === step)?.index ?? -1 })),
    { name: 'node.completed', at: invocations.length === 0 ? -1 : end },
  ].filter(({ at }) => at >= 0);
  const index = places.findIndex(({ at }, place) => place > 0 && at < (places[place - 1]?.at ?? -1));
  if (index === -1) return undefined;
  return {
    code: 'written-out-of-order',
    message: 'the events of the tool call are not in the write order (provable-semantics §3)',
    expected: `${places[index - 1]?.name ?? ''} before ${places[index]?.name ?? ''}`,
    actual: 'the other way round',
  };
}
