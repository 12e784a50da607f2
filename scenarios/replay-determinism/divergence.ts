import { always } from '../../src/contract/gates.ts';
import type { Judgement } from '../../src/contract/verdict.ts';
import type { Probe } from '../../src/host/probe.ts';
import { defineJudgedScenario } from '../../src/runner/define-judged.ts';
import type { Recorded, ScenarioOptions } from '../../src/runner/scenario.ts';
import { type RevisionObservation, revisionOf, withCodeChanges } from '../shared/code-change.ts';
import { eventsOf } from '../shared/compare-runs.ts';
import { runOf } from '../shared/judge-run.ts';
import { runsOf, undecided } from '../shared/judging.ts';
import { replayOf, replays } from '../shared/replays.ts';
import { type RunObservation, startRun } from '../shared/run-observation.ts';
import { SWEPT_ALONE } from '../shared/swept-fixtures.ts';
import { driveUnsteady, HOW_TO_DIVERGE, UNSTEADY } from '../shared/unsteady-source.ts';
import { debugOf, type DebugObservation, debugOfSilent, debugReadings } from './debug-reading.ts';
import { type Diverging, judgeContinues, judgeDebugStream, judgeReported } from './judge-divergence.ts';
import { falseAlarm, judgeEveryFixture } from './judge-quiet.ts';
import { driveFixtures } from './quiet-fixtures.ts';

const CONSTANT = 'conformance-determinism-constant';
const MULTI_NODE = 'conformance-multi-node';
const UNSTEADY_REPLAY = `replay of the ${UNSTEADY}`;

/** The revisions of the constant: another value, one node more, one node less. */
const OTHER_VALUE = '2.0.0';
const ADDED_NODE = '3.0.0';
const DROPPED_NODE = '4.0.0';

type DivergenceObservation = RunObservation | RevisionObservation | DebugObservation;

async function drive(probe: Probe, { forks }: ScenarioOptions): Promise<readonly DivergenceObservation[]> {
  const source = await startRun(probe, { workflowId: CONSTANT, inputs: {} }, { role: 'source' });
  const seen: DivergenceObservation[] = [source];
  const middle = eventsOf(source)[Math.floor(source.events.length / 2)]?.sequence;
  if (source.problem === null) {
    seen.push(await replayOf(probe, source, undefined, { role: 'unchanged replay' }));
    if (middle !== undefined)
      seen.push(await replayOf(probe, source, middle, { role: 'unchanged replay from the middle' }));
    seen.push(...(await driveChanges(probe, source)));
  }
  const several = await startRun(probe, { workflowId: MULTI_NODE, inputs: {} }, { role: 'source of several nodes' });
  seen.push(several, await replayOf(probe, several, undefined, { role: 'unchanged replay of several nodes' }));
  const isChanged = seen.some((each) => each.type === 'revision' && each.problem === null);
  const unsteady = isChanged ? [] : await driveUnchanged(probe);
  return [...seen, ...unsteady, ...(await driveFixtures(probe, forks))];
}

function driveChanges(probe: Probe, source: RunObservation): Promise<readonly DivergenceObservation[]> {
  const replayUnder = (revision: string) => ({
    revision,
    use: async (isChanged: boolean): Promise<readonly (RunObservation | DebugObservation)[]> => {
      if (!isChanged) return [];
      const replay = await replayOf(probe, source, undefined, { role: `replay under ${revision}` });
      const read = revision === OTHER_VALUE ? debugOf : debugOfSilent;
      return [replay, ...(await read(probe, replay))];
    },
  });
  return withCodeChanges<RunObservation | DebugObservation>(
    probe,
    CONSTANT,
    [OTHER_VALUE, ADDED_NODE, DROPPED_NODE].map(replayUnder),
  );
}

/** For hosts whose code no test can change. */
async function driveUnchanged(probe: Probe): Promise<readonly DivergenceObservation[]> {
  const runs = await driveUnsteady(probe);
  const source = runs.at(-1);
  if (source === undefined) return runs;
  const replay = await replayOf(probe, source, undefined, { role: UNSTEADY_REPLAY });
  return [...runs, replay, ...(await debugOf(probe, replay))];
}

type Seen = readonly Recorded<DivergenceObservation>[];

/** What was seen, and which fields of it were declared volatile. */
interface View {
  readonly seen: Seen;
  readonly volatile: readonly string[];
}

function divergingUnder({ seen, volatile }: View, sourceRole: string, role: string): Diverging {
  return { source: runOf(seen, sourceRole), replay: runOf(seen, role), shown: debugReadings(seen, role), volatile };
}

/** The replay with another value: under changed code, else of a source that cannot be matched. */
function otherValue(view: View): Diverging {
  const role = `replay under ${OTHER_VALUE}`;
  return runOf(view.seen, role) === undefined
    ? divergingUnder(view, UNSTEADY, UNSTEADY_REPLAY)
    : divergingUnder(view, 'source', role);
}

