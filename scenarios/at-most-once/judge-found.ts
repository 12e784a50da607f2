import type { FoundState } from '../../src/contract/crash-matrix.ts';
import { pass, undecided, type Outcome } from '../../src/contract/outcome.ts';
import type { Defect } from './defect.ts';
import type { InvocationStep } from './invocation-events.ts';
import { failureIn } from './judge-cells.ts';
import { isFailureWritten } from './place-cell.ts';
import type { PlacedCell } from './seen-cell.ts';
import type { SeenMatrix } from './seen-matrix.ts';
import { contradictionIn, disorderIn } from './write-names.ts';

const NO_SEAM =
  'judged on the event stream alone: the seam POST /v1/host/sample/test/invocations shows the other stores';

/** Judges that what the stores held at each cut is a part, from its beginning, of the write order (sem §3). */
export function judgeFound({ uncut, singles, pairs, placing: { passes } }: SeenMatrix): Outcome {
  const cells = [uncut, ...singles, ...pairs].filter(({ cell }) => cell.notDriven === null);
  const reached = cells.filter((cell) => cell.reached && cell.cell.cut !== null);
  const showing = reached.filter(({ allFound }) => allFound.length > 0);
  const hasEffects = cells.some((cell) => cell.allFound.some(({ effect }) => effect));
  // Where the host shows its stores, these count, and not what its failpoints are called.
  const misnamed = showing.length > 0 ? undefined : orderInNames(passes);
  const failure = failureIn(cells, (cell) => {
    return (cell === uncut ? misnamed : undefined) ?? orderInStores(cell, hasEffects) ?? orderInStream(cell);
  });
  if (failure !== undefined) return failure;
  if (reached.length === 0) return undecided('no failpoint killed the host', [uncut]);
  if (showing.length > 0) {
    const note = hasEffects ? '' : '; no effect store was seen';
    return pass(showing, `the stores were found in order after ${showing.length} deaths${note}`);
  }
  const disorder = disorderIn(passes);
  if (disorder !== undefined) {
    const [earlier, later] = disorder;
    const why = `the run passes ${earlier} before ${later}, which is another order than that of provable-semantics §3`;
    return undecided(`${why}, if the names say what they seem to. ${NO_SEAM}`, reached);
  }
  const logs = reached.filter((cell) => cell.invocations.length > 0);
  if (logs.length === 0) return undecided(`neither stream nor seam shows a tool call. ${NO_SEAM}`, reached);
  return pass(logs, `${logs.length} logs; ${NO_SEAM}`);
}

function disordered(expected: string, actual = 'the other way round'): Defect {
  return { code: 'written-out-of-order', expected, actual };
}

/** The order in which the run that was not cut passed the host's own failpoints. */
function orderInNames(passes: readonly string[]): Defect | undefined {
  const found = contradictionIn(passes);
  return found && disordered(`${found.notBegun} passed before ${found.done}`);
}

const RANK: Readonly<Record<string, number>> = { none: 0, started: 1, finished: 2, committed: 3 };

function orderInStores(cell: PlacedCell, hasEffects: boolean): Defect | undefined {
  for (const found of foundBeforeLoss(cell)) {
    const expected = wrongOrder(found, hasEffects);
    if (expected === undefined) continue;
    return disordered(expected, `stream ${found.stream}, ledger ${found.ledger}, effect ${found.effect}`);
  }
  return undefined;
}

/** A call in doubt that is given up is recorded as a loss, which has no order of its own: only what stood before it counts. */
function foundBeforeLoss(cell: PlacedCell): readonly FoundState[] {
  if (cell.window !== '2' && !isFailureWritten(cell)) return cell.allFound;
  return cell.cell.second === null ? cell.allFound.slice(0, 1) : [];
}

/** What the order of sem §3 asks for and the stores deny. */
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
  if (invocations.length === 0) return undefined;
  const nodeId = invocations.find((each) => each.nodeId !== undefined)?.nodeId;
  const end = events.findIndex((event) => event.type === 'node.completed' && event.nodeId === nodeId);
  const placeOf = (step: InvocationStep): number => invocations.find((each) => each.step === step)?.index ?? -1;
  const places = ([...ORDER, 'node.completed'] as const)
    .map((name) => ({ name, at: name === 'node.completed' ? end : placeOf(name) }))
    .filter(({ at }) => at >= 0);
  const index = places.findIndex(({ at }, place) => place > 0 && at < (places[place - 1]?.at ?? -1));
  return index === -1 ? undefined : disordered(`${places[index - 1]?.name ?? ''} before ${places[index]?.name ?? ''}`);
}
