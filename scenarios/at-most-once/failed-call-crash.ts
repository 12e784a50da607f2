import { advertisedFailpoints, member, readPart } from '../../src/contract/discovery.ts';
import { provableSemantics } from '../../src/contract/gates.ts';
import { type Outcome, pass, undecided, undecidedUntil } from '../../src/contract/outcome.ts';
import type { Observation } from '../../src/evidence/types.ts';
import type { EffectFailure } from '../../src/evidence/witness.ts';
import type { CrashLane, Cut, CutSet } from '../../src/host/crash.ts';
import type { Probe } from '../../src/host/probe.ts';
import { defineScenario } from '../../src/runner/define-scenario.ts';
import { ofType, type Recordings } from '../shared/of-type.ts';
import { failureOf, settle } from '../shared/settle.ts';
import { type Defect, failureIn, judgeSafety, listed } from './cell-defects.ts';
import { type CellObservation, NOT_DEAD, UNCUT } from './cell.ts';
import { createCells } from './crash-drive.ts';
import { cutNeeds } from './crash-seams.ts';
import { cutsIn } from './cut-plan.ts';
import { stageOfName, wordsOf } from './failpoint-names.ts';
import { FAILURES, failureText, inputsOf, stageFailure } from './failed-call.ts';
import { ONCE } from './fixtures.ts';
import { controlOf } from './matrix.ts';
import { eachThenCuts, prepared } from './prepared-cells.ts';
import { type Cell, isFailureWritten, readCell } from './read-cell.ts';
import { undrivenText } from '../shared/unobserved.ts';

/** One run whose tool fails, cut once or not at all. */
export interface FailedCell extends Observation {
  readonly type: 'failed-cell';
  readonly how: EffectFailure;
  readonly cell: CellObservation;
}

/** Judges once.failed-call.crash: no death makes a call again that has failed. */
function judge(recorded: Recordings): Outcome {
  const cells = ofType<FailedCell>(recorded, 'failed-cell').map(({ id, how, cell }) => ({
    how,
    cell: { ...cell, id },
  }));
  const found = FAILURES.flatMap((how) => {
    const own = cells.filter((each) => each.how === how).map(({ cell }) => readCell(cell));
    return own.length === 0 ? [] : [judgeFailure(how, own)];
  });
  return failureOf(found) ?? settle(found);
}

const EXPOSE = 'expose failpoints after the tool has answered, such as after-execute or after-append-finished';

function judgeFailure(how: EffectFailure, cells: readonly Cell[]): Outcome {
  const uncut = cells.find(({ cell }) => cell.cut === null);
  if (uncut === undefined || uncut.cell.notDriven !== null) {
    return undecided(`${how}: ${uncut?.cell.notDriven ?? undrivenText(UNCUT)}`, []);
  }
  if (uncut.calls === 0) return undecided(`${how}: the run that was not cut did not call the witness`, [uncut]);
  const cut = cells.filter(({ cell }) => cell.cut !== null && cell.notDriven === null);
  const retries = uncut.calls > 1;
  if (retries && repeats(uncut)) {
    const reason = `${how}: ${uncut.calls} calls under one key where nobody died: retries that show no attempt say nothing of deaths`;
    return undecided(reason, [uncut]);
  }
  // A host that retries does so under other attempts: none of them may come twice.
  const again = retries
    ? failureIn(cut, (cell) =>
        repeats(cell) ? ['duplicate-call', 'each attempt called once', `${cell.calls} calls`] : undefined,
      )
    : undefined;
  const counted = retries ? cut.map((cell) => ({ ...cell, calls: Math.min(cell.calls, 1) })) : cut;
  const found = again ?? judgeSafety(counted, { ...controlOf(uncut), retries });
  const forgotten = isFailureWritten(uncut) && uncut.outcome !== 'completed' ? failureIn(cut, forgottenIn) : undefined;
  const wrongful = found?.kind === 'fail' || found?.kind === 'rests' ? found : (forgotten ?? found);
  if (wrongful !== undefined) return withFailure(wrongful, how);
  const reached = cut.filter((cell) => cell.reached && cell.callsThen > 0);
  if (reached.length === 0) {
    const isDead = cut.length === 0 || cut.some((cell) => cell.reached);
    const why = `${how}: no death was seen after the call`;
    return isDead ? undecidedUntil(EXPOSE, why, [uncut]) : undecided(`${how}: ${listed(cut)} (${NOT_DEAD})`, [uncut]);
  }
  const written = reached.filter(isFailureWritten).length;
  return pass(reached, `${how}: ${reached.length} cuts, ${written} with a recorded failure, no call was made again`);
}

