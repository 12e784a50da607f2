import type { Judgement } from '../../src/contract/verdict.ts';
import type { Observation } from '../../src/evidence/types.ts';
import type { Probe } from '../../src/host/probe.ts';
import { forkPath } from '../../src/protocol/paths.ts';
import type { Everything, Recorded } from '../../src/runner/scenario.ts';
import { againText, runIdsAgain } from '../../src/runner/shared-runs.ts';
import { requestsIn, sendRequest, namedRun, shownAnswer, type RequestedObservation } from '../shared/requested.ts';
import { bounds } from '../shared/compare-runs.ts';
import { startPublic } from '../shared/first-run.ts';
import { unseen } from '../shared/judge-run.ts';
import { runsOf } from '../shared/judging.ts';
import { offersMode, type ForkBody } from '../shared/run-observation.ts';
import { wrong } from './diagnoses.ts';
import { forkScenario, REPLAY, type ForkObservation } from './row.ts';

/** Two runs, and two forks of each in turn: one that is called by another's name shows here, and in the whole run. */
async function drive(probe: Probe): Promise<readonly ForkObservation[]> {
  const sources = [await startPublic(probe, 'source'), await startPublic(probe, 'other source')];
  const asked: RequestedObservation[] = [];
  for (const mode of ['replay', 'branch'] as const) {
    if (!offersMode(probe.discovery, mode)) continue;
    for (const source of [...sources, ...sources]) {
      if (source.runId === null || source.problem !== null) continue;
      const body: ForkBody = { mode, fromSeq: bounds(source).first };
      const request = { row: 'fork', name: `a ${mode} of the ${source.role}`, body: JSON.stringify(body) };
      asked.push(await sendRequest(probe.host, forkPath(source.runId), request));
    }
  }
  return [...sources, ...asked];
}

/** replay.md, Endpoint: a new runId. What any scenario of the run was answered counts. */
function judgeIds(check: string, observations: readonly Recorded<Observation>[], everything: Everything): Judgement {
  const [again, ...others] = runIdsAgain(everything);
  if (again !== undefined) {
    const more = others.length === 0 ? '' : `, and ${others.length} more`;
    return {
      check,
      verdict: 'fail',
      expected: 'an id that no other run has for each run and each fork',
      actual: `${againText(again)}${more}`,
      diagnosis: wrong('shared-run-id'),
      evidence: [again, ...others].map(({ id }) => id),
    };
  }
  const sources = runsOf(observations);
  const missing = unseen(check, sources);
  if (missing !== undefined) return missing;
  const asked = requestsIn(observations);
  const evidence = [...sources, ...asked].map(({ id }) => id);
  const unnamed = asked.find((each) => namedRun(each) === undefined);
  if (unnamed !== undefined) {
    const reason = `"${unnamed.name}" made no run: ${shownAnswer(unnamed)}`;
    return { check, verdict: 'inconclusive', reason, evidence };
  }
  if (asked.length > 0) return { check, verdict: 'pass', evidence };
  return { check, verdict: 'inconclusive', reason: 'no fork was asked for', evidence };
}

/** The one row that says so when a host gives one id to two runs: all others are undecided then. */
export const ownIds = {
  ...forkScenario({
    id: 'fork.own-ids',
    title: 'Runs and forks are told apart by their ids',
    needs: [REPLAY],
    rows: [
      {
        id: 'fork.created.own-id',
        title: 'Each run and each fork gets a run id that no other has',
        judge: (check, observations, _, everything) => judgeIds(check, observations, everything),
      },
    ],
    drive,
  }),
  foundation: true,
  judgesRunIds: true,
} as const;
