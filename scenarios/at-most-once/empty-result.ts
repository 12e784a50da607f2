import { advertisedFailpoints, readPart } from '../../src/contract/discovery.ts';
import { provableSemantics } from '../../src/contract/gates.ts';
import { fail, notApplicable, type Outcome, pass, undecided, undecidedUntil } from '../../src/contract/outcome.ts';
import type { Json, Observation } from '../../src/evidence/types.ts';
import type { Witness } from '../../src/evidence/witness.ts';
import type { CrashLane, Cut, CutSet } from '../../src/host/crash.ts';
import type { Probe } from '../../src/host/probe.ts';
import { defineScenario } from '../../src/runner/define-scenario.ts';
import type { Recorded } from '../../src/runner/scenario.ts';
import { ofType, type Recordings } from '../shared/of-type.ts';
import { openOf } from '../shared/settle.ts';
import { type Defect, failureIn, judgeCells, listed } from './cell-defects.ts';
import { type CellObservation, NOT_DEAD, UNCUT } from './cell.ts';
import { createCells } from './crash-drive.ts';
import { cutNeeds } from './crash-seams.ts';
import { cutsIn } from './cut-plan.ts';
import { wrong } from './diagnoses.ts';
import { namesEffect, stageOfName, windowOfStage } from './failpoint-names.ts';
import { CHARGE, ONCE } from './fixtures.ts';
import { controlOf } from './matrix.ts';
import { placeCell, placingOf } from './place-cell.ts';
import { eachThenCuts, prepared } from './prepared-cells.ts';
import { type Cell, readCell } from './read-cell.ts';
import { leftUndriven } from '../shared/need.ts';
import { shownAnswers, VARIABLES } from './shown-answers.ts';

/** Where runs whose tool answers one value are cut. */
export interface EmptyPoints extends Observation {
  readonly type: 'empty-points';
  /** What the tool answers in all of them. */
  readonly answer: Json;
  /** Every pass of a failpoint in the run that is not cut; the first pass of each name where the host does not tell. */
  readonly passes: readonly Cut[];
  /** The passes that are cut: each has its cell. */
  readonly cuts: readonly Cut[];
}

/** One run whose tool answers that value, cut once or not at all. */
export interface EmptyCell extends Observation {
  readonly type: 'empty-cell';
  readonly answer: Json;
  readonly cell: CellObservation;
}

export type EmptyObservation = EmptyPoints | EmptyCell;

/** Judges once.committed.empty-result: an empty answer is recorded and injected as any other one. */
function judgeEmptyResults(recorded: Recordings): Outcome {
  const found = answersIn(recorded).map(judgeAnswer);
  const left = found.flatMap((each) => (each.kind === 'not-applicable' ? [each.reason] : []));
  const open = openOf(found.filter(({ kind }) => kind !== 'not-applicable'));
  if (open !== undefined) return open;
  const passed = found.filter((each) => each.kind === 'pass');
  const note = left.length === 0 ? '' : `; left out: ${left.join(', ')}`;
  if (passed.length === 0) {
    return left.length === 0 ? leftUndriven(UNCUT) : undecided(`the host takes none of the answers${note}`, []);
  }
  const evidence = passed.flatMap((each) => each.evidence);
  const tried = new Set(ofType<EmptyPoints>(recorded, 'empty-points').map(({ answer }) => textOf(answer)));
  const others = ANSWERS.full.map(textOf).filter((each) => !tried.has(each));
  const untried = others.length === 0 ? '' : `; not tried (--crash full tries all): ${others.join(', ')}`;
  return pass(evidence, `${passed.map(({ reason }) => reason).join('; ')}${note}${untried}`);
}

/** The outcome for one answer; not applicable where the host takes no such answer at all. */
function judgeAnswer(recorded: RecordedAnswer): Outcome {
  const outcome = judgeRuns(recorded);
  if (outcome.kind !== 'fail' && outcome.kind !== 'undecided') return outcome;
  return { ...outcome, reason: `the tool answers ${textOf(recorded.answer)}; ${outcome.reason ?? ''}` };
}

