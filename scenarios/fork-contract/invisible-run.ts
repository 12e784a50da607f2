import type { Probe } from '../../src/host/probe.ts';
import { forkPath } from '../../src/protocol/paths.ts';
import { judgementOf } from '../../src/runner/define-scenario.ts';
import { sendRequest } from '../shared/requested.ts';
import { startPublic } from '../shared/first-run.ts';
import { judgeInvisible } from '../shared/judge-invisible.ts';
import { startFork } from '../shared/run-observation.ts';
import { unknownLike } from '../shared/unknown-id.ts';
import { judgeEnvelopes } from './envelope.ts';
import { forkScenario, REPLAY, type ForkObservation } from './row.ts';

const TWIN = 'replay of its owner';

async function drive(probe: Probe): Promise<readonly ForkObservation[]> {
  const source = await startPublic(probe, 'source');
  const { runId } = source;
  const twin = await startFork(probe, source, { mode: 'replay' }, { role: TWIN });
  const { otherTenant } = probe;
  if (runId === null || source.problem !== null || otherTenant === undefined) return [source, twin];
  const asked = await Promise.all(
    [runId, unknownLike(runId, 1), unknownLike(runId, 2)].map((name, index) =>
      sendRequest(otherTenant, forkPath(name), {
        row: index === 0 ? 'invisible' : 'unknown',
        name,
        body: JSON.stringify({ mode: 'replay' }),
      }),
    ),
  );
  return [source, twin, ...asked];
}

/** replay.md, Endpoint (404: doesn't exist or caller can't see it) and Privacy. */
export const invisibleRun = forkScenario({
  id: 'fork.invisible-run',
  title: "Another tenant's run cannot be told from one that there is not",
  needs: [REPLAY, { kind: 'second-tenant' }],
  rows: [
    {
      id: 'fork.invisible-run',
      title: "A fork of another tenant's run is answered with 404, like a fork of a run that there is not",
      judge: (check, observations) => judgementOf(check, judgeInvisible(observations, TWIN)),
    },
    {
      id: 'fork.error-envelope.invisible',
      title: "The refusal of another tenant's fork carries {error, message, details?} and nothing else",
      judge: (check, observations) => judgeEnvelopes(observations, { check, twin: TWIN }),
    },
  ],
  drive,
});
