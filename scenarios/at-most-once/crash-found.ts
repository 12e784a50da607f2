import type { FoundState } from '../../src/contract/crash-matrix.ts';
import { pass, undecided, type Outcome } from '../../src/contract/outcome.ts';
import { failureIn, type Defect } from './cell-defects.ts';
import { contradictionIn, disorderIn } from './failpoint-names.ts';
import type { Matrix } from './matrix.ts';
import { isDriven, isFailureWritten, type Cell } from './read-cell.ts';

const NO_SEAM =
  'judged on the event stream alone: the seam POST /v1/host/sample/test/invocations shows the other stores';

/** Judges that what the stores held at each cut is a part, from its beginning, of the write order (sem §3). */
export function judgeFound({ uncut, singles, pairs, placing: { passes } }: Matrix): Outcome {
  const cells = [uncut, ...singles, ...pairs].filter(isDriven);
  const reached = cells.filter((cell) => cell.reached && cell.cell.cut !== null);
  const showing = reached.filter(({ allFound }) => allFound.length > 0);
  const hasEffects = cells.some((cell) => cell.allFound.some(({ effect }) => effect));
  // Where the host shows its stores, these count, and not what its failpoints are called.
  const misnamed = showing.length > 0 ? undefined : contradictionIn(passes);
  const failure = failureIn(cells, (cell) => {
    const inNames = cell === uncut && misnamed && wrongOrder(`${misnamed[1]} passed before ${misnamed[0]}`);
    return inNames || (orderInStores(cell, hasEffects) ?? orderInStream(cell));
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

function wrongOrder(expected: string, actual = 'the other way round'): Defect {
  return ['written-out-of-order', expected, actual];
}

const RANK: Readonly<Record<string, number>> = { none: 0, started: 1, finished: 2, committed: 3 };

function orderInStores(cell: Cell, hasEffects: boolean): Defect | undefined {
  for (const found of foundBeforeLoss(cell)) {
    const expected = deniedBy(found, hasEffects);
    if (expected === undefined) continue;
    return wrongOrder(expected, `stream ${found.stream}, ledger ${found.ledger}, effect ${found.effect}`);
  }
  return undefined;
}

/** A call in doubt that is given up is recorded as a loss, which has no order of its own: only what stood before it counts. */
function foundBeforeLoss(cell: Cell): readonly FoundState[] {
  if (cell.window !== '2' && !isFailureWritten(cell)) return cell.allFound;
  return cell.cell.second === null ? cell.allFound.slice(0, 1) : [];
}

/** What the order of sem §3 asks for and the stores deny. */
function deniedBy({ stream, ledger, effect }: FoundState, hasEffects: boolean): string | undefined {
  const rank = Object.hasOwn(RANK, stream) ? RANK[stream] : undefined;
  if (rank === undefined) return undefined;
  if (effect && rank < 1) return 'the started event before the effect';
  // What is committed may be cleared away.
  if (hasEffects && rank >= 2 && !effect && ledger !== 'COMMITTED') return 'the effect before the finished event';
  if (ledger === 'COMMITTED' && rank < 3) return "command_committed in the stream before the ledger's commit";
  return undefined;
}

function orderInStream({ invocations, events }: Cell): Defect | undefined {
  if (invocations.length === 0) return undefined;
  const nodeId = invocations.find((each) => each.nodeId !== undefined)?.nodeId;
  const steps = (['started', 'finished', 'committed'] as const).map((name) => ({
    name,
    at: invocations.find(({ step }) => step === name)?.index ?? -1,
  }));
  const end = events.findIndex((event) => event.type === 'node.completed' && event.nodeId === nodeId);
  const places = [...steps, { name: 'node.completed', at: end }].filter(({ at }) => at >= 0);
  const index = places.findIndex(({ at }, place) => place > 0 && at < (places[place - 1]?.at ?? -1));
  return index === -1 ? undefined : wrongOrder(`${places[index - 1]?.name ?? ''} before ${places[index]?.name ?? ''}`);
}