function judgeRuns(recorded: RecordedAnswer): Outcome {
  const uncut = recorded.cells.filter(({ cut }) => cut === null).map(readCell)[0];
  if (uncut === undefined) return leftUndriven(UNCUT);
  if (uncut.cell.notDriven !== null) return undecided(`the ${UNCUT} was not driven: ${uncut.cell.notDriven}`, []);
  if (uncut.calls === 0) return undecided('the run that was not cut did not call the witness', [uncut]);
  if (uncut.outcome !== 'completed' && uncut.calls === 1) {
    const reason = `${textOf(recorded.answer)} (the run that was not cut came out as ${uncut.outcome})`;
    return notApplicable(reason, [uncut]);
  }
  const placing = placingOf({ planned: recorded.points.passes }, uncut);
  const driven = recorded.cells.filter(({ cut, notDriven }) => cut !== null && notDriven === null);
  const cells = driven.map((cell) => placeCell(readCell(cell), placing));
  return judgeCells([uncut, ...cells], controlOf(uncut)) ?? uncommitted(uncut) ?? judgeShown(recorded, uncut, cells);
}

/** A log that shows the end of the call and never its commit. Where that is so of any answer, the row about the order says it. */
function uncommitted(uncut: Cell): Outcome | undefined {
  const steps = uncut.invocations.map(({ step }) => step);
  if (!steps.includes('finished') || steps.includes('committed')) return undefined;
  const expected = 'command_committed behind tool_invocation_finished in the log of the run that was not cut';
  const actual = uncut.events.map(({ type }) => type).join(', ');
  return fail({ expected, actual, diagnosis: wrong('missing-event'), restsOn: 'once.write-order' }, [uncut]);
}

const EXPOSE = 'expose failpoints after PutEffect, such as after-put-effect or after-ledger-commit';

/** Whether the answer stands after each death where it stands without one. */
function judgeShown(observed: RecordedAnswer, uncut: Cell, cells: readonly Cell[]): Outcome {
  const text = textOf(observed.answer);
  const wanted = shownIn(uncut).filter((each) => each.text === text);
  const known = cells.filter(({ reached, outcome }) => reached && outcome === 'completed');
  const failure = failureIn(known, (cell) => lostAnswer(shownIn(cell), wanted));
  if (failure !== undefined) return failure;
  const undriven = observed.cells.find(({ notDriven }) => notDriven !== null);
  if (undriven !== undefined || observed.cells.length <= observed.points.cuts.length) {
    return undecided(`not every cut was driven: ${undriven?.notDriven ?? 'the scenario was stopped'}`, cells);
  }
  // In the windows from 3 on the answer is recorded.
  const recorded = cells.filter(({ reached, window }) => reached && window !== null && window >= '3');
  if (recorded.length > 0) {
    const silent = wanted.length === 0 ? ', whose log does not show it' : '';
    return pass(recorded, `${text}${silent}: ${recorded.length} cuts`);
  }
  const isDead = cells.length === 0 || cells.some(({ reached }) => reached);
  return isDead
    ? undecidedUntil(EXPOSE, 'no death was seen after the answer was recorded', [uncut])
    : undecided(`${NOT_DEAD}: ${listed(cells)}`, [uncut]);
}

/**
 * What a run shows in the place of an answer that another one shows there; undefined where it shows the same. A member that is
 * null and one that is left out are one: some serialisers write the one, some the other.
 */
function lostAnswer(shown: readonly Shown[], wanted: readonly Shown[]): Defect | undefined {
  const isKept = ({ place, text }: Shown): boolean =>
    shown.some((each) => each.place === place && (each.text === text || (text === NULL && each.text === ABSENT)));
  const other = wanted.find((each) => !isKept(each) && shown.some(({ place }) => place === each.place));
  const missing = other ?? (wanted.some(isKept) ? undefined : wanted.find((each) => !mayBeAbsent(each)));
  if (missing === undefined) return undefined;
  const actual = shown.find(({ place }) => place === missing.place)?.text ?? 'nothing there';
  return ['empty-result-lost', `${missing.text} in ${missing.place}, as in the run that was not cut`, actual];
}

/** Everything that was driven with one answer. */
interface RecordedAnswer {
  readonly answer: Json;
  readonly points: Recorded<EmptyPoints>;
  readonly cells: readonly Recorded<CellObservation>[];
}

/** The recorded by answer, in the order in which they were driven. */
function answersIn(recorded: Recordings): readonly RecordedAnswer[] {
  const cells = ofType<EmptyCell>(recorded, 'empty-cell');
  return ofType<EmptyPoints>(recorded, 'empty-points').map((points) => {
    const own = cells.filter(({ answer }) => textOf(answer) === textOf(points.answer));
    return { answer: points.answer, points, cells: own.map(({ id, cell }) => ({ ...cell, id })) };
  });
}

