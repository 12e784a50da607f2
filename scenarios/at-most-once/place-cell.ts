import type { CrashWindow, FoundState } from '../../src/contract/crash-matrix.ts';
import type { PointsObservation } from './cell.ts';
import {
  disorderIn,
  isDoneAt,
  namesEffect,
  passedOnce,
  stageOfName,
  windowOfStage,
  type Stage,
} from './failpoint-names.ts';
import { isResult, type InvocationStep } from './invocation-events.ts';
import { isFailureWritten, wasNodeEndShown, type Cell } from './read-cell.ts';

/** What the run that was not cut shows of where the others are cut. */
export interface Placing {
  /** Names that a run passes once: only those can say where a cut lies. */
  readonly isOnce: (name: string) => boolean;
  /** Whether the log shows the events of a tool call under types that are known. */
  readonly showsInvocations: boolean;
  /** Whether the host keeps an effect store (sem §3: where one is configured). */
  readonly hasEffects: boolean;
  /** Whether the host shows what it found when it came to a tool call. */
  readonly showsFound: boolean;
  /** The failpoints that the run passed, in their order; empty where that is not known. */
  readonly passes: readonly string[];
  /** Whether the order of these contradicts their names: then no name says where a cut lies. */
  readonly misnamed: boolean;
}

/** What places the cells of a run that was not cut, given every pass of a failpoint in it. */
export function placingOf(
  { planned, by }: Pick<PointsObservation, 'planned'> & Partial<Pick<PointsObservation, 'by'>>,
  { cell: { passed }, allFound, invocations }: Cell,
): Placing {
  const planOrNone = by === 'passed' ? planned.map(({ name }) => name) : [];
  const again = new Set(repeatedIn(planned.map(({ name }) => name)));
  const passes = passed !== null && passed.length > 0 ? passed : planOrNone;
  return {
    passes,
    misnamed: disorderIn(passes) !== undefined,
    isOnce: (name) => !again.has(name),
    hasEffects: planned.some(({ name }) => namesEffect(name)),
    showsFound: allFound.length > 0,
    showsInvocations: invocations.some(({ step }) => step === 'started'),
  };
}

/** The names that come more than once. */
function repeatedIn(names: readonly string[]): readonly string[] {
  const once = new Set(passedOnce(names));
  return names.filter((name) => !once.has(name));
}

/**
 * Finds the window in which a cell's last death lies: by what the host found afterwards, else by the failpoint's name where it
 * says so and nothing that was seen contradicts it, else by what was seen alone.
 */
export function placeCell(cell: Cell, placing: Placing): Cell {
  const [window, by] = cell.reached && cell.cell.cut !== null ? placeOf(cell, placing) : NOWHERE;
  return { ...cell, window, by };
}

type Place = readonly [window: Cell['window'], by: Cell['by']];

const NOWHERE: Place = [null, null];

function placeOf(cell: Cell, placing: Placing): Place {
  const { found, outcome } = cell;
  if (ignoresEffect(cell, placing)) return ['3', 'name'];
  if (found !== null) return [windowAfter(cell, found), 'found'];
  // Where the host shows what it found and came to no tool call, the tool's node had ended.
  if (placing.showsFound && cell.cell.decisions !== null && outcome === 'completed') return [null, 'found'];
  const stage = stageOf(cell, placing);
  if (stage !== undefined && fits(stage, cell)) return [windowOfStage(stage, placing.hasEffects), 'name'];
  if (!placing.showsInvocations && outcome !== 'completed') return NOWHERE;
  const window = windowOfObserved(cell);
  // Where the ledger may be ahead of the stream, a stream that holds everything says nothing of it.
  return window === null || (placing.misnamed && window === '4') ? NOWHERE : [window, 'seen'];
}

/** A tool that was called is not one that is yet to be called, whatever the host forgot to write down before. */
function windowAfter(cell: Cell, found: FoundState): CrashWindow {
  // A call in doubt may be written down as one that failed: what the stream holds then is no result, and nor is what the ledger
  // holds beside it.
  const isLoss = found.ledger !== 'COMMITTED' || found.stream === 'finished';
  if (isFailureWritten(cell) && !found.effect && isLoss) return '2';
  const window = windowOfFound(found);
  return window === '1' && cell.callsThen > 0 ? '2' : window;
}

/** The window that the stores tell. Whatever store holds the result, it is known. */
function windowOfFound({ stream, ledger, effect }: FoundState): CrashWindow {
  if (stream === 'committed') return ledger === 'COMMITTED' ? '5' : '4';
  if (stream === 'finished' || effect || ledger === 'COMMITTED') return '3';
  return stream === 'started' ? '2' : '1';
}

/**
 * A pair whose first death left the call in doubt, and whose run was given up for that by the host when it came back: what is
 * recorded at the second death may be the loss, in whichever store, so that its window is the first death's.
 */
export function placePair(pair: Cell, first: Cell | undefined): Cell {
  const placed = { ...pair, firstWindow: first?.window ?? null };
  const isGivenUp = first?.window === '2' && first.outcome !== 'completed';
  if (!isGivenUp || !pair.reached || pair.outcome === 'completed') return placed;
  return { ...placed, window: '2', by: first.by };
}

function stageOf({ cell }: Cell, { isOnce, misnamed }: Placing): Stage | undefined {
  const cut = cell.second ?? cell.cut;
  return cut !== null && cut.hit === 1 && !misnamed && isOnce(cut.name) ? stageOfName(cut.name) : undefined;
}

/**
 * Whether a run was given up at a call whose effect had been put, by the name of its cut, and nobody found: a host without an
 * effect store has no failpoint behind its write, and one that has one looks there.
 */
function ignoresEffect(read: Cell, placing: Placing): boolean {
  const { cell, found, outcome, callsThen } = read;
  if (cell.cut === null || cell.second !== null || found === null || windowOfFound(found) !== '2') return false;
  if (outcome !== 'failed' && outcome !== 'parked') return false;
  return stageOf(read, placing) === 3 && isDoneAt(cell.cut.name, 'effect', placing.passes) && callsThen === 1;
}

/** Whether a stage that a name says agrees with the calls at the death and with the log. */
function fits(stage: Stage, cell: Cell): boolean {
  const { invocations, callsThen } = cell;
  const has = (wanted: InvocationStep): boolean => invocations.some(({ step }) => step === wanted);
  if (isFailureWritten(cell)) return false;
  if (stage < 1) return callsThen === 0 && !wasShown(cell, 'started');
  if (stage < 3) return !wasShown(cell, 'finished') && (has('started') || invocations.length === 0);
  if (stage === 3) return callsThen > 0;
  return callsThen > 0 && has('finished') && (stage === 4 || has('committed'));
}

/** Whether a client was shown a step of the call before the last death. */
function wasShown({ shownInvocations }: Cell, wanted: InvocationStep): boolean {
  return shownInvocations.some(({ step }) => step === wanted);
}

/**
 * The window that is left without a name: a result that was not shown and is known afterwards must have been recorded; one
 * that never shows was not.
 */
function windowOfObserved(cell: Cell): CrashWindow | null {
  const { callsThen, outcome, invocations } = cell;
  if (wasNodeEndShown(cell)) return wasShown(cell, 'started') ? '5' : null;
  if (wasShown(cell, 'committed')) return '4';
  if (wasShown(cell, 'finished')) return '3';
  if (callsThen > 0) return invocations.some(isResult) || outcome === 'completed' ? '3' : '2';
  if (wasShown(cell, 'started')) return '2';
  return outcome === 'completed' || invocations.length === 0 ? '1' : '2';
}