/** A run that completed after its death, though its tool never gave an answer, and the run that was not cut did not complete. */
function forgottenIn({ reached, outcome, calls }: Cell): Defect | undefined {
  if (!reached || outcome !== 'completed' || calls === 0) return undefined;
  return ['failure-forgotten', 'no completed run of a tool that failed, as where nobody died', 'completed'];
}

function withFailure(outcome: Outcome, how: EffectFailure): Outcome {
  if (outcome.kind !== 'fail' && outcome.kind !== 'undecided') return outcome;
  return { ...outcome, reason: `${failureText(how)}; ${outcome.reason ?? ''}` };
}

/** Whether two calls of a run carry one key, or one carries none: then nobody can tell attempts apart. */
function repeats({ cell }: Cell): boolean {
  const keys = cell.calls.map((call) => member(call, 'idempotencyKey'));
  return new Set(keys).size < keys.length || keys.includes(null);
}

/** The failures that are staged. */
const STAGED: Readonly<Record<CutSet, readonly EffectFailure[]>> = {
  few: ['status 500'],
  quick: FAILURES,
  full: FAILURES,
};

/** How far the call had got at the deaths of a quick run: it was made, its failure is in the stream, the ledger knows it. */
const STAGES: Readonly<Record<EffectFailure, readonly number[]>> = {
  'status 500': [2, 4, 6],
  reset: [4],
  silence: [4],
};

/** The passes that are cut where the tool fails so: behind the call by their names, all of an answered error where none tells. */
export function cutsOnceFailed(passes: readonly Cut[], how: EffectFailure, cuts: CutSet): readonly Cut[] {
  const behind = passes.filter(({ name }) => (stageOfName(name) ?? 0) >= 2);
  if (behind.length === 0) return how === 'status 500' ? passes : [];
  if (cuts === 'full') return behind;
  // A step that a failed call does not take has a place before it that is not passed either: better one behind the last step.
  const ordered = [...behind.filter(isAfter), ...behind.filter((cut) => !isAfter(cut))];
  const chosen = (cuts === 'few' ? [4] : STAGES[how]).flatMap(
    (stage) => ordered.find(({ name }) => stageOfName(name) === stage) ?? [],
  );
  return chosen.length === 0 ? behind.slice(0, 1) : chosen;
}

function isAfter({ name }: Cut): boolean {
  return wordsOf(name).side === 'after';
}

async function drive(probe: Probe): Promise<readonly FailedCell[]> {
  const { crash: bench, witness } = probe;
  if (bench === undefined || witness === undefined) return [];
  const advertised = advertisedFailpoints(readPart(probe.discovery, 'provable')).map((name) => ({ name, hit: 1 }));
  const driveOne = createCells(probe);
  const recorded: FailedCell[] = [];
  const run = async (lane: CrashLane, how: EffectFailure, cut: Cut | null): Promise<CellObservation> => {
    const own = prepared(witness, (visit) => stageFailure(visit, how, probe));
    const on = { lane, thorough: cut === null, witness: own, run: { inputs: inputsOf(how) } };
    const cell = await driveOne({ cut, second: null }, on);
    recorded.push({ type: 'failed-cell', how, cell, exchanges: cell.exchanges });
    return cell;
  };
  await eachThenCuts(bench, STAGED[bench.cuts], {
    uncut: async (lane, how) => {
      const { passed, stopped, notDriven } = await run(lane, how, null);
      const isSettled = notDriven === null && (stopped === 'ended' || stopped === 'parked');
      const passes = passed === null ? advertised : cutsIn(passed);
      return isSettled ? cutsOnceFailed(passes, how, bench.cuts).map((cut) => ({ how, cut })) : [];
    },
    cut: async (lane, { how, cut }) => void (await run(lane, how, cut)),
  });
  return recorded;
}

/** The windows of provable-semantics §2 behind the call, where the tool fails. */
export const failedCallCrash = defineScenario<FailedCell>({
  id: 'once.failed-call.crash',
  suite: 'at-most-once',
  title: 'A tool that fails after its effect, and a death behind its call',
  gate: provableSemantics,
  needs: cutNeeds(ONCE),
  patience: (options) => (options.crash === 'full' ? 120 : 40),
  drive,
  checks: [
    {
      id: 'once.failed-call.crash',
      title: 'A call that failed is not made again after a death, and its run ends',
      judge,
    },
  ],
});