/** What stands where a member is left out, and where it is null. */
const ABSENT = 'nothing';
const NULL = 'null';

/** A value as JSON text; `nothing` where there is none. */
function textOf(value: unknown): string {
  return JSON.stringify(value) ?? ABSENT;
}

/** A place in which a run may show what its tool answered, and the JSON text of what stands there. */
interface Shown {
  readonly place: string;
  readonly text: string;
}

function shownIn(cell: Cell): readonly Shown[] {
  return shownAnswers(cell).map(({ place, value }) => ({ place, text: textOf(value) }));
}

/** Whether it is a variable that is null, as one is that was never written. */
function mayBeAbsent({ place, text }: Shown): boolean {
  return text === NULL && place.startsWith(VARIABLES);
}

/** What tools may answer that some languages take for nothing. */
const ANSWERS: Readonly<Record<CutSet, readonly Json[]>> = {
  few: [null],
  quick: [{}, null],
  full: [{}, null, '', false, 0, []],
};

/**
 * The passes after which the answer is recorded, by their names: all of them in a full run, else the first in each
 * window, or of a few the first and the last. All passes where no name tells where it lies.
 */
export function cutsOnceRecorded(passes: readonly Cut[], cuts: CutSet): readonly Cut[] {
  const hasEffects = passes.some(({ name }) => namesEffect(name));
  const telling = passes.flatMap((cut) => {
    const stage = passes.filter(({ name }) => name === cut.name).length === 1 ? stageOfName(cut.name) : undefined;
    const window = stage === undefined ? '1' : windowOfStage(stage, hasEffects);
    return window < '3' ? [] : [{ cut, window }];
  });
  if (telling.length === 0) return passes;
  const isFirst = ({ window }: (typeof telling)[number], index: number): boolean =>
    telling.findIndex((each) => each.window === window) === index;
  const firsts = telling.filter(isFirst);
  const chosen = { few: [...new Set([...firsts.slice(0, 1), ...firsts.slice(-1)])], quick: firsts, full: telling };
  return chosen[cuts].map(({ cut }) => cut);
}

interface Job {
  readonly answer: Json;
  readonly cut: Cut | null;
}

async function drive(probe: Probe): Promise<readonly EmptyObservation[]> {
  const { crash: bench, witness } = probe;
  if (bench === undefined || witness === undefined) return [];
  const advertised = advertisedFailpoints(readPart(probe.discovery, 'provable')).map((name) => ({ name, hit: 1 }));
  const driveOne = createCells(probe);
  const run = async (lane: CrashLane, { answer, cut }: Job): Promise<EmptyCell> => {
    const on = { lane, thorough: cut === null, witness: staging(witness, answer) };
    const cell = await driveOne({ cut, second: null }, on);
    return { type: 'empty-cell', answer, cell, exchanges: cell.exchanges };
  };
  const recorded: EmptyObservation[] = [];
  const uncut = async (lane: CrashLane, answer: Json): Promise<readonly Job[]> => {
    const control = await run(lane, { answer, cut: null });
    const { passed, stopped, notDriven } = control.cell;
    const passes = passed === null ? advertised : cutsIn(passed);
    const cuts = notDriven === null && stopped === 'ended' ? cutsOnceRecorded(passes, bench.cuts) : [];
    const points: EmptyPoints = { type: 'empty-points', answer, passes, cuts, exchanges: [] };
    recorded.push(points, control);
    return cuts.map((cut) => ({ answer, cut }));
  };
  await eachThenCuts(bench, ANSWERS[bench.cuts], {
    uncut,
    cut: async (lane, job) => void recorded.push(await run(lane, job)),
  });
  return recorded;
}

/** A witness whose effect answers this value in every visit. */
function staging(witness: Witness, answer: Json): Witness {
  return prepared(witness, (visit) => visit.stageEffect(CHARGE.effect, answer));
}

/** Windows 3, 4 and 5 of provable-semantics §2 with answers that are easily taken for none. */
export const emptyResult = defineScenario<EmptyObservation>({
  id: 'once.empty-result',
  suite: 'at-most-once',
  title: 'A tool that answers something empty, and a death once that is recorded',
  gate: provableSemantics,
  needs: cutNeeds(ONCE),
  patience: (options) => (options.crash === 'full' ? 120 : 40),
  drive,
  checks: [
    {
      id: 'once.committed.empty-result',
      title: 'A recorded result that is empty is injected, and the tool is not called again',
      judge: judgeEmptyResults,
    },
  ],
});
