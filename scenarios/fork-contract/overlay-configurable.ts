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
import { failureOf } from '../shared/settle.ts';
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
    const [replayed, ...later] = await Promise.all([
      replayBranch(probe, ours),
      replayOf(probe, first, undefined, { role: LATER_REPLAY }),
      startRun(probe, LATER_RUN, { role: LATER }),
    ]);
    return [...ours, ...replayed, ...later];
  }
  const source = await startRun(probe, capped(TOO_FEW), { role: SOURCE });
  if (!isObserved(source) || endOf(eventsOf(source)) !== 'failed') return [source];
  const { configurable } = capped(ENOUGH);
  const fromSeq = bounds(source).first;
  const branch = (role: string, overlay: object): Promise<RunObservation> =>
    startFork(probe, source, { mode: 'branch', fromSeq, ...overlay }, { role });
  const before = await Promise.all([
    startRun(probe, capped(ENOUGH), { role: CONTROL }),
    branch(PLAIN, {}),
    replayOf(probe, source, undefined, { role: EARLIER_REPLAY }),
  ]);
  const branched = await branch(roleOf('configurable'), { runOptionsOverlay: { configurable } });
  if (!isObserved(branched)) return [source, ...before, branched];
  const after = await Promise.all([
    replayBranch(probe, [branched]),
    replayOf(probe, source, undefined, { role: LATER_REPLAY }).then((run) => [run]),
    startRun(probe, capped(TOO_FEW), { role: LATER }).then((run) => [run]),
    branch(PLAIN_AGAIN, {}).then((run) => [run]),
  ]);
  return [source, ...before, branched, ...after.flat()];
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

/** What is made when the branches have ended. */
const LATER = 'run after the branches';
const LATER_REPLAY = 'replay after the branches';
/** Of the limited run alone, which shows no value: what fails before the branch with another limit, and has to fail after it. */
const EARLIER_REPLAY = 'replay before the branch';
const PLAIN_AGAIN = `another ${PLAIN}`;
const LATER_RUN = { workflowId: OURS.workflowId, inputs: OURS.inputs(GIVEN), configurable: { value: GIVEN } };

/** The failure of a run, or of what was made later, that shows what a branch alone was given, wherever that was; undefined where none does. */
export function judgeLaterRun(recorded: Recordings): Outcome | undefined {
  const source = runOf(recorded, SOURCE);
  for (const role of [SOURCE, LATER, LATER_REPLAY]) {
    const run = runOf(recorded, role);
    if (run === undefined || !isOfOverlay(run, source)) continue;
    const expected = `configurable that it was given in ${named(run)}: ${shown(GIVEN)}`;
    const actual = `${shown(SHOWN.configurable(run))}, of the overlay of a branch`;
    return fail({ expected, actual, diagnosis: wrong('not-independent') }, [run]);
  }
  if (source?.workflowId !== CAPPED) return undefined;
  const pairs = Object.entries({ [SOURCE]: LATER, [EARLIER_REPLAY]: LATER_REPLAY, [PLAIN]: PLAIN_AGAIN });
  return failureOf(pairs.flatMap(([before, after]) => unlimited(recorded, before, after) ?? []));
}

/** Whether a run shows what the overlay of a branch holds; what counts as nothing is that where the source shows its own. */
function isOfOverlay(run: RecordedRun, source: RecordedRun | undefined): boolean {
  const value = SHOWN.configurable(run);
  if (value === NOTHING) return source !== undefined && says(SHOWN.configurable(source), GIVEN);
  return [OVERLAID, MARKS.overlay].some((mark) => says(value, mark));
}

/** The failure of a limited run that completes after the branch with another limit, where one like it failed before; else undefined. */
function unlimited(recorded: Recordings, before: string, after: string): Outcome | undefined {
  const [source, limited, branch, run] = [SOURCE, before, roleOf('configurable'), after].map((role) =>
    runOf(recorded, role),
  );
  if (source?.problem !== null || !limited || !branch || !run) return undefined;
  if (endIn(limited) !== 'failed' || codeOf(limited) !== codeOf(source)) return undefined;
  if (endIn(branch) !== 'completed' || endIn(run) !== 'completed') return undefined;
  const expected = `failed, as ${named(limited)}: the limit ${ENOUGH} was given to ${named(branch)} alone`;
  const actual = `completed: ${named(run)}`;
  return fail({ expected, actual, diagnosis: wrong('not-independent') }, [run, limited, branch]);
}

/** How a run ended that was seen to its end. */
function endIn(run: RecordedRun): ReturnType<typeof endOf> {
  return run.problem === null ? endOf(eventsOf(run)) : undefined;
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
  if (isOutcome(runs)) return runs;
  const outcome = judgeLimit(recorded, runs);
  return outcome.kind === 'pass' ? (limitedAgain(recorded, runs) ?? outcome) : outcome;
}

/** The failure of a replay of the branch that may take as few steps as the source; undefined where it may take more, or was not seen. */
function limitedAgain(recorded: Recordings, { source, branch }: Overlaid): Outcome | undefined {
  const replay = runOf(recorded, REPLAYED);
  if (replay === undefined || endIn(replay) !== 'failed') return undefined;
  const code = codeOf(replay);
  if (code !== codeOf(source)) return undefined;
  const expected = `completed, as ${named(branch)}: configurable of its overlay is {"recursionLimit":${ENOUGH}}`;
  const actual = `failed, ${code ?? 'as its source'}: ${named(replay)}`;
  const failing = { expected, actual, diagnosis: wrong('overlay-ignored'), restsOn: `${ROW}.replayed` };
  return fail(failing, [replay, branch, source]);
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
