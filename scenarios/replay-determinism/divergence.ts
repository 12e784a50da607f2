import { fail, type Fail, isOutcome, type Outcome, rests, undecided } from '../../src/contract/outcome.ts';
import type { Probe } from '../../src/host/probe.ts';
import { defineScenario, type Judging } from '../../src/runner/define-scenario.ts';
import type { Recorded, ScenarioOptions } from '../../src/runner/scenario.ts';
import { type RevisionObservation, revisionOf, withCodeChanges } from '../shared/code-change.ts';
import { compareLogs, comparePrefixes, eventsOf, named } from '../shared/compare-runs.ts';
import { sharedCause } from '../shared/diagnoses.ts';
import { isUnknown } from '../shared/first-run.ts';
import { runOf, runsOf, type RecordedRun } from '../shared/need.ts';
import { type ReadingObservation, readSeen } from '../shared/reading.ts';
import { replayOf, replays } from '../shared/replays.ts';
import { isObserved, type RunObservation, startRun } from '../shared/run-observation.ts';
import { SWEPT_ALONE } from '../shared/swept-fixtures.ts';
import { sweptBesideRows, type SweptWorkflow } from '../shared/swept-runs.ts';
import { driveUnsteady, HOW_TO_DIVERGE, UNSTEADY } from '../shared/unsteady-source.ts';
import { type DebugObservation, debugOf, debugOfSilent } from './debug-reading.ts';
import { type Diverged, diverged, judgeContinues, judgeDebugStream, judgeReported } from './judge-divergence.ts';
import { judgeEveryFixture, judgeQuiet } from './judge-quiet.ts';
import { judgeSilent } from './judge-silent.ts';
import { driveFixtures } from './quiet-fixtures.ts';
import { divergingOthers, replaysElsewhere } from './replays-of-forks.ts';

const CONSTANT = 'conformance-determinism-constant';
const MULTI_NODE = 'conformance-multi-node';
const UNCHANGED = 'unchanged replay';
const UNSTEADY_REPLAY = `replay of the ${UNSTEADY}`;

/** The revisions of the constant: another value, one node more, one node less. */
const OTHER_VALUE = '2.0.0';
const ADDED_NODE = '3.0.0';
const DROPPED_NODE = '4.0.0';

type Observed = RunObservation | DebugObservation | ReadingObservation;
type DivergenceObservation = Observed | RevisionObservation;

async function drive(probe: Probe, { forks }: ScenarioOptions): Promise<readonly DivergenceObservation[]> {
  const source = await startRun(probe, { workflowId: CONSTANT, inputs: {} }, { role: 'source' });
  const observations: DivergenceObservation[] = [source];
  const middle = eventsOf(source)[Math.floor(source.events.length / 2)]?.sequence;
  if (source.problem === null) {
    const unchanged = await replayOf(probe, source, undefined, { role: UNCHANGED });
    observations.push(unchanged);
    if (middle !== undefined)
      observations.push(await replayOf(probe, source, middle, { role: 'unchanged replay from the middle' }));
    observations.push(...(await driveChanges(probe, source, unchanged)));
  }
  const several = await startRun(probe, { workflowId: MULTI_NODE, inputs: {} }, { role: 'source of several nodes' });
  observations.push(several, await replayOf(probe, several, undefined, { role: 'unchanged replay of several nodes' }));
  const isChanged = observations.some((each) => each.type === 'revision' && each.problem === null);
  const unsteady = isChanged ? [] : await driveUnchanged(probe);
  return [...observations, ...unsteady, ...(await driveFixtures(probe, forks))];
}

function driveChanges(
  probe: Probe,
  source: RunObservation,
  unchanged: RunObservation,
): Promise<readonly DivergenceObservation[]> {
  const replayUnder = (revision: string) => ({
    revision,
    use: async (isChanged: boolean): Promise<readonly Observed[]> => {
      if (!isChanged) return [];
      const role = `replay under ${revision}`;
      const replay = await replayOf(probe, source, undefined, { role });
      if (revision !== OTHER_VALUE) return [replay, ...(await debugOfSilent(probe, replay))];
      const later = await replayLater(probe, source, { replay, role: laterOf(role) });
      const again = isObserved(unchanged) ? [await replayOf(probe, unchanged, undefined, { role: againOf(role) })] : [];
      const debugged = await Promise.all(again.map((each) => debugOfSilent(probe, each)));
      return [replay, ...(await readShown(probe, replay)), ...later, ...again, ...debugged.flat()];
    },
  });
  return withCodeChanges<Observed>(probe, CONSTANT, [OTHER_VALUE, ADDED_NODE, DROPPED_NODE].map(replayUnder));
}

/** The role of a replay that begins later than the one of this role, at an event before the first that differs. */
function laterOf(role: string): string {
  return `${role} from a later event`;
}

/** The role of a replay of a replay that did not differ. */
function againOf(role: string): string {
  return `${role} of the ${UNCHANGED}`;
}

