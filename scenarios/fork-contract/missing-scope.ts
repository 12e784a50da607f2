import { pass, undecidedUntil, type Outcome } from '../../src/contract/outcome.ts';
import type { Observation } from '../../src/evidence/types.ts';
import type { Probe } from '../../src/host/probe.ts';
import { forkPath, runPath } from '../../src/protocol/paths.ts';
import { defineScenario } from '../../src/runner/define-scenario.ts';
import { leftWithoutControl } from '../shared/control.ts';
import { startPublic } from '../shared/first-run.ts';
import type { Recordings } from '../shared/of-type.ts';
import { replays } from '../shared/replays.ts';
import { accepted, requestsOf, sendRequest, shownAnswer } from '../shared/requested.ts';
import { isSeen, replayBody, startFork } from '../shared/run-observation.ts';
import { envelopeCheck, judgeRefusals } from './judge-refusals.ts';
import { LIMITED_READ } from './refusal-table.ts';

const CONTROL = 'replay with every scope';

async function drive(probe: Probe): Promise<readonly Observation[]> {
  const source = await startPublic(probe, 'source');
  const control = await startFork(probe, source, { mode: 'replay' }, { role: CONTROL });
  const { limited } = probe;
  if (!isSeen(source) || limited === undefined) return [source, control];
  const { runId } = source;
  const read = await sendRequest(limited, runPath(runId), {
    row: LIMITED_READ,
    name: 'reading the run',
    method: 'GET',
  });
  const name = 'a credential that may not create';
  const body = JSON.stringify(replayBody(control));
  return [source, control, read, await sendRequest(limited, forkPath(runId), { row: 'no-scope', name, body })];
}

/** A credential that may do nothing at all shows nothing: the limited one must read the run that it may not fork. */
function judgeScope(recorded: Recordings): Outcome {
  const refused = judgeRefusals(recorded, { row: 'no-scope', expected: '403' });
  const [read] = requestsOf(recorded, LIMITED_READ);
  const [fork] = requestsOf(recorded, 'no-scope');
  if (read === undefined || (fork !== undefined && accepted(fork))) return refused;
  if (accepted(read)) return refused.kind === 'pass' ? pass([...refused.evidence, read]) : refused;
  return undecidedUntil(
    'give one that may read it (--limited-key-env)',
    `the limited credential cannot read the run either: ${shownAnswer(read)}`,
    [read],
  );
}

/** replay.md, Endpoint: a key with the scope runs:create. */
export const missingScope = defineScenario({
  id: 'fork.missing-scope',
  suite: 'fork-contract',
  title: 'A credential that may read a run and not create one cannot fork it',
  needs: [replays, { kind: 'limited-credential' }],
  drive,
  see: (recorded) => leftWithoutControl(recorded, CONTROL) ?? recorded,
  checks: [
    {
      id: 'fork.requires-credentials.scope',
      title: 'A fork under a credential that may read but not create is refused with 403',
      judge: judgeScope,
    },
    envelopeCheck('.scope', 'The refusal of a credential without the scope'),
  ],
});
