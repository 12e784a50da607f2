import { fail, isOutcome, type Outcome, pass, undecided, undecidedUntil } from '../../src/contract/outcome.ts';
import type { Probe } from '../../src/host/probe.ts';
import { endOf } from '../../src/protocol/run-status.ts';
import { defineScenario } from '../../src/runner/define-scenario.ts';
import { bounds, eventsOf, named, shown } from '../shared/compare-runs.ts';
import { codeInEvent, codeInSnapshot } from '../shared/read-event.ts';
import { isPassedOver } from '../shared/first-run.ts';
import { leftWithout, runOf, type RecordedRun } from '../shared/need.ts';
import type { Recordings } from '../shared/of-type.ts';
import { branches, replayOf } from '../shared/replays.ts';
import { isObserved, type RunObservation, startFork, startRun } from '../shared/run-observation.ts';
import { MARKS } from './branch-drive.ts';
import { wrong } from './diagnoses.ts';
import {
  besideLogs,
  branchedWith,
  CONFIGURED,
  driveMembers,
  GIVEN,
  judgeMember,
  NO_OVERLAY,
  OURS,
  OVERLAID,
  type Overlaid,
  PLAIN,
  roleOf,
  ROW,
  says,
  showsOther,
  SHOWN,
  SOURCE,
  titleOf,
} from './overlay-members.ts';
import { valueIn } from './value-in.ts';
import { alone } from '../shared/causes.ts';

/** The public workflow of six steps, which fails where its run may take fewer. */
const CAPPED = 'conformance-cap-breach';
const [TOO_FEW, ENOUGH] = [3, 50];
/** A new run that may take enough of them. */
const CONTROL = 'run with other configurable';

function capped(recursionLimit: number) {
  return { workflowId: CAPPED, inputs: {}, configurable: { recursionLimit } };
}

/** Our workflow shows the very value; the public one, where a host does not have it, shows what comes of another one. */
async function drive(probe: Probe): Promise<readonly RunObservation[]> {
  const ours = await driveMembers(probe, [OURS], ['configurable'], (run) => [branchWithNothing(probe, run)]);
  const [first] = ours;
  if (first !== undefined && !isPassedOver(first)) {
    const [replayed, later] = await Promise.all([
      replayBranch(probe, ours),
      startRun(probe, LATER_RUN, { role: LATER }),
    ]);
    return [...ours, ...replayed, later];
  }
  const source = await startRun(probe, capped(TOO_FEW), { role: SOURCE });
  if (!isObserved(source) || endOf(eventsOf(source)) !== 'failed') return [source];
  const { configurable } = capped(ENOUGH);
  const fromSeq = bounds(source).first;
  const branch = (role: string, overlay: object): Promise<RunObservation> =>
    startFork(probe, source, { mode: 'branch', fromSeq, ...overlay }, { role });
  return [
    source,
    ...(await Promise.all([
      startRun(probe, capped(ENOUGH), { role: CONTROL }),
      branch(roleOf('configurable'), { runOptionsOverlay: { configurable } }),
      branch(PLAIN, {}),
    ])),
  ];
}

/** A value that counts as nothing in many languages: it has to be taken all the same. */
const NOTHING = false;
const EMPTY = 'branch with a value that counts as nothing';

/** Made at the same time as the other one, so that what is kept of an overlay with the source shows at both. */
function branchWithNothing(probe: Probe, source: RunObservation): Promise<RunObservation> {
  const runOptionsOverlay = { configurable: { value: NOTHING } };
  const body = { mode: 'branch', fromSeq: bounds(source).first, runOptionsOverlay } as const;
  return startFork(probe, source, body, { role: EMPTY });
}

/** A run that is started when the branches have ended. */
const LATER = 'run after the branches';
const LATER_RUN = { workflowId: OURS.workflowId, inputs: OURS.inputs(GIVEN), configurable: { value: GIVEN } };

