import type { CrashWindow, FoundState } from '../../src/contract/crash-matrix.ts';
import type { RunEvent } from '../../src/host/run-event.ts';
import { eventsOf } from '../shared/compare-runs.ts';
import { stageOfName, windowOfStage, type Stage } from './cut-names.ts';
import { invocationEvents, type InvocationEvent } from './invocation-events.ts';
import { isDoneAt } from './write-names.ts';
import type { PlacedCell, SeenCell } from './seen-cell.ts';

/** What the run that was not cut shows of the others. */
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

/**
 * Finds the window in which a cell's last death lies: by what the host found afterwards, else by the failpoint's name where it
 * says so and nothing that was seen contradicts it, else by what was seen alone.
 */
export function placeCell(seen: SeenCell, placing: Placing): PlacedCell {
  const [window, by] = seen.reached && seen.cell.cut !== null ? placeOf(seen, placing) : NOWHERE;
  return { ...seen, window, by };
}

type Place = readonly [window: PlacedCell['window'], by: PlacedCell['by']];

const NOWHERE: Place = [null, null];

function placeOf(seen: SeenCell, placing: Placing): Place {
  const { found, cell, outcome } = seen;
  if (ignoresEffect(seen, placing)) return ['3', 'name'];
  if (found !== null) return [windowAfter(seen, found), 'found'];
  // Where the host shows what it found and came to no tool call, the tool's node had ended.
  if (placing.showsFound && cell.decisions !== null && outcome === 'completed') return [null, 'found'];
  const stage = stageOf(seen, placing);
  if (stage !== undefined && fits(stage, seen)) return [windowOfStage(stage, placing.hasEffects), 'name'];
  if (!placing.showsInvocations && outcome !== 'completed') return NOWHERE;
  const window = windowOfSeen(seen);
  // Where the ledger may be ahead of the stream, a stream that holds everything says nothing of it.
  return window === null || (placing.misnamed && window === '4') ? NOWHERE : [window, 'seen'];
}

/** A tool that was called is not one that is yet to be called, whatever the host forgot to write down before. */
function windowAfter(seen: SeenCell, found: FoundState): CrashWindow {
  // A call in doubt may be written down as one that failed: what the stream holds then is no result.
  if (isFailureWritten(seen) && !found.effect && found.ledger !== 'COMMITTED') return '2';
  const window = windowOfFound(found);
  return window === '1' && callsThen(seen) > 0 ? '2' : window;
}

function callsThen({ cell }: SeenCell): number {
  return cell.deaths.at(-1)?.calls ?? 0;
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
export function placePair(pair: PlacedCell, first: PlacedCell | undefined): PlacedCell {
  const isGivenUp = first?.window === '2' && first.outcome !== 'completed';
  if (!isGivenUp || !pair.reached || pair.outcome === 'completed') return pair;
  return { ...pair, window: '2', by: first.by };
}

/** Whether the log says that the call failed, and nowhere that it succeeded. */
export function isFailureWritten({ invocations }: Pick<SeenCell, 'invocations'>): boolean {
  const finished = invocations.filter(({ step }) => step === 'finished');
  return finished.length > 0 && finished.every(({ outcome }) => outcome === 'failure');
}

function stageOf({ cell }: SeenCell, { isOnce, misnamed }: Placing): Stage | undefined {
  const cut = cell.second ?? cell.cut;
  return cut !== null && cut.hit === 1 && !misnamed && isOnce(cut.name) ? stageOfName(cut.name) : undefined;
}

/**
 * Whether a run was given up at a call whose effect had been put, by the name of its cut, and nobody found: a host without an
 * effect store has no failpoint behind its write, and one that has one looks there.
 */
function ignoresEffect(seen: SeenCell, placing: Placing): boolean {
  const { cell, found, outcome } = seen;
  if (cell.cut === null || cell.second !== null || found === null || windowOfFound(found) !== '2') return false;
  if (outcome !== 'failed' && outcome !== 'parked') return false;
  const isPut = stageOf(seen, placing) === 3 && isDoneAt(cell.cut.name, 'effect', placing.passes);
  return isPut && callsThen(seen) === 1;
}

/** Whether a stage that a name says agrees with the calls at the death and with the log. */
function fits(stage: Stage, seen: SeenCell): boolean {
  const calls = callsThen(seen);
  const has = (step: InvocationEvent['step']): boolean => seen.invocations.some((each) => each.step === step);
  if (isFailureWritten(seen)) return false;
  if (stage < 1) return calls === 0 && !shownSteps(seen).has('started');
  if (stage < 3) return !shownSteps(seen).has('finished') && (has('started') || seen.invocations.length === 0);
  if (stage === 3) return calls > 0;
  return calls > 0 && has('finished') && (stage === 4 || has('committed'));
}

/** The steps that a client was shown before the last death. */
function shownSteps({ cell }: SeenCell): ReadonlySet<InvocationEvent['step']> {
  return new Set(invocationEvents(shownEvents(cell)).map(({ step }) => step));
}

/** Everything that clients were shown in lives that ended with the host's death. */
export function shownEvents({ deaths }: Pick<SeenCell['cell'], 'deaths'>): readonly RunEvent[] {
  return deaths.flatMap(({ shown }) => eventsOf({ events: shown }));
}

/** Whether a client was shown, before the last death, that the tool's node had completed. */
export function wasNodeEndShown({ cell }: Pick<SeenCell, 'cell'>): boolean {
  return shownEvents(cell).some(({ type }) => type === 'node.completed' || type === 'run.completed');
}

/**
 * The window that is left without a name: a result that was not shown and is known afterwards must have been recorded; one
 * that never shows was not.
 */
function windowOfSeen(seen: SeenCell): CrashWindow | null {
  const calls = callsThen(seen);
  const shown = shownSteps(seen);
  if (wasNodeEndShown(seen)) return shown.has('started') ? '5' : null;
  if (shown.has('committed')) return '4';
  if (shown.has('finished')) return '3';
  const hasResult = seen.invocations.some(({ step, outcome }) => step === 'finished' && outcome !== 'failure');
  if (calls > 0) return hasResult || seen.outcome === 'completed' ? '3' : '2';
  if (shown.has('started')) return '2';
  if (seen.outcome === 'completed') return '1';
  return seen.invocations.length === 0 ? '1' : '2';
}
