import { fail, isOutcome, type Outcome, pass, undecided } from '../../src/contract/outcome.ts';
import type { Probe } from '../../src/host/probe.ts';
import { defineScenario, type Judging } from '../../src/runner/define-scenario.ts';
import type { Candidate, Recorded } from '../../src/runner/scenario.ts';
import { eventsOf, named } from '../shared/compare-runs.ts';
import { sharedCause } from '../shared/diagnoses.ts';
import { type Candidates, firstExecuted } from '../shared/first-executed.ts';
import { need, needForks, type RecordedRun, runOf, runsOf } from '../shared/need.ts';
import { isDivergence, nodeOf } from '../shared/read-event.ts';
import { replayOf, replays, startUntilOther } from '../shared/replays.ts';
import { type RunObservation, startRun } from '../shared/run-observation.ts';
import { compareValues, shownValues, showsOthers, type Watched } from '../shared/shown-values.ts';
import { type DebugObservation, debugOfSilent } from './debug-reading.ts';
import { diverged } from './judge-divergence.ts';
import { judgeQuiet } from './judge-quiet.ts';

const CLOCK = 'conformance-determinism-clock';
const WALL_CLOCK = 'conformance-determinism-wall-clock';
const TIMES: Watched = { variables: ['time', 'laterTime'], nodes: ['clock', 'clock-again'] };
/** The public workflow that waits, and says how long that was by the clock. */
const DELAY = 'conformance-delay';
const WAITED: Watched = { variables: [], nodes: ['wait'], member: 'waitedMs' };
/** A time of day, or a number, in JSON: nothing else was read of a clock. */
const TIME = /\d:\d\d|(?<![^[{:,"])\d+(?:\.\d+)?(?![^,}\]"])/u;
const DIVERGING = 'replay of the wall clock';

const CANDIDATES: Candidates<Candidate & { readonly inputs: Readonly<Record<string, number>> }> = [
  { workflowId: CLOCK, inputs: {} },
  { workflowId: DELAY, inputs: { delayMs: 50 } },
];

type ClockObservation = RunObservation | DebugObservation;

function watchedIn({ workflowId }: RunObservation): Watched {
  return workflowId === DELAY ? WAITED : TIMES;
}

async function drive(probe: Probe): Promise<readonly ClockObservation[]> {
  const { candidate, run: source } = await firstExecuted(
    CANDIDATES,
    (each) => startRun(probe, each, { role: 'source' }),
    (run) => shownValues(run, watchedIn(run)).size > 0,
  );
  const fresh = await startUntilOther(probe, candidate, (run) => showsOthers(source, run, watchedIn(source)));
  const again = eventsOf(source).find((event) => event.type === 'node.started' && nodeOf(event) === 'clock-again');
  const points = again === undefined ? [undefined] : [undefined, again.sequence];
  const observations = [source, fresh];
  for (const fromSeq of points) observations.push(await replayOf(probe, source, fromSeq));
  const wall = await startRun(probe, { workflowId: WALL_CLOCK, inputs: {} }, { role: 'wall clock' });
  const diverging = await replayOf(probe, wall, undefined, { role: DIVERGING });
  return [...observations, wall, diverging, ...(await debugOfSilent(probe, diverging))];
}

type Recording = readonly Recorded<ClockObservation>[];

function judgeTime(recorded: Recording): Outcome {
  const runs = need(recorded, 'source', 'fresh run');
  if (isOutcome(runs)) return runs;
  const forked = needForks(recorded, ({ role }) => role !== DIVERGING);
  if (isOutcome(forked)) return forked;
  const { source, 'fresh run': fresh } = runs;
  const watched = watchedIn(source);
  if (shownValues(source, watched).size === 0) {
    const why = `${named(source)} shows no time: ${CLOCK} writes it into the variables time and laterTime`;
    return undecided(source.workflowId === DELAY ? `${why}, ${DELAY} puts out waitedMs` : why, [source]);
  }
  for (const replay of forked.replays) {
    const compared = compareValues(source, replay, watched);
    if (compared.kind === 'nothing') return undecided(`${named(replay)} shows no time`, [replay, source]);
    if (compared.kind === 'other') {
      if (source.workflowId === DELAY && eventsOf(replay).some(isDivergence))
        return undecided(`${measured(replay)}: ${CLOCK} reads the engine's clock`, [replay, source]);
      const diagnosis = sharedCause(TIME.test(JSON.stringify(compared.other)) ? 'clock-leak' : 'state-differs');
      return fail({ ...compared.mismatch, diagnosis }, [replay, source]);
    }
  }
  return showsOthers(source, fresh, watched)
    ? pass([...forked.replays, source, fresh])
    : undecided('a fresh run shows the same times: this clock does not move', [source, fresh]);
}

/** A wait that is measured by the machine's clock may differ where the replay says so (replay.md, Determinism 4). */
function measured(replay: RecordedRun): string {
  return `${named(replay)} waited for another time and says that it differs, as where the machine's clock is read`;
}

/** Reading the machine's clock is the control: there the host has to report a divergence. */
function judgeQuietTime(recorded: Recording, { options: { volatile } }: Judging): Outcome {
  const source = runOf(recorded, 'source');
  const unchanged = runsOf(recorded).filter(({ fork, role }) => fork !== null && role !== DIVERGING);
  const control = diverged(recorded, ['wall clock', DIVERGING], volatile);
  return judgeQuiet(
    unchanged.map((replay) => ({ source, replay })),
    { control, volatile },
  );
}

/** replay.md, Determinism 4. */
export const clock = defineScenario<ClockObservation>({
  id: 'replay.clock',
  suite: 'replay-determinism',
  title: "Time that was read through the engine's clock",
  needs: [replays, { kind: 'one-of', candidates: CANDIDATES }],
  drive,
  checks: [
    {
      id: 'replay.logical-clock',
      title: "Time read through the engine's clock replays as recorded",
      judge: judgeTime,
    },
    {
      id: 'replay.no-false-divergence.clock',
      title: "A replay with recorded times raises no divergence, where reading the machine's clock does",
      judge: judgeQuietTime,
    },
  ],
});
