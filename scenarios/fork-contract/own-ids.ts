import { member, readPart } from '../../src/contract/discovery.ts';
import { fail, pass, rests, undecided, type Outcome } from '../../src/contract/outcome.ts';
import type { Observation } from '../../src/evidence/types.ts';
import type { Probe } from '../../src/host/probe.ts';
import { forkPath } from '../../src/protocol/paths.ts';
import { defineScenario, type Judging } from '../../src/runner/define-scenario.ts';
import { againText, runIdsAgain } from '../../src/runner/shared-runs.ts';
import { bounds } from '../shared/compare-runs.ts';
import { startPublic } from '../shared/first-run.ts';
import { leftWithout, runsOf } from '../shared/need.ts';
import type { Recordings } from '../shared/of-type.ts';
import { replays } from '../shared/replays.ts';
import { namedRun, requestsIn, sendRequest, shownAnswer, type RequestedObservation } from '../shared/requested.ts';
import { forkRequest, isObserved, offersMode } from '../shared/run-observation.ts';
import { wrong } from './diagnoses.ts';
import { foundationOf } from './judge-refusals.ts';

/** Makes two runs, and requests two forks of each at the same time: an id that two of them share shows in the answers. */
async function drive(probe: Probe): Promise<readonly Observation[]> {
  const sources = [await startPublic(probe, 'source'), await startPublic(probe, 'other source')];
  const requested: RequestedObservation[] = [];
  for (const mode of ['replay', 'branch'] as const) {
    // A host may answer the endpoint without a word about it, or although it says that it does not.
    const isSilent = mode === 'replay' && member(readPart(probe.discovery, 'replay')?.value, 'supported') !== true;
    if (!isSilent && !offersMode(probe.discovery, mode)) continue;
    for (const source of sources) {
      if (!isObserved(source)) continue;
      const body = forkRequest({ mode, fromSeq: bounds(source).first });
      const sent = { row: 'fork', name: `a ${mode} of the ${source.role}`, body };
      const send = () => sendRequest(probe.host, forkPath(source.runId), sent);
      requested.push(...(await Promise.all([send(), send()])));
    }
  }
  return [...sources, ...requested];
}

/** replay.md, Endpoint: a new runId. What any scenario of the run was answered counts. */
function judgeIds(recorded: Recordings, { everything }: Pick<Judging, 'everything'>): Outcome {
  const reused = runIdsAgain(everything);
  const [first, ...others] = reused;
  if (first !== undefined) {
    const expected = 'an id that no other run has for each run and each fork';
    const actual = `${againText(first)}${others.length === 0 ? '' : `, and ${others.length} more`}`;
    return fail({ expected, actual, diagnosis: wrong('shared-run-id') }, reused);
  }
  const sources = runsOf(recorded);
  const left = leftWithout(sources);
  if (left !== undefined) return left;
  const requested = requestsIn(recorded);
  const evidence = [...sources, ...requested];
  const unnamed = requested.find((each) => namedRun(each) === undefined);
  if (unnamed !== undefined) {
    return rests(foundationOf(unnamed), undecided(`"${unnamed.name}" made no run: ${shownAnswer(unnamed)}`, evidence));
  }
  return requested.length > 0 ? pass(evidence) : undecided('no fork was requested', evidence);
}

/** The one row that says so when a host gives one id to two runs: all others are undecided then. */
export const ownIds = defineScenario({
  id: 'fork.own-ids',
  suite: 'fork-contract',
  title: 'Runs and forks are told apart by their ids',
  foundation: true,
  judgesRunIds: true,
  needs: [replays],
  drive,
  checks: [
    {
      id: 'fork.created.own-id',
      title: 'Each run and each fork gets a run id that no other has',
      judge: judgeIds,
    },
  ],
});
