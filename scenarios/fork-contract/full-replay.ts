import { member } from '../../src/contract/discovery.ts';
import type { Judgement } from '../../src/contract/verdict.ts';
import type { Observation } from '../../src/evidence/types.ts';
import type { Probe } from '../../src/host/probe.ts';
import type { Recorded } from '../../src/runner/scenario.ts';
import { compareLogs, eventsOf, named, shown, bounds } from '../shared/compare-runs.ts';
import { declared } from '../shared/declared.ts';
import { isUnknown, startPublic } from '../shared/first-run.ts';
import { requestFork } from '../shared/requested-fork.ts';
import { runOf, unseen } from '../shared/judge-run.ts';
import { readAgain, startFork, startRun, type RunObservation } from '../shared/run-observation.ts';
import { wrong } from './diagnoses.ts';
import { judgeAnswer } from './judge-answer.ts';
import { judgeUntouched } from './judge-untouched.ts';
import { forkScenario, REPLAY, type ForkObservation } from './row.ts';

const WALL_CLOCK = { workflowId: 'conformance-determinism-wall-clock' };
const WALL_CLOCK_NODE = 'wall-clock';

async function drive(probe: Probe): Promise<readonly ForkObservation[]> {
  const [replays, clocks] = await Promise.all([driveReplay(probe), driveClock(probe)]);
  return [...replays, ...clocks];
}

async function driveReplay(probe: Probe): Promise<readonly ForkObservation[]> {
  const source = await startPublic(probe, 'source');
  const { runId } = source;
  if (runId === null || source.problem !== null) return [source];
  const { requested, run, events } = await requestFork(probe, { ...source, runId }, { mode: 'replay' }, 'replay');
  return [source, requested, run, events, await readAgain(probe, source, { role: 'source again' })];
}

/** A value that no two executions share shows whether the replay executed anything. */
async function driveClock(probe: Probe): Promise<readonly RunObservation[]> {
  const source = await startRun(probe, WALL_CLOCK, { role: 'clock source' });
  if (source.problem !== null) return [source];
  return [source, await startFork(probe, source, { mode: 'replay' }, { role: 'clock replay' })];
}

type Recordings = readonly Recorded<Observation>[];

/** replay.md, Replay-mode defaults: the answer says 0, the log is the source's, and it was executed, not copied. */
function judgeDefault(check: string, observations: Recordings, volatile: readonly string[]): Judgement {
  const [source, replay] = [runOf(observations, 'source'), runOf(observations, 'replay')];
  const missing = unseen(check, [source, replay]);
  if (missing !== undefined || source === undefined || replay === undefined) {
    return missing ?? { check, verdict: 'inconclusive', reason: 'the replay was not driven', evidence: [] };
  }
  const evidence = [replay.id, source.id];
  const said = member(replay.answer, 'fromSeq');
  if (typeof said === 'number' && said !== 0 && said !== bounds(source).first) {
    return {
      check,
      verdict: 'fail',
      expected: 'fromSeq 0 where the request names none',
      actual: `fromSeq ${said} in the answer for ${named(replay)}`,
      diagnosis: wrong('default-not-zero'),
      evidence,
    };
  }
  const compared = compareLogs(source, replay, volatile);
  if (compared.kind === 'unreadable') return { check, verdict: 'inconclusive', reason: compared.reason, evidence };
  if (compared.kind === 'different') return { check, verdict: 'fail', ...compared.mismatch, evidence };
  return declared(judgeClock({ check, volatile }, observations, evidence), volatile);
}

interface Comparing {
  readonly check: string;
  readonly volatile: readonly string[];
}

function judgeClock({ check, volatile }: Comparing, observations: Recordings, before: readonly string[]): Judgement {
  const [source, replay] = [runOf(observations, 'clock source'), runOf(observations, 'clock replay')];
  const unshown = (why: string): Judgement => ({
    check,
    verdict: 'pass',
    reason: `that the replay was executed, and not copied, was not shown: ${why}`,
    evidence: before,
  });
  if (source === undefined || isUnknown(source)) return unshown(`seed ${WALL_CLOCK.workflowId}`);
  const missing = unseen(check, [source, replay]);
  if (missing !== undefined || replay === undefined) {
    return missing ?? { check, verdict: 'inconclusive', reason: 'the clock was not replayed', evidence: before };
  }
  const evidence = [...before, replay.id, source.id];
  if (compareLogs(source, replay, volatile).kind !== 'same') return { check, verdict: 'pass', evidence };
  const reading = clockReading(source);
  if (reading === undefined) return unshown(`${named(source)} does not show what its clock said`);
  return {
    check,
    verdict: 'fail',
    expected: `another reading of the machine's clock than ${shown(reading)} in ${named(source)}`,
    actual: `the same in ${named(replay)}`,
    diagnosis: { code: 'copied-log', message: "the source's log was copied: nothing was executed from 0 on" },
    evidence: [replay.id, source.id],
  };
}

/** What the clock's node wrote, where the log shows it. */
function clockReading(run: RunObservation): unknown {
  const events = eventsOf(run).filter(({ nodeId }) => nodeId === WALL_CLOCK_NODE);
  const values = events.flatMap(({ payload }) => [member(payload, 'value'), member(payload, 'output')]);
  return values.find((value) => value !== undefined && value !== null);
}

/** The smallest fork request that there is. */
export const fullReplay = forkScenario({
  id: 'fork.full-replay',
  title: 'A run is replayed as a whole, into a run of its own',
  needs: [REPLAY],
  rows: [
    {
      id: 'fork.created',
      title: 'A replay is answered with 201 and all six members, for a new run whose eventsUrl answers',
      judge: (check, observations) => judgeAnswer(observations, { check, role: 'replay' }),
    },
    {
      id: 'fork.replay-defaults-to-zero',
      title: '{"mode":"replay"} alone is a full replay',
      judge: judgeDefault,
    },
    {
      id: 'fork.source-untouched',
      title: 'A replay leaves the log and the snapshot of its source as they were',
      judge: (check, observations) =>
        judgeUntouched(observations, { check, before: 'source', after: 'source again', twin: 'replay' }),
    },
  ],
  drive,
});
