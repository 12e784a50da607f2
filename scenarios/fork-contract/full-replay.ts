import { member } from '../../src/contract/discovery.ts';
import { fail, isOutcome, type Outcome, pass, type Pass, rests, undecided } from '../../src/contract/outcome.ts';
import type { Observation } from '../../src/evidence/types.ts';
import type { Probe } from '../../src/host/probe.ts';
import { defineScenario, type Judging } from '../../src/runner/define-scenario.ts';
import { bounds, compareLogs, eventsOf, named, shown } from '../shared/compare-runs.ts';
import { outcomeOf } from '../shared/compared.ts';
import { leftWithoutControl } from '../shared/control.ts';
import { declaring } from '../shared/volatile.ts';
import { sharedCause } from '../shared/diagnoses.ts';
import { isPassedOver, isUnknown, startPublic } from '../shared/first-run.ts';
import { FOUNDATIONS } from '../shared/foundations.ts';
import { compareHappened } from '../shared/happened.ts';
import { need, runOf } from '../shared/need.ts';
import type { Recordings } from '../shared/of-type.ts';
import { isOfOtherMode } from '../shared/other-mode.ts';
import { replays } from '../shared/replays.ts';
import { OUTPUTS } from '../shared/shown-values.ts';
import { requestFork } from '../shared/requested-fork.ts';
import {
  type ForkBody,
  hasOtherDefault,
  isObserved,
  type RunObservation,
  startFork,
  startRun,
  withSnapshotAgain,
} from '../shared/run-observation.ts';
import { wrong } from './diagnoses.ts';
import { judgeAnswer } from './judge-answer.ts';
import { judgeEverySource, judgeUntouched } from './judge-untouched.ts';
import { forkAgain, judgeForkAgain, judgeOfAFork, judgeOfReplays } from './of-a-fork.ts';
import { readAfter, readBefore } from '../shared/past-the-end.ts';

const WALL_CLOCK = { workflowId: 'conformance-determinism-wall-clock' };
const WALL_CLOCK_NODE = 'wall-clock';
export const FULL_REPLAY = 'fork.full-replay';
/** The roles of replays of a whole run: by default, and from its first event where the default is another. */
export const WHOLE_REPLAYS = ['replay', 'replay from the first event'] as const;
const [DEFAULT, FROM_FIRST] = WHOLE_REPLAYS;

async function drive(probe: Probe): Promise<readonly Observation[]> {
  return (await Promise.all([driveReplay(probe), driveClock(probe)])).flat();
}

async function driveReplay(probe: Probe): Promise<readonly Observation[]> {
  const source = await withSnapshotAgain(probe, await startPublic(probe, 'source'));
  if (!isObserved(source)) return [source];
  const before = await readBefore(probe, source);
  const body: ForkBody = { mode: 'replay' };
  const { requested, run, events } = await requestFork(probe, source, body, DEFAULT);
  const control = hasOtherDefault(body, run, bounds(source).first)
    ? await requestFork(probe, source, { ...body, fromSeq: bounds(source).first }, FROM_FIRST)
    : undefined;
  const working = control === undefined || control.run.runId === null ? run : control.run;
  const forks = [requested, run, events, ...Object.values(control ?? {}), ...(await forkAgain(probe, working))];
  return [source, ...before, ...forks, ...(await readAfter(probe, source))];
}

/** The role of the replay that is compared: the one from the first event where it was made, otherwise the one without fromSeq. */
function workingRole(recorded: Recordings): typeof DEFAULT | typeof FROM_FIRST {
  return (runOf(recorded, FROM_FIRST)?.runId ?? null) === null ? DEFAULT : FROM_FIRST;
}

/** A value that no two executions share shows whether the replay executed anything. */
async function driveClock(probe: Probe): Promise<readonly RunObservation[]> {
  const source = await startRun(probe, WALL_CLOCK, { role: 'clock source' });
  if (source.problem !== null) return [source];
  return [source, await startFork(probe, source, { mode: 'replay' }, { role: 'clock replay' })];
}

