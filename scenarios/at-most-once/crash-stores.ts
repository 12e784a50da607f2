import type { FoundState } from '../../src/contract/crash-matrix.ts';
import { type Outcome, pass, undecided, undecidedUntil } from '../../src/contract/outcome.ts';
import { type Defect, defectOf, failureIn, judgeCells, listed } from './cell-defects.ts';
import {
  contradictionIn,
  disorderIn,
  endBeforeCommitIn,
  isDoneAt,
  LEDGER_COMMIT,
  stageOfName,
  wordsOf,
} from './failpoint-names.ts';
import { invocationStep, isResult } from './invocation-events.ts';
import { type Matrix, withoutDeath } from './matrix.ts';
import type { Placing } from './place-cell.ts';
import {
  type Cell,
  firstOf,
  holdsAny,
  isCaughtUp,
  isDriven,
  isFailureWritten,
  isFollowed,
  wasNodeEndShown,
} from './read-cell.ts';
import { withoutRuns } from './told.ts';
import { EVERY_CUT, ownerOf, rowOf } from './windows.ts';

const NONE = 'no death was seen where the stream held the result and the ledger did not';
const BETWEEN =
  "expose a failpoint between the append and the ledger's commit, such as after-append-finished or before-ledger-commit";

/**
 * Judges the cells in which stream and stores disagreed when the host came back: the stream wins (sem §1). What such a cell shows as
 * others do is for the row of its window.
 */
