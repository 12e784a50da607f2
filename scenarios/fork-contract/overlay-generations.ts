import { fail, isOutcome, type Outcome, pass, rests, undecided, undecidedUntil } from '../../src/contract/outcome.ts';
import type { Probe } from '../../src/host/probe.ts';
import { defineScenario } from '../../src/runner/define-scenario.ts';
import { bounds, named, shown } from '../shared/compare-runs.ts';
import { firstExecuted } from '../shared/first-executed.ts';
import { FOUNDATIONS } from '../shared/foundations.ts';
import { leftWithout, need, runOf } from '../shared/need.ts';
import type { Recordings } from '../shared/of-type.ts';
import { branches, replayOf, replays } from '../shared/replays.ts';
import { isObserved, type RunObservation, startFork, startRun } from '../shared/run-observation.ts';
import { failureOf } from '../shared/settle.ts';
import { wrong } from './diagnoses.ts';
import { CANDIDATES, GIVEN, NO_OVERLAY, OVERLAID, ROW, says, SHOWN, SOURCE } from './overlay-members.ts';
import { alone } from '../shared/causes.ts';

const BRANCH = 'branch with other inputs';
/** Each of them is made when the branch has ended. */
const [LATER, OF_REPLAY, OF_BRANCH] = [
  'replay after the branch',
  'branch of the replay',
  'replay of the branch',
] as const;

type Role = typeof LATER | typeof OF_REPLAY | typeof OF_BRANCH;

/** A branch of the branch, and the inputs that it alone is given. */
const [AGAIN, ANOTHER] = ['branch of the branch', 'given to the branch of the branch'] as const;

/**
 * A run, its branch with other inputs, a replay of each, a branch of the run's replay with the same overlay, and one of the branch with
 * an overlay of its own.
 */
async function drive(probe: Probe): Promise<readonly RunObservation[]> {
  const { candidate, run: source } = await firstExecuted(
    CANDIDATES,
    ({ workflowId, inputs }) => startRun(probe, { workflowId, inputs: inputs(GIVEN) }, { role: SOURCE }),
    (run) => says(SHOWN.inputs(run), GIVEN),
  );
  if (!isObserved(source)) return [source];
  const branchOf = (run: RunObservation, role: string, value: string = OVERLAID): Promise<RunObservation> => {
    const runOptionsOverlay = { inputs: candidate.inputs(value) };
    return startFork(probe, run, { mode: 'branch', fromSeq: bounds(run).first, runOptionsOverlay }, { role });
  };
  const branch = await branchOf(source, BRANCH);
  const [later, ofBranch, ...again] = await Promise.all([
    replayOf(probe, source, undefined, { role: LATER }),
    replayOf(probe, branch, undefined, { role: OF_BRANCH }),
    ...(isObserved(branch) ? [branchOf(branch, AGAIN, ANOTHER)] : []),
  ]);
  return [source, branch, later, ofBranch, await branchOf(later, OF_REPLAY), ...again];
}

/** The run of a role with the inputs that it shows, beside a branch that took its overlay; or the outcome that is left. */
function shownBy(recorded: Recordings, role: Role) {
  const runs = need(recorded, SOURCE, BRANCH, role);
  if (isOutcome(runs)) return runs;
  const [source, branch, run] = [runs[SOURCE], runs[BRANCH], runs[role]];
  const evidence = [run, branch, source];
  const value = SHOWN.inputs(run);
  const silent = [source, branch, run].find((each) => SHOWN.inputs(each) === undefined);
  if (silent !== undefined || !says(SHOWN.inputs(source), GIVEN)) {
    return undecidedUntil(
      'show inputs as the fixture does',
      `${named(silent ?? source)} does not show its inputs`,
      evidence,
    );
  }
  if (!says(SHOWN.inputs(branch), OVERLAID)) {
    return rests(NO_OVERLAY, undecided(`${named(branch)} does not show the inputs of its overlay`, evidence));
  }
  return { run, value, evidence };
}