/** replay.md, Replay-mode defaults: the answer says 0, the log is the source's, and it was executed, not copied. */
function judgeDefault(recorded: Recordings, { options: { volatile } }: Judging): Outcome {
  const [control, refused] = [runOf(recorded, FROM_FIRST), runOf(recorded, DEFAULT)];
  if (refused?.runId === null && workingRole(recorded) === FROM_FIRST && control !== undefined) {
    // Who makes a branch of it needs a start.
    const restsOn = isOfOtherMode({ mode: 'replay' }, control.answer) ? FOUNDATIONS.replays : undefined;
    const expected = `{"mode":"replay"} is answered as {"mode":"replay","fromSeq":${control.fork?.fromSeq ?? 0}} is, with 201`;
    const actual = `it was answered with ${refused.answered}`;
    return fail({ expected, actual, diagnosis: wrong('default-refused'), restsOn }, [refused, control]);
  }
  const runs = need(recorded, 'source', 'replay');
  if (isOutcome(runs)) return runs;
  const { source, replay } = runs;
  const evidence = [replay, source];
  const start = member(replay.answer, 'fromSeq');
  if (typeof start === 'number' && start !== 0 && start !== bounds(source).first) {
    const expected = 'fromSeq 0 where the request names none';
    const actual = `fromSeq ${start} in the answer for ${named(replay)}`;
    // An answer that says the same where the start was named is wrong about starts as such.
    const restsOn = member(control?.answer, 'fromSeq') === start ? FOUNDATIONS.replays : undefined;
    return fail({ expected, actual, diagnosis: wrong('default-not-zero'), restsOn }, evidence);
  }
  const compared = compareLogs(source, replay, volatile);
  const whole = outcomeOf(compared, evidence);
  if (whole.kind === 'pass') return declaring(judgeClock(recorded, whole, volatile), volatile);
  if (whole.kind === 'fail' && eventsOf(replay).some(({ type }) => type === 'replay.diverged')) {
    // What a replay reports of itself may differ: where it begins, its answer says.
    if (typeof start !== 'number') return undecided(SAYS_NOT_WHERE, evidence);
    return declaring(judgeClock(recorded, pass(evidence, REPORTED), volatile), volatile);
  }
  if (compared.kind === 'different' && compareHappened(source, replay, volatile).kind === 'same') {
    // How long it took, and what else a host notes beside what happened, may differ.
    const noted = pass(evidence, `what happened is the same; beside it, ${compared.mismatch.actual}`);
    return declaring(judgeClock(recorded, noted, volatile), volatile);
  }
  // Another event somewhere is no other start: where replays are found to differ silently, that is the cause.
  return whole.kind === 'fail' ? rests(FOUNDATIONS.silence, whole) : whole;
}

const REPORTED = 'the replay differs from its source, and says so';

const SAYS_NOT_WHERE = `${REPORTED}; where it begins its answer does not say`;

/** Whether the clock was read anew; without the fixture the logs that were compared have to do. */
function judgeClock(recorded: Recordings, compared: Pass, volatile: readonly string[]): Outcome {
  const { reason: known } = compared;
  const unshown = (why: string): Outcome => {
    const reason = `that the replay was executed, and not copied, was not shown: ${why}`;
    return pass(compared.evidence, known === undefined ? reason : `${known}; ${reason}`);
  };
  const first = runOf(recorded, 'clock source');
  if (first === undefined || isPassedOver(first)) {
    const why = first === undefined || isUnknown(first) ? '' : `${first.problem}; `;
    return unshown(`${why}seed ${WALL_CLOCK.workflowId}`);
  }
  const clocks = need(recorded, 'clock source', 'clock replay');
  if (isOutcome(clocks)) return clocks;
  const { 'clock source': source, 'clock replay': replay } = clocks;
  if (compareLogs(source, replay, volatile).kind !== 'same') {
    return pass([...compared.evidence, replay, source], known);
  }
  const reading = clockReading(source);
  if (reading === undefined) return unshown(`${named(source)} does not show what its clock said`);
  const expected = `another reading of the machine's clock than ${shown(reading)} in ${named(source)}`;
  const actual = `the same in ${named(replay)}`;
  return fail({ expected, actual, diagnosis: sharedCause('copied-log') }, [replay, source]);
}

/** What the clock's node wrote, where the log shows it. */
function clockReading(run: RunObservation): unknown {
  const events = eventsOf(run).filter(({ nodeId }) => nodeId === WALL_CLOCK_NODE);
  const values = events.flatMap(({ payload }) => ['value', ...OUTPUTS].map((name) => member(payload, name)));
  return values.find((value) => value !== undefined && value !== null);
}

/** The smallest fork request that there is. */
export const fullReplay = defineScenario({
  id: FULL_REPLAY,
  suite: 'fork-contract',
  title: 'A run is replayed as a whole, into a run of its own',
  foundation: true,
  needs: [replays],
  drive,
  checks: [
    {
      id: 'fork.created',
      title: 'A replay is answered with 201 and all six members, for a new run whose eventsUrl answers',
      judge: (recorded) => judgeAnswer(recorded, workingRole(recorded)),
    },
    {
      id: 'fork.created.of-a-fork',
      title: 'A replay of a replay is answered as any other is, and names that replay as its source',
      judge: (recorded, judging) => judgeOfReplays(judgeOfAFork(recorded, workingRole(recorded)), judging),
    },
    {
      id: 'fork.replay-defaults-to-zero',
      title: '{"mode":"replay"} alone is a full replay',
      judge: judgeDefault,
    },
    {
      id: 'fork.source-untouched',
      title: 'A replay leaves the log and the snapshot of its source as they were',
      judge: (recorded, { everything }) =>
        judgeEverySource(leftWithoutControl(recorded, workingRole(recorded)) ?? judgeUntouched(recorded), everything),
    },
    {
      id: 'fork.source-untouched.of-a-fork',
      title: 'A replay of a replay leaves the log and the snapshot of that replay as they were',
      judge: (recorded) => judgeForkAgain(recorded, workingRole(recorded)),
    },
  ],
});