export function judgeAuthority(matrix: Matrix): Outcome {
  const { singles, pairs, uncut, control } = matrix;
  const cells = [...singles, ...pairs].filter((cell) => cell.reached && isFollowed(cell) && disagrees(cell, matrix));
  if (cells.length === 0) return withoutRuns(matrix) ?? undecidedUntil(BETWEEN, NONE, [uncut]);
  const sound = cells.filter((cell) => cell.outcome === 'completed' && defectOf(cell, control) === undefined);
  const found = failureIn(sound, (cell) => otherResult(cell, uncut)) ?? judgeCells(cells, control, ownerOf);
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
function otherResult({ cell, events, nonces }: Cell, uncut: Cell): Defect | undefined {
  if (cell.log === null) return undefined;
  const shows = uncut.events.filter(({ payload }) => holdsAny(payload, uncut.nonces)).map(({ type }) => type);
  const wanted = shows.filter((type) => type === 'node.completed' || invocationStep(type) === 'finished');
  const kept = new Set(events.filter(({ payload }) => holdsAny(payload, nonces)).map(({ type }) => type));
  const missing = wanted.find((type) => !kept.has(type));
  if (missing === undefined || nonces.length === 0) return undefined;
  return ['other-result', `${nonces.join(' or ')} in ${missing}`, 'something else'];
}

const NO_SEAM =
  'judged on the event stream alone: the seam POST /v1/host/sample/test/invocations shows the other stores';

/** Judges that what the stores held at each cut is a part, from its beginning, of the write order (sem §3). */
export function judgeFound(matrix: Matrix): Outcome {
  const { uncut, singles, pairs, control } = matrix;
  const { passes } = matrix.placing;
  const cells = [uncut, ...singles, ...pairs].filter(isDriven);
  const reached = cells.filter((cell) => cell.reached && cell.cell.cut !== null);
  const showing = reached.filter(({ allFound }) => allFound.length > 0);
  const hasEffects = cells.some((cell) => cell.allFound.some(({ effect }) => effect));
  // Where the host shows its stores, these count, and not what its failpoints are called; they tell of no node's end.
  const misnamed = endBeforeCommitIn(passes) ?? (showing.length > 0 ? undefined : contradictionIn(passes));
  // What a recovery leaves behind that began with an effect in the store, or wrote what it may not, is its own doing.
  const firsts = new Map(singles.map((single) => [firstOf(single), single]));
  const recoveredBy = (cell: Cell): string | undefined => {
    const first = cell.cell.second === null ? undefined : firsts.get(firstOf(cell));
    if (first === undefined || first.window === '3') return first && NOT_APPENDED;
    return MISWRITTEN.has(defectOf(first, control)?.[0] ?? '') ? (rowOf(first) ?? EVERY_CUT) : undefined;
  };
  const everywhere = orderInStream(uncut);
  const failure = failureIn(
    cells,
    (cell) => {
      const inNames = cell === uncut && misnamed && wrongOrder(`${misnamed[1]} passed before ${misnamed[0]}`);
      // What catch-up wrote is judged by once.catch-up-complete.
      const inStores = orderInStores(cell, hasEffects) ?? uncommitted(cell, matrix.placing);
      if (inNames || inStores !== undefined || isCaughtUp(cell)) return inNames || inStores;
      const inStream = orderInStream(cell);
      return inStream !== undefined && inStream[1] === everywhere?.[1]
        ? wrongOrder(inStream[1], inStream[2], 'once.write-order')
        : inStream;
    },
    recoveredBy,
  );
  if (failure !== undefined) return failure;
  if (reached.length === 0) return undecided(withoutDeath(matrix), [uncut]);
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
  if (logs.length === 0)
    return withoutRuns(matrix) ?? undecided(`neither stream nor seam shows a tool call. ${NO_SEAM}`, reached);
  return pass(logs, `${logs.length} logs; ${NO_SEAM}`);
}

/** What shows that a recovery wrote down again what was written, or what nobody answered. */
const MISWRITTEN: ReadonlySet<string> = new Set([
  'written-twice',
  'invented-result',
  'other-answer',
  'lost-result',
] satisfies readonly Defect[0][]);

const NOT_APPENDED = 'once.effect-not-appended';

function wrongOrder(expected: string, actual = 'the other way round', restsOn?: string): Defect {
  const defect = ['written-out-of-order', expected, actual] as const;
  return restsOn === undefined ? defect : [...defect, restsOn];
}

const RANK: Readonly<Record<string, number>> = { none: 0, started: 1, finished: 2, committed: 3 };

function orderInStores(cell: Cell, hasEffects: boolean): Defect | undefined {
  for (const found of foundBeforeLoss(cell)) {
    const expected = deniedBy(found, hasEffects);
    if (expected === undefined) continue;
    const actual = `stream ${found.stream}, ledger ${found.ledger}, effect ${found.effect}`;
    return wrongOrder(expected, actual, isGivenUp(found) ? NOT_APPENDED : undefined);
  }
  return undefined;
}

/**
 * A ledger that had not committed when its host died behind the commit, by the name of the cut. Where the record is gone, what
 * is committed may have been cleared away.
 */
function uncommitted({ cell, found, callsThen }: Cell, { passes, isOnce, misnamed }: Placing): Defect | undefined {
  const { cut, second } = cell;
  if (cut === null || second !== null || cut.hit !== 1 || misnamed || !isOnce(cut.name)) return undefined;
  const { side, rest } = wordsOf(cut.name);
  const isBehind =
    side === 'after' && LEDGER_COMMIT.test(rest) && passes.filter((name) => name === cut.name).length <= 1;
  if (!isBehind || callsThen !== 1 || found?.stream !== 'committed') return undefined;
  if (found.ledger !== 'INFLIGHT' && found.ledger !== 'RECOVERABLE') return undefined;
  return wrongOrder(`the ledger's commit before ${cut.name}`, `ledger ${found.ledger}`);
}

/** Whether a recovery that looked past the effect store gave the call up: the ledger is committed without the effect. */
function isGivenUp({ ledger, effect }: FoundState): boolean {
  return ledger === 'COMMITTED' && !effect;
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

/** The first two steps of a call, or its node's end, that stand in the log in another order than that of sem §3. */
export function orderInStream({ invocations, events }: Cell): Defect | undefined {
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
