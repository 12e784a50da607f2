import type { Observation } from '../../src/evidence/types.ts';
import type { Cut } from '../../src/host/crash.ts';
import type { RunEvent } from '../../src/host/run-event.ts';
import type { Recorded } from '../../src/runner/scenario.ts';
import { contentOf, shows } from './cell-defects.ts';
import { cellText, cutText, keyOf, type CellObservation, type Pair, type PointsObservation } from './cell.ts';
import { changedMember } from './changed-member.ts';
import { namesEffect } from './cut-names.ts';
import { plannedCuts, plannedPairs } from './cut-plan.ts';
import type { Habits } from './defect.ts';
import { placeCell, placePair, type Placing } from './place-cell.ts';
import { eventsIn, readCell, type PlacedCell, type SeenCell } from './seen-cell.ts';
import { answerHabits } from './shown-answers.ts';
import { disorderIn } from './write-names.ts';

/** The whole matrix as its judges read it. */
export interface SeenMatrix {
  readonly points: Recorded<PointsObservation>;
  readonly uncut: PlacedCell;
  readonly habits: Habits;
  /** The failpoints that it passed, in their order; empty where that is not known. */
  readonly passes: readonly string[];
  /** Whether that order contradicts the write order: the ledger may be ahead of the stream then. */
  readonly misnamed: boolean;
  /** Cells with one cut and with two, in the order in which they were planned. */
  readonly singles: readonly PlacedCell[];
  readonly pairs: readonly PlacedCell[];
  /** Planned cuts, in words, of which nothing was recorded. */
  readonly missing: { readonly singles: readonly string[]; readonly pairs: readonly string[] };
}

/** A matrix, or why what was recorded of it proves nothing. */
export type ReadMatrix = SeenMatrix | string;

/** Reads what was recorded of a matrix; where it proves nothing at all, why. */
export function readMatrix(observations: readonly Recorded<Observation>[]): ReadMatrix {
  const points = observations.find((each): each is Recorded<PointsObservation> => each.type === 'points');
  const cells = observations.filter((each): each is Recorded<CellObservation> => each.type === 'cell').map(readCell);
  const uncut = cells.find(({ cell }) => cell.cut === null);
  if (points === undefined) return 'the matrix was not driven';
  if (points.problem !== null) return `the points at which the host can be cut are not known: ${points.problem}`;
  if (uncut === undefined) return 'the run that is not cut was not driven';
  if (uncut.calls === 0) {
    return 'the run that was not cut did not call the witness: allow its address (hosts that guard against loopback addresses refuse it), or give --witness-url';
  }
  if (uncut.outcome !== 'completed') return `the run that was not cut came out as ${uncut.outcome}`;
  const placing = placingOf(points, uncut);
  const placed = cells.map((cell) => placeCell(cell, placing));
  const singles = placed.filter(({ cell }) => cell.cut !== null && cell.second === null);
  const firsts = new Map(singles.map((single) => [keyOf(single.cell), single]));
  const pairs = placed
    .filter(({ cell }) => cell.second !== null)
    .map((pair) => placePair(pair, firsts.get(keyOf({ ...pair.cell, second: null }))));
  const known = new Set(placed.map(({ cell }) => keyOf(cell)));
  return {
    points,
    uncut: placeCell(uncut, placing),
    habits: habitsOf(uncut),
    passes: placing.passes,
    misnamed: placing.misnamed,
    singles,
    pairs,
    missing: {
      singles: missingOf(
        wantedCuts(points, uncut).map((cut) => ({ cut, second: null })),
        known,
      ),
      pairs: missingOf(wantedPairs(points, singles), known),
    },
  };
}

/** The cuts that there have to be: what the run that was not cut passed says more than a plan. */
function wantedCuts({ by, cuts, planned }: PointsObservation, { cell: { passed } }: SeenCell): readonly Cut[] {
  return by === 'passed' && passed !== null ? [...planned, ...plannedCuts(passed, cuts)] : planned;
}