/** The failure of a run, or of the later one, that shows what a branch alone was given, wherever that was; undefined where none does. */
export function judgeLaterRun(recorded: Recordings): Outcome | undefined {
  for (const role of [SOURCE, LATER]) {
    const run = runOf(recorded, role);
    const value = run?.workflowId === OURS.workflowId ? SHOWN.configurable(run) : undefined;
    if (run === undefined || ![OVERLAID, MARKS.overlay].some((mark) => says(value, mark))) continue;
    const expected = `configurable that it was given in ${named(run)}: ${shown(GIVEN)}`;
    const actual = `${shown(value)}, of the overlay of a branch`;
    return fail({ expected, actual, diagnosis: wrong('not-independent') }, [run]);
  }
  return undefined;
}

/** The failure of one of two branches, made at once, that shows what the other one was given; undefined where neither does. */
function crossed(recorded: Recordings): Outcome | undefined {
  const [first, second] = [runOf(recorded, roleOf('configurable')), runOf(recorded, EMPTY)];
  if (first?.problem !== null || second?.problem !== null) return undefined;
  const [value, nothing] = [first, second].map(SHOWN.configurable);
  const isSecond = says(nothing, OVERLAID);
  if (!isSecond && value !== NOTHING) return undefined;
  const expected = `configurable of its own overlay in ${named(isSecond ? second : first)}: ${shown(isSecond ? NOTHING : OVERLAID)}`;
  const actual = `${shown(isSecond ? nothing : value)}, as in ${named(isSecond ? first : second)}`;
  return fail({ expected, actual, diagnosis: alone(wrong('overlay-changed')) }, [first, second]);
}

/** What nobody gave is no overlay that was ignored: the row about replays of branches says so. */
const REPLAYED_BRANCH = 'fork.branch-is-independent.replayed';

const REPLAYED = 'replay of the branch with other configurable';

async function replayBranch(probe: Probe, runs: readonly RunObservation[]): Promise<readonly RunObservation[]> {
  const branch = runs.find(({ role }) => role === roleOf('configurable'));
  if (branch === undefined || !isObserved(branch)) return [];
  return [await replayOf(probe, branch, undefined, { role: REPLAYED })];
}

/** What a replay of the branch shows otherwise than the branch; undefined where it shows the same, or was not seen. */
function otherWhenReplayed(recorded: Recordings): Outcome | undefined {
  const [branch, replay] = [runOf(recorded, roleOf('configurable')), runOf(recorded, REPLAYED)];
  if (branch?.problem !== null || replay?.problem !== null) return undefined;
  const [expected, value] = [branch, replay].map(SHOWN.configurable);
  if (value === undefined || says(value, OVERLAID)) return undefined;
  const place = `configurable of the overlay of its source in ${named(replay)}: ${shown(expected)}`;
  const isIgnored = says(value, GIVEN);
  const diagnosis = isIgnored ? wrong('overlay-ignored') : alone(wrong('overlay-changed'));
  const restsOn = isIgnored ? `${ROW}.replayed` : REPLAYED_BRANCH;
  return fail({ expected: place, actual: shown(value), diagnosis, restsOn }, [replay, branch]);
}

/** Judges that the branch shows it, in the place of what its source was given. */
export function judgeNothing(recorded: Recordings): Outcome {
  return besideLogs(recorded, nothingIn);
}

