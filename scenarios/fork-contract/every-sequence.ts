import type { Judgement } from '../../src/contract/verdict.ts';
import type { Observation } from '../../src/evidence/types.ts';
import type { Probe } from '../../src/host/probe.ts';
import type { Everything, Recorded, ScenarioOptions } from '../../src/runner/scenario.ts';
import { eventsOf } from '../shared/compare-runs.ts';
import { startPublic } from '../shared/first-run.ts';
import { forkText, refusedWrongly, unseen } from '../shared/judge-run.ts';
import { runsOf } from '../shared/judging.ts';
import type { RunObservation } from '../shared/run-observation.ts';
import { startFork } from '../shared/run-observation.ts';
import { spread } from '../shared/spread.ts';
import { wholeRunsIn } from '../shared/every-run.ts';
import { forkScenario, REPLAY, type ForkObservation } from './row.ts';

/** A run, its full replay, and a replay from each of its events. */
async function drive(probe: Probe, { forks }: ScenarioOptions): Promise<readonly ForkObservation[]> {
  const source = await startPublic(probe, 'source');
  if (source.runId === null || source.problem !== null) return [source];
  const whole = await startFork(probe, source, { mode: 'replay' }, { role: 'replay' });
  const points = spread(
    eventsOf(source).map(({ sequence }) => sequence),
    forks,
  );
  const replays = await Promise.all(
    points.map((fromSeq) => startFork(probe, source, { mode: 'replay', fromSeq }, { role: `replay from ${fromSeq}` })),
  );
  return [source, whole, ...replays];
}

/**
 * replay.md, Endpoint: a mode that is advertised works from every sequence number that the log has. The replays of other
 * scenarios count as well.
 */
function judgeEverySequence(
  check: string,
  observations: readonly Recorded<Observation>[],
  everything: Everything,
): Judgement {
  const own = runsOf(observations);
  const refused = wholeRunsIn(everything).filter(isReplayFromAnEvent).filter(refusedWrongly);
  const [first] = refused;
  if (first !== undefined) {
    const whole = own.find(({ fork }) => fork !== null && fork.fromSeq === null);
    return {
      check,
      verdict: 'fail',
      expected: '201 from every sequence number of the log: the host offers the mode replay',
      actual: `${first.answered ?? ''} for ${forkText(first)}; ${refused.length} replays were refused`,
      // Where no replay works at all, the first row about forks says so.
      ...(whole !== undefined && refusedWrongly(whole) ? { restsOn: 'fork.created' } : {}),
      evidence: refused.map(({ id }) => id),
    };
  }
  const missing = unseen(check, own);
  if (missing !== undefined) return missing;
  const replays = own.filter(({ fork }) => fork !== null && fork.fromSeq !== null);
  if (replays.length > 0) return { check, verdict: 'pass', evidence: replays.map(({ id }) => id) };
  return { check, verdict: 'inconclusive', reason: 'the log has no event to replay from', evidence: [] };
}

function isReplayFromAnEvent({ fork }: RunObservation): boolean {
  return fork?.mode === 'replay' && fork.fromSeq !== null;
}

/** The row of the mode replay that other rows stand on. */
export const everySequence = {
  ...forkScenario({
    id: 'fork.every-sequence',
    title: 'A run is replayed from each of its events',
    needs: [REPLAY],
    rows: [
      {
        id: 'fork.created.every-sequence',
        title: 'The mode replay works from every sequence number that the log has',
        judge: (check, observations, _, everything) => judgeEverySequence(check, observations, everything),
      },
    ],
    drive,
  }),
  foundation: true,
  patience: ({ forks }: ScenarioOptions) => 30 + forks,
} as const;