/** Why nothing could diverge, where that is so. */
function notMade(check: string, seen: Seen, revision: string): Judgement | undefined {
  const changed = revisionOf(seen, revision);
  if (changed?.problem === null) return undefined;
  const isOther = revision === OTHER_VALUE;
  if (isOther && runOf(seen, UNSTEADY) !== undefined) return undefined;
  const why = changed?.problem ?? `${CONSTANT} could not be run: ${runOf(seen, 'source')?.problem ?? 'not driven'}`;
  const how = isOther ? `; ${HOW_TO_DIVERGE}` : '';
  return undecided(check, `no replay could be made to diverge: ${why}${how}`, changed === undefined ? [] : [changed]);
}

interface Row {
  readonly check: string;
  readonly requirement: string;
  readonly title: string;
  readonly revision: string;
  readonly judge: (check: string, diverging: Diverging) => Judgement;
}

const REPORTED = 'replay.divergence-is-reported';
const CONTINUES = 'replay.divergence-continues';
const IN_DEBUG = 'replay.divergence-in-debug-stream';
const QUIET = 'replay.no-false-divergence';
const EVERY_FIXTURE = `${QUIET}.every-fixture`;

const ROWS: readonly Row[] = [
  {
    check: REPORTED,
    requirement: REPORTED,
    title: 'A replay that produces another value emits replay.diverged naming both sides',
    revision: OTHER_VALUE,
    judge: judgeReported,
  },
  {
    check: `${REPORTED}.added-node`,
    requirement: REPORTED,
    title: 'A replay with a node that the source does not have emits replay.diverged naming both sides',
    revision: ADDED_NODE,
    judge: judgeReported,
  },
  {
    check: `${REPORTED}.dropped-node`,
    requirement: REPORTED,
    title: 'A replay without a node of the source emits replay.diverged naming both sides',
    revision: DROPPED_NODE,
    judge: judgeReported,
  },
  {
    check: CONTINUES,
    requirement: CONTINUES,
    title: 'replay.diverged is informational: the run goes on to an end',
    revision: OTHER_VALUE,
    judge: judgeContinues,
  },
  {
    check: IN_DEBUG,
    requirement: IN_DEBUG,
    title: 'replay.diverged is visible in the debug stream mode',
    revision: OTHER_VALUE,
    judge: judgeDebugStream,
  },
];

function judgeRow({ check, revision, judge }: Row, view: View): Judgement {
  const diverging =
    revision === OTHER_VALUE ? otherValue(view) : divergingUnder(view, 'source', `replay under ${revision}`);
  return notMade(check, view.seen, revision) ?? judge(check, diverging);
}

function judgeQuiet(view: View): Judgement {
  const { seen } = view;
  const quietReplays = runsOf(seen).filter(({ role }) => role.startsWith('unchanged replay'));
  const pairs = quietReplays.map((replay) => ({
    replay,
    source: runsOf(seen).find(({ runId, fork }) => fork === null && runId === (replay.fork?.sourceRunId ?? null)),
  }));
  const seeded = pairs.filter(({ replay, source }) => source?.problem === null && replay.fork !== null);
  if (seeded.length === 0)
    return undecided(QUIET, `no source could be run: seed ${CONSTANT} or ${MULTI_NODE}`, quietReplays);
  const judgement = falseAlarm(QUIET, seeded, otherValue(view));
  return judgement.verdict === 'inconclusive' ? (notMade(QUIET, seen, OTHER_VALUE) ?? judgement) : judgement;
}

function judgeFixtures(view: View): Judgement {
  const judgement = judgeEveryFixture(EVERY_FIXTURE, runsOf(view.seen), otherValue(view));
  return judgement.verdict === 'inconclusive'
    ? (notMade(EVERY_FIXTURE, view.seen, OTHER_VALUE) ?? judgement)
    : judgement;
}

/** replay.md, Failure surfaces. */
export const divergence = defineJudgedScenario<DivergenceObservation>({
  id: 'replay.divergence',
  suite: 'replay-determinism',
  title: 'Replays of changed and of unchanged code',
  checks: [
    ...ROWS.map(({ check, requirement, title }) => ({ id: check, requirement, title })),
    { id: QUIET, requirement: QUIET, title: 'A replay that matches emits no divergence event' },
    {
      id: EVERY_FIXTURE,
      requirement: QUIET,
      title: 'No replay that matches emits a divergence event, whatever the workflow does',
    },
  ],
  gate: always,
  needs: [replays],
  witnessHelps: true,
  exclusive: SWEPT_ALONE,
  patience: () => 70,
  drive,
  judge: (seen, { volatile }) => {
    const view = { seen, volatile };
    return [...ROWS.map((row) => judgeRow(row, view)), judgeQuiet(view), judgeFixtures(view)];
  },
});