function nothingIn(recorded: Recordings): Outcome {
  if (runOf(recorded, SOURCE)?.workflowId === CAPPED) {
    return undecidedUntil(`seed ${OURS.workflowId}`, `${CAPPED} shows no value of its options`, []);
  }
  const runs = branchedWith(recorded, 'configurable', EMPTY);
  if (isOutcome(runs)) return runs;
  const { source, branch } = runs;
  const evidence = [branch, source];
  const [before, after] = [source, branch].map((run) => valueIn(run, CONFIGURED));
  if (before !== GIVEN || after === undefined) {
    const isShown = before !== undefined && after !== undefined;
    const why = isShown
      ? showsOther(source, before)
      : `${named(after === undefined ? branch : source)} does not show its configurable`;
    return undecidedUntil('show configurable as the fixture does', why, evidence);
  }
  if (after === NOTHING) return pass(evidence);
  const expected = `configurable of the overlay in ${named(branch)}: ${shown(NOTHING)}`;
  const restsOn = judgeConfigurable(recorded).kind === 'pass' ? undefined : `${ROW}.configurable`;
  return fail({ expected, actual: shown(after), diagnosis: wrong('overlay-ignored'), restsOn }, evidence);
}

/** Whichever workflow was run. */
export function judgeConfigurable(recorded: Recordings): Outcome {
  return besideLogs(recorded, configurableIn);
}

function configurableIn(recorded: Recordings): Outcome {
  const source = runOf(recorded, SOURCE);
  if (source?.workflowId !== CAPPED) {
    const outcome = crossed(recorded) ?? judgeMember(recorded, 'configurable');
    return outcome.kind === 'pass' ? (otherWhenReplayed(recorded) ?? outcome) : outcome;
  }
  if (source.problem === null && endOf(eventsOf(source)) !== 'failed') {
    const why = `${named(source)} came to an end although it may take ${TOO_FEW} steps: seed ${OURS.workflowId}`;
    return undecided(why, [source]);
  }
  const runs = branchedWith(recorded, 'configurable');
  return isOutcome(runs) ? runs : judgeLimit(recorded, runs);
}

/** The branch may take as many steps as the control. */
function judgeLimit(recorded: Recordings, { source, branch }: Overlaid): Outcome {
  const control = runOf(recorded, CONTROL);
  const left = leftWithout([control ?? CONTROL]);
  if (left !== undefined || control === undefined) return left ?? undecided('there is no control', [source]);
  const evidence = [branch, source, control];
  const [ofControl, ofBranch] = [control, branch].map((run) => endOf(eventsOf(run)));
  if (ofControl !== 'completed') {
    const why = `${named(control)} with the limit ${ENOUGH} came to ${ofControl ?? 'no end'} as well`;
    return undecided(`${why}: seed ${OURS.workflowId}`, evidence);
  }
  if (ofBranch === 'completed') return pass(evidence);
  const [code, ofSource] = [codeOf(branch), codeOf(source)];
  const actual = `${ofBranch ?? 'no end'}${code === undefined ? '' : `, ${code}`}: ${named(branch)}`;
  if (code !== ofSource)
    return undecided(`the overlay lets the branch take ${ENOUGH} steps; it came to ${actual}`, evidence);
  const expected = `completed, as ${named(control)}: configurable of the overlay is {"recursionLimit":${ENOUGH}}`;
  return fail({ expected, actual, diagnosis: wrong('overlay-ignored'), restsOn: NO_OVERLAY }, evidence);
}

function codeOf(run: RecordedRun): string | undefined {
  return codeInEvent(eventsOf(run).find(({ type }) => type === 'run.failed')) ?? codeInSnapshot(run.snapshot);
}

/** The member that shows in what a run does. */
export const overlayConfigurable = defineScenario<RunObservation, Recordings>({
  id: 'fork.overlay-configurable',
  suite: 'fork-contract',
  title: 'A run is branched with other configurable alone',
  needs: [branches, { kind: 'one-of', candidates: [{ workflowId: CAPPED }, OURS] }],
  drive,
  see: (recorded) => recorded,
  checks: [
    {
      id: `${ROW}.configurable`,
      title: `${titleOf('configurable')}, and so does its replay`,
      judge: judgeConfigurable,
    },
    {
      id: `${ROW}.configurable.nothing`,
      title: 'What counts as nothing is taken from an overlay as any other value is',
      judge: judgeNothing,
    },
  ],
});