/** The row about what replays of branches show. */
const REPLAYED = 'fork.branch-is-independent.replayed';

/**
 * Judges that a fork shows the inputs of the overlay that it lives under. What nobody gave is no overlay that was ignored: in a replay of a
 * branch, the row about these says so.
 */
export function judgeOverlaid(recorded: Recordings, role: Exclude<Role, typeof LATER>): Outcome {
  const seen = shownBy(recorded, role);
  if (isOutcome(seen)) return seen;
  const { run, value, evidence } = seen;
  if (says(value, OVERLAID)) return pass(evidence);
  const expected = `inputs of the overlay in ${named(run)}: ${shown(OVERLAID)}`;
  const actual = shown(value);
  if (says(value, GIVEN)) return fail({ expected, actual, diagnosis: wrong('overlay-ignored') }, evidence);
  return fail(
    {
      diagnosis: alone(wrong('overlay-changed')),
      expected,
      actual,
      restsOn: role === OF_BRANCH ? REPLAYED : undefined,
    },
    evidence,
  );
}

/** Judges that a branch of a replay runs with its overlay, then that one of a branch does; that one is absent in old evidence. */
export function judgeGenerations(recorded: Recordings): Outcome {
  const first = judgeOverlaid(recorded, OF_REPLAY);
  return first.kind === 'pass' ? (lostAgain(recorded) ?? first) : first;
}

/** The failure of a branch of a branch that shows other inputs than those of its own overlay; undefined where none are shown. */
function lostAgain(recorded: Recordings): Outcome | undefined {
  const [branch, again] = [runOf(recorded, BRANCH), runOf(recorded, AGAIN)];
  if (branch === undefined || again === undefined) return undefined;
  const left = leftWithout([again]);
  if (left !== undefined) return failureOf([left]);
  const value = SHOWN.inputs(again);
  if (value === undefined || says(value, ANOTHER)) return undefined;
  const expected = `inputs of its own overlay in ${named(again)}: ${shown(ANOTHER)}`;
  return fail({ expected, actual: shown(value), diagnosis: wrong('overlay-ignored') }, [again, branch]);
}

/** Judges that a run's replay shows what the run was given, whatever its branches were. */
export function judgeLater(recorded: Recordings): Outcome {
  const seen = shownBy(recorded, LATER);
  if (isOutcome(seen)) return seen;
  const { run, value, evidence } = seen;
  if (says(value, GIVEN)) return pass(evidence);
  const expected = `inputs of its source in ${named(run)}: ${shown(GIVEN)}`;
  // Inputs that nobody gave are the business of the row about replays that differ.
  const restsOn = says(value, OVERLAID) ? undefined : FOUNDATIONS.silence;
  return fail({ diagnosis: wrong('overlay-of-a-branch'), expected, actual: shown(value), restsOn }, evidence);
}

/** replay.md, Two modes: a branch is a run of its own, with the options that it was given; they are nobody else's. */
export const overlayGenerations = defineScenario<RunObservation, Recordings>({
  id: 'fork.overlay-generations',
  suite: 'fork-contract',
  title: 'Replays are branched, and branches are replayed, with other inputs',
  needs: [branches, replays, { kind: 'one-of', candidates: CANDIDATES }],
  drive,
  see: (recorded) => recorded,
  checks: [
    {
      id: `${ROW}.of-a-replay`,
      title: 'A branch of a fork runs with its overlay',
      judge: judgeGenerations,
    },
    {
      id: `${ROW}.replayed`,
      title: 'A replay of a branch runs with what the overlay of the branch gave it',
      judge: (recorded) => judgeOverlaid(recorded, OF_BRANCH),
    },
    {
      id: 'fork.branch-is-independent.later-replay',
      title: 'A replay of a run shows nothing of the overlays of its branches',
      judge: judgeLater,
    },
  ],
});