function wantedPairs(points: PointsObservation, singles: readonly PlacedCell[]): readonly Pair[] {
  const order = new Map(points.planned.map((cut, index) => [cutText(cut), index]));
  const rank = ({ cut }: CellObservation): number => (cut === null ? -1 : (order.get(cutText(cut)) ?? order.size));
  const cells = singles.map(({ cell }) => cell).toSorted((a, b) => rank(a) - rank(b));
  return [...points.pairs, ...plannedPairs(cells, points).pairs];
}

function missingOf(
  planned: readonly Pick<CellObservation, 'cut' | 'second'>[],
  known: ReadonlySet<string>,
): readonly string[] {
  return [...new Set(planned.filter((cuts) => !known.has(keyOf(cuts))).map(cellText))];
}

/** What places the cells of a run that was not cut, given every pass of a failpoint in it. */
export function placingOf(
  points: Pick<PointsObservation, 'planned'> & Partial<Pick<PointsObservation, 'by'>>,
  uncut: SeenCell,
): Placing {
  const { planned } = points;
  const passes = passesOf(points, uncut);
  return {
    passes,
    misnamed: disorderIn(passes) !== undefined,
    isOnce: (name) => planned.filter((cut) => cut.name === name).length <= 1,
    hasEffects: planned.some(({ name }) => namesEffect(name)),
    tellsFound: uncut.allFound.length > 0,
    showsInvocations: uncut.invocations.some(({ step }) => step === 'started'),
  };
}

/** The failpoints that the run that was not cut passed, in their order; none where that is not known. */
function passesOf({ planned, by }: Parameters<typeof placingOf>[0], { cell: { passed } }: SeenCell): readonly string[] {
  if (passed !== null && passed.length > 0) return passed;
  return by === 'passed' ? planned.map(({ name }) => name) : [];
}

/** What a run that was not cut tells of what its host shows. */
export function habitsOf(uncut: SeenCell): Habits {
  const kept = new Map(uncut.events.map((event) => [event.eventId, contentOf(event)]));
  const unsteady = eventsIn(uncut.cell.live ?? []).filter((event) => kept.get(event.eventId) !== contentOf(event));
  const [nonce] = uncut.nonces;
  return {
    unsteady: new Set(unsteady.map(({ type }) => type)),
    restless: restlessMembers(uncut),
    showsLog: uncut.events.length > 0,
    showsResult: nonce !== undefined && shows(uncut, nonce),
    ...answerHabits(uncut),
  };
}

/** Members that differ between two readings of the log of a run to which nothing happens. */
function restlessMembers({ events, cell }: SeenCell): ReadonlySet<string> {
  const live = new Map(eventsIn(cell.live ?? []).map((event) => [event.eventId, event]));
  const names = new Set<string>();
  for (const event of events) {
    const shown = live.get(event.eventId);
    for (let name = shown && changedMember(shown, event)?.name; name !== undefined;) {
      names.add(name);
      name = shown && changedMember(shown, event, names)?.name;
    }
  }
  return names;
}

/** Where the tool's answer stands in a log: the types of the events that hold it. */
export function typesThatShow({ events, nonces }: SeenCell): ReadonlySet<string> {
  return new Set(events.filter((event) => holds(event, nonces)).map(({ type }) => type));
}

/** Whether an event holds one of these texts. */
export function holds({ payload }: RunEvent, texts: readonly string[]): boolean {
  const text = JSON.stringify(payload) ?? '';
  return texts.some((each) => text.includes(each));
}

/** Failpoints that are advertised and that neither the run that was not cut nor any recovery passed. */
export function neverPassed({ points, singles, pairs }: SeenMatrix): readonly string[] {
  const passed = new Set([...singles, ...pairs].flatMap(({ cell }) => cell.passed ?? []));
  return points.notPassed.filter((name) => !passed.has(name));
}