/** Replays a run from its second event, where a whole replay was seen: what differs is far enough behind. */
async function replayLater(
  probe: Probe,
  source: RunObservation,
  { replay: whole, role }: { readonly replay: RunObservation; readonly role: string },
): Promise<readonly (RunObservation | DebugObservation)[]> {
  const second = eventsOf(source)[1]?.sequence;
  if (second === undefined || !isObserved(whole)) return [];
  const replay = await replayOf(probe, source, second, { role });
  return [replay, ...(await debugOfSilent(probe, replay))];
}

/** For hosts whose code no test can change. */
async function driveUnchanged(probe: Probe): Promise<readonly DivergenceObservation[]> {
  const runs = await driveUnsteady(probe);
  const source = runs.at(-1);
  if (source === undefined) return runs;
  const replay = await replayOf(probe, source, undefined, { role: UNSTEADY_REPLAY });
  const later = await replayLater(probe, source, { replay, role: laterOf(UNSTEADY_REPLAY) });
  return [...runs, replay, ...(await readShown(probe, replay)), ...later];
}

/** The stream mode debug of a replay that differs, and its log over every transport: whatever they say of the divergence has to be the same. */
async function readShown(probe: Probe, replay: RunObservation): Promise<readonly Observed[]> {
  return [...(await debugOf(probe, replay)), ...(await readSeen(probe, replay))];
}

/** What the checks judge: the replays that had to differ, and all runs. */
interface Replays {
  readonly otherValue: Diverged | Outcome;
  /** The same, replayed from a later event. */
  readonly later: Diverged | Outcome;
  /** A replay of a replay that did not differ; absent in old evidence, and where no code could be changed. */
  readonly ofReplay: Diverged | Outcome | undefined;
  /** The failure of one of these two that shows what its source shows, although its code is another one; undefined where none is known. */
  readonly copied: Outcome | undefined;
  readonly addedNode: Diverged | Outcome;
  readonly droppedNode: Diverged | Outcome;
  readonly runs: readonly RecordedRun[];
  readonly volatile: readonly string[];
  /** Workflows that rows do not drive themselves, as a sweep ran and replayed them. */
  readonly swept: readonly SweptWorkflow[];
  /** Replays of forks, replays that a sweep made, and what else reports a divergence, wherever they were driven. */
  readonly elsewhere: ReturnType<typeof replaysElsewhere>;
  readonly reporting: ReturnType<typeof divergingOthers>;
}

function see(
  recorded: readonly Recorded<DivergenceObservation>[],
  { options: { volatile }, everything }: Judging,
): Replays {
  const under = (revision: string, which: (role: string) => string = (role) => role): Diverged | Outcome => {
    const role = `replay under ${revision}`;
    const isUnsteady = revision === OTHER_VALUE && runOf(recorded, role) === undefined;
    const [from, to] = isUnsteady ? [UNSTEADY, UNSTEADY_REPLAY] : ['source', role];
    return notMade(recorded, revision) ?? diverged(recorded, [from, which(to)], volatile);
  };
  const again = againOf(`replay under ${OTHER_VALUE}`);
  return {
    otherValue: under(OTHER_VALUE),
    later: under(OTHER_VALUE, laterOf),
    ofReplay: runOf(recorded, again) && diverged(recorded, [UNCHANGED, again], volatile),
    copied: copiedOf(recorded, volatile),
    addedNode: under(ADDED_NODE),
    droppedNode: under(DROPPED_NODE),
    runs: runsOf(recorded),
    volatile,
    swept: sweptBesideRows(everything),
    elsewhere: replaysElsewhere(everything),
    reporting: divergingOthers(everything),
  };
}

/**
 * The failure of a replay from a later event, or of a replay, that is a copy (replay.md, Two modes: from `fromSeq` on the current code
 * runs). That this code was changed a replay of the whole source shows, of which nothing differs below that event.
 */
function copiedOf(
  recorded: readonly Recorded<DivergenceObservation>[],
  volatile: readonly string[],
): Outcome | undefined {
  const role = `replay under ${OTHER_VALUE}`;
  const [source, whole, unchanged] = ['source', role, UNCHANGED].map((each) => seenOf(recorded, each));
  const isChanged = revisionOf(recorded, OTHER_VALUE)?.problem === null;
  if (!isChanged || source === undefined || whole === undefined) return undefined;
  if (compareLogs(source, whole, volatile).kind !== 'different') return undefined;
  const pairs = [
    [source, seenOf(recorded, laterOf(role))],
    [unchanged, seenOf(recorded, againOf(role))],
  ] as const;
  for (const [from, replay] of pairs) {
    if (from === undefined || replay === undefined || compareLogs(source, from, volatile).kind !== 'same') continue;
    if (compareLogs(from, replay, volatile).kind !== 'same') continue;
    if (comparePrefixes(source, whole, replay.fork?.fromSeq ?? 0, volatile).kind !== 'same') continue;
    const expected = `${named(replay)} differs from ${named(from)}, as ${named(whole)} does: the code is another one`;
    const actual = `the events of ${named(from)}`;
    return fail({ expected, actual, diagnosis: sharedCause('copied-log') }, [replay, from, whole, source]);
  }
  return undefined;
}

