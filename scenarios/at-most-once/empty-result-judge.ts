import type { Judgement } from '../../src/contract/verdict.ts';
import type { Observation } from '../../src/evidence/types.ts';
import type { Recorded } from '../../src/runner/scenario.ts';
import type { CellObservation } from './cell.ts';
import type { Defect } from './defect.ts';
import { answersIn, type SeenAnswer, type Shown, shownIn, textOf } from './empty-result-seen.ts';
import { failing, judgeCells, listed, NOT_DEAD, passing, undecided } from './judge-windows.ts';
import { placeCell } from './place-cell.ts';
import { type PlacedCell, readCell } from './seen-cell.ts';
import { controlOf, placingOf } from './seen-matrix.ts';

const CHECK = 'once.committed.empty-result';

const EXPOSE =
  'no death was seen after the answer was recorded: expose failpoints after PutEffect, such as after-put-effect or after-ledger-commit';

/** What was found for one answer; `left out` where the host takes no such answer at all. */
type Found = Judgement | { readonly verdict: 'left out'; readonly reason: string };

/** Judges once.committed.empty-result: an empty answer is recorded and injected as any other one. */
export function judgeEmptyResults(observations: readonly Recorded<Observation>[]): Judgement {
  const found = answersIn(observations).map((seen) => ({ seen, found: judgeAnswer(seen) }));
  const first = (verdict: Found['verdict']): Judgement | undefined => {
    const at = found.find((each) => each.found.verdict === verdict);
    if (at === undefined || at.found.verdict === 'left out') return undefined;
    const { found: judgement, seen } = at;
    return { ...judgement, reason: `the tool answers ${textOf(seen.answer)}; ${judgement.reason ?? ''}` };
  };
  const decisive = first('fail') ?? first('inconclusive');
  if (decisive !== undefined) return decisive;
  const passed = found.flatMap(({ found: each }) => (each.verdict === 'pass' ? [each] : []));
  const left = found.flatMap(({ found: each }) => (each.verdict === 'left out' ? [each.reason] : []));
  const note = left.length === 0 ? '' : `; left out: ${left.join(', ')}`;
  if (passed.length === 0) {
    const why = left.length === 0 ? 'no run was driven' : `the host takes none of the answers${note}`;
    return undecided(CHECK, why, []);
  }
  const evidence = passed.flatMap((each) => each.evidence);
  return { check: CHECK, verdict: 'pass', reason: `${passed.map(({ reason }) => reason).join('; ')}${note}`, evidence };
}

function judgeAnswer(seen: SeenAnswer): Found {
  const text = textOf(seen.answer);
  const uncut = seen.cells.filter(({ cut }) => cut === null).map(readCell)[0];
  if (uncut === undefined || uncut.cell.notDriven !== null) {
    return undecided(CHECK, uncut?.cell.notDriven ?? 'the run that is not cut was not driven', []);
  }
  const base: PlacedCell = { ...uncut, window: null, by: null };
  const habits = controlOf(uncut);
  if (uncut.calls === 0) return undecided(CHECK, 'the run that was not cut did not call the witness', [base]);
  if (uncut.outcome !== 'completed' && uncut.calls === 1) {
    return { verdict: 'left out', reason: `${text} (the run that was not cut came out as ${uncut.outcome})` };
  }
  const placing = placingOf({ planned: seen.points.passes }, uncut);
  const cells = seen.cells.filter(isDriven).map((cell) => placeCell(readCell(cell), placing));
  return judgeCells(CHECK, [base, ...cells], { habits }) ?? judgeShown(seen, base, cells);
}

function isDriven({ cut, notDriven }: CellObservation): boolean {
  return cut !== null && notDriven === null;
}

/** Whether the answer stands after each death where it stands without one. */
function judgeShown(seen: SeenAnswer, uncut: PlacedCell, cells: readonly PlacedCell[]): Judgement {
  const text = textOf(seen.answer);
  const wanted = shownIn(uncut).filter((each) => each.text === text);
  const known = cells.filter(({ reached, outcome }) => reached && outcome === 'completed');
  const wrong = known.flatMap((cell) => {
    const defect = lostAnswer(shownIn(cell), wanted);
    return defect === undefined ? [] : [{ cell, defect }];
  });
  const [first, ...others] = wrong;
  if (first !== undefined) {
    return failing(
      CHECK,
      first,
      others.map(({ cell }) => cell),
    );
  }
  const undriven = seen.cells.find(({ notDriven }) => notDriven !== null);
  if (undriven !== undefined || seen.cells.length <= seen.points.cuts.length) {
    return undecided(CHECK, `not every cut was driven: ${undriven?.notDriven ?? 'the scenario was stopped'}`, cells);
  }
  const recorded = cells.filter(({ reached, window }) => reached && RECORDED.has(window ?? ''));
  if (recorded.length === 0)
    return undecided(
      CHECK,
      cells.length === 0 || cells.some(({ reached }) => reached) ? EXPOSE : `${NOT_DEAD}: ${listed(cells)}`,
      [uncut],
    );
  const silent = wanted.length === 0 ? ', whose log does not show it' : '';
  return passing(CHECK, `${text}${silent}: ${recorded.length} cuts`, recorded);
}

/** The windows of provable-semantics §2 in which the answer is recorded. */
const RECORDED: ReadonlySet<string> = new Set(['3', '4', '5']);

/** What a run shows in the place of an answer that another one shows there; undefined where it shows the same. */
function lostAnswer(shown: readonly Shown[], wanted: readonly Shown[]): Defect | undefined {
  const isKept = ({ place, text }: Shown): boolean => shown.some((each) => each.place === place && each.text === text);
  const other = wanted.find((each) => !isKept(each) && shown.some(({ place }) => place === each.place));
  const missing = other ?? (wanted.some(isKept) ? undefined : wanted[0]);
  if (missing === undefined) return undefined;
  return {
    code: 'empty-result-lost',
    expected: `${missing.text} in ${missing.place}, as in the run that was not cut`,
    actual: shown.find(({ place }) => place === missing.place)?.text ?? 'nothing there',
  };
}
