import { determinismReport } from '../../src/contract/gates.ts';
import type { Outcome } from '../../src/contract/outcome.ts';
import type { Observation } from '../../src/evidence/types.ts';
import type { Probe } from '../../src/host/probe.ts';
import { defineScenario } from '../../src/runner/define-scenario.ts';
import { withCodeChanges } from '../shared/code-change.ts';
import { startPublic } from '../shared/first-run.ts';
import { forkPoints, replayOf, replays } from '../shared/replays.ts';
import { startRun, type RunObservation } from '../shared/run-observation.ts';
import { driveUnsteady, STAGED_NODES } from '../shared/unsteady-source.ts';
import { judgeCounts, judgeDiverging, judgeExact, judgeFirst, judgeRuns, judgeScore } from './judge-score.ts';
import { GOVERNANCE } from './observation-shapes.ts';
import { seeReports, type Reports } from './score-pairs.ts';
import { readReport, type ReportObservation } from './score-report.ts';

const CONSTANT = 'conformance-determinism-constant';
/** The revisions of the constant with another value and with one node more. */
const REVISIONS = ['2.0.0', '3.0.0'];

type Seen = RunObservation | ReportObservation;

async function drive(probe: Probe): Promise<readonly Observation[]> {
  const source = await startPublic(probe, 'source');
  const [middle] = forkPoints(source, [], 2);
  const full = await reported(probe, replayOf(probe, source, undefined));
  const part = middle === undefined ? [] : await reported(probe, replayOf(probe, source, middle));
  const changed = await driveChanges(probe);
  const isChanged = changed.some((each) => each.type === 'report');
  return [source, ...full, ...part, ...changed, ...(isChanged ? [] : await driveUnchanged(probe))];
}

/** A replay and its report. */
async function reported(probe: Probe, replaying: Promise<RunObservation>): Promise<readonly Seen[]> {
  const replay = await replaying;
  return [replay, await readReport(probe, replay)];
}

async function driveChanges(probe: Probe): Promise<readonly Observation[]> {
  const source = await startRun(probe, { workflowId: CONSTANT, inputs: {} }, { role: 'source of a constant' });
  if (source.problem !== null) return [];
  const replayUnder = (revision: string) => ({
    revision,
    use: async (isChanged: boolean): Promise<readonly Seen[]> =>
      isChanged ? reported(probe, replayOf(probe, source, undefined, { role: `replay under ${revision}` })) : [],
  });
  return [source, ...(await withCodeChanges<Seen>(probe, CONSTANT, REVISIONS.map(replayUnder)))];
}

/** For hosts whose code no test can change. */
async function driveUnchanged(probe: Probe): Promise<readonly Observation[]> {
  const runs = await driveUnsteady(probe);
  const source = runs.at(-1);
  if (source === undefined) return runs;
  return [...runs, ...(await reported(probe, replayOf(probe, source, undefined, { role: 'unsteady replay' })))];
}

const id = 'score.consistent';

const CHECKS: readonly (readonly [name: string, title: string, judge: (seen: Reports) => Outcome])[] = [
  ['runs', 'A determinism report names its source, its replay and where that began', judgeRuns],
  ['counts', 'Its counts are whole numbers that fit together and the two logs', judgeCounts],
  ['score', 'Its score is matchedEvents / comparedEvents', judgeScore],
  [
    'first-divergence',
    'It names a first divergence exactly where there is one, at the place where the logs part',
    judgeFirst,
  ],
  ['exact-replay', 'A replay that matches its source has the score 1', judgeExact],
  ['diverging-replay', 'A replay that differs from its source has a lower score', judgeDiverging],
];

/** replay.md, Determinism scoring: the reports of replays that match and of replays that do not. */
export const score = defineScenario({
  ...GOVERNANCE,
  id,
  title: "A determinism report's counts, first divergence and score agree with the two logs",
  gate: determinismReport,
  needs: [replays],
  exclusive: [`workflow:${CONSTANT}`, ...STAGED_NODES],
  patience: () => 60,
  drive,
  see: seeReports,
  checks: CHECKS.map(([name, title, judge]) => ({ id: `${id}.${name}`, title, judge })),
});