/** The run of a role where it was seen to its end. */
function seenOf(recorded: readonly Recorded<DivergenceObservation>[], role: string): RecordedRun | undefined {
  const run = runOf(recorded, role);
  return run?.problem === null ? run : undefined;
}

/** Why nothing could diverge, where that is so. */
function notMade(recorded: readonly Recorded<DivergenceObservation>[], revision: string): Outcome | undefined {
  const changed = revisionOf(recorded, revision);
  const isOther = revision === OTHER_VALUE;
  if (changed?.problem === null || (isOther && runOf(recorded, UNSTEADY) !== undefined)) return undefined;
  const source = runOf(recorded, 'source');
  const why = changed?.problem ?? `${CONSTANT} could not be run: ${source?.problem ?? 'not driven'}`;
  const how = isOther ? `; ${HOW_TO_DIVERGE}` : '';
  const reason = `no replay could be made to diverge${isOther ? '' : ' by a node'}: ${why}${how}`;
  // The seam changes what this workflow does.
  const isUnseeded = changed === undefined && source !== undefined && isUnknown(source);
  const remedies = isUnseeded ? [{ step: `seed ${CONSTANT}` }] : undefined;
  return undecided(reason, changed === undefined ? [] : [changed], remedies);
}

function judgeUnchanged({ runs, otherValue: control, volatile }: Replays): Outcome {
  const replayed = runs.filter(({ role }) => role.startsWith(UNCHANGED));
  const pairs = replayed.map((replay) => ({
    replay,
    source: runs.find(({ runId, fork }) => fork === null && runId === (replay.fork?.sourceRunId ?? null)),
  }));
  const seeded = pairs.filter(({ replay, source }) => source?.problem === null && replay.fork !== null);
  const why = runs.find(({ fork, problem }) => fork === null && problem !== null)?.problem;
  return seeded.length === 0
    ? undecided(
        `no source could be run${why === undefined ? '' : ` (${why})`}: seed ${CONSTANT} or ${MULTI_NODE}`,
        replayed,
      )
    : judgeQuiet(seeded, { control, volatile });
}

const REPORTED = 'replay.divergence-is-reported';
const QUIET = 'replay.no-false-divergence';

/** Whoever reports no divergence at all, or none rightly, has one defect. */
function judgeLater({ later, ofReplay, copied }: Replays): Outcome {
  const outcome = judgeReported(later);
  const failure = outcome.kind === 'fail' ? outcome : silenceOf(ofReplay);
  return failure === undefined ? (copied ?? outcome) : rests(REPORTED, failure);
}

/** The failure of a replay of a replay that reports nothing. Whose events it names is not said: there are two before it. */
function silenceOf(replay: Diverged | Outcome | undefined): Fail | undefined {
  if (replay === undefined || isOutcome(replay) || replay.reports.length > 0) return undefined;
  const outcome = judgeReported(replay);
  return outcome.kind === 'fail' ? outcome : undefined;
}

/** replay.md, Failure surfaces. */
export const divergence = defineScenario({
  id: 'replay.divergence',
  suite: 'replay-determinism',
  title: 'Replays of changed and of unchanged code',
  needs: [replays],
  witnessHelps: true,
  foundation: true,
  exclusive: SWEPT_ALONE,
  patience: () => 70,
  drive,
  see,
  checks: [
    {
      id: REPORTED,
      title: 'A replay that produces another value emits replay.diverged, which names where they part',
      judge: ({ otherValue }) => judgeReported(otherValue),
    },
    {
      id: `${REPORTED}.later`,
      title: 'A replay from a later event, and one of a replay, that produces another value emits replay.diverged',
      judge: judgeLater,
    },
    {
      id: `${REPORTED}.added-node`,
      title: 'A replay with a node that the source does not have emits replay.diverged, which names where they part',
      judge: ({ addedNode }) => judgeReported(addedNode),
    },
    {
      id: `${REPORTED}.dropped-node`,
      title: 'A replay without a node of the source emits replay.diverged, which names where they part',
      judge: ({ droppedNode }) => judgeReported(droppedNode),
    },
    {
      id: `${REPORTED}.every-fixture`,
      title: 'A replay of unchanged code that shows something else says so, whatever the workflow does',
      judge: ({ runs, otherValue: control, volatile, swept }) => judgeSilent(runs, { control, volatile, swept }),
    },
    {
      id: 'replay.divergence-continues',
      title: 'replay.diverged is informational: the run goes on to an end',
      judge: ({ otherValue, later, ofReplay, addedNode, droppedNode }) =>
        judgeContinues(otherValue, { whole: [later, ofReplay, addedNode], fewer: [droppedNode] }),
    },
    {
      id: 'replay.divergence-in-debug-stream',
      title: 'replay.diverged is visible in the debug stream mode',
      judge: ({ otherValue }, { everything }) => judgeDebugStream(otherValue, everything),
    },
    { id: QUIET, title: 'A replay that matches emits no divergence event', judge: judgeUnchanged },
    {
      id: `${QUIET}.every-fixture`,
      title: 'No replay that matches emits a divergence event, whatever the workflow does',
      judge: ({ otherValue: control, runs, ...seen }) => judgeEveryFixture(runs, { control, ...seen }),
    },
  ],
});
