import type { Judgement } from '../../src/contract/verdict.ts';
import type { Observation } from '../../src/evidence/types.ts';
import type { Probe } from '../../src/host/probe.ts';
import { forkPath, runPath } from '../../src/protocol/paths.ts';
import type { Recorded } from '../../src/runner/scenario.ts';
import { accepted, sendRequest, requestsOf, shownAnswer } from '../shared/requested.ts';
import { withoutTwin } from './without-twin.ts';
import { startPublic } from '../shared/first-run.ts';
import { startFork } from '../shared/run-observation.ts';
import { judgeEnvelopes } from './envelope.ts';
import { judgeRefusals } from './judge-refusals.ts';
import { LIMITED_READ } from './refusal-table.ts';
import { forkScenario, REPLAY, type ForkObservation } from './row.ts';

const TWIN = 'replay with every scope';

async function drive(probe: Probe): Promise<readonly ForkObservation[]> {
  const source = await startPublic(probe, 'source');
  const { runId } = source;
  const twin = await startFork(probe, source, { mode: 'replay' }, { role: TWIN });
  const { limited } = probe;
  if (runId === null || source.problem !== null || limited === undefined) return [source, twin];
  const path = runPath(runId);
  const read = await sendRequest(limited, path, { row: LIMITED_READ, name: 'reading the run', method: 'GET' });
  const name = 'a credential that may not create';
  const body = JSON.stringify({ mode: 'replay' });
  return [source, twin, read, await sendRequest(limited, forkPath(runId), { row: 'no-scope', name, body })];
}

/** A credential that may do nothing at all shows nothing: the limited one must read the run that it may not fork. */
function judge(check: string, observations: readonly Recorded<Observation>[]): Judgement {
  const refused = judgeRefusals(observations, { check, row: 'no-scope', expected: '403', twin: TWIN });
  const [read] = requestsOf(observations, LIMITED_READ);
  const [fork] = requestsOf(observations, 'no-scope');
  if (withoutTwin(observations, { check, twin: TWIN }) !== undefined || read === undefined) return refused;
  if (fork !== undefined && accepted(fork)) return refused;
  if (accepted(read)) return { ...refused, evidence: [...refused.evidence, read.id] };
  const reason = `the limited credential cannot read the run either: ${shownAnswer(read)}`;
  return { check, verdict: 'inconclusive', reason, evidence: [read.id] };
}

/** replay.md, Endpoint: a key with the scope runs:create. */
export const missingScope = forkScenario({
  id: 'fork.missing-scope',
  title: 'A credential that may read a run and not create one cannot fork it',
  needs: [REPLAY, { kind: 'limited-credential' }],
  rows: [
    {
      id: 'fork.requires-credentials.scope',
      title: 'A fork under a credential that may read but not create is refused with 403',
      judge,
    },
    {
      id: 'fork.error-envelope.scope',
      title: 'The refusal of a credential without the scope carries {error, message, details?} and nothing else',
      judge: (check, observations) => judgeEnvelopes(observations, { check, twin: TWIN }),
    },
  ],
  drive,
});
