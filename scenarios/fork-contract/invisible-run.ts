import type { Observation } from '../../src/evidence/types.ts';
import type { Probe } from '../../src/host/probe.ts';
import { forkPath } from '../../src/protocol/paths.ts';
import { defineScenario } from '../../src/runner/define-scenario.ts';
import { leftWithoutControl } from '../shared/control.ts';
import { startPublic } from '../shared/first-run.ts';
import { judgeInvisible } from '../shared/judge-invisible.ts';
import { replays } from '../shared/replays.ts';
import { sendRequest } from '../shared/requested.ts';
import { isSeen, replayBody, startFork } from '../shared/run-observation.ts';
import { unknownLike } from '../shared/unknown-id.ts';
import { envelopeCheck } from './judge-refusals.ts';

const CONTROL = 'replay of its owner';

async function drive(probe: Probe): Promise<readonly Observation[]> {
  const source = await startPublic(probe, 'source');
  const control = await startFork(probe, source, { mode: 'replay' }, { role: CONTROL });
  const { otherTenant } = probe;
  if (!isSeen(source) || otherTenant === undefined) return [source, control];
  const { runId } = source;
  const body = JSON.stringify(replayBody(control));
  const send = (row: string, name: string) => sendRequest(otherTenant, forkPath(name), { row, name, body });
  const unknown = [1, 2].map((turn) => send('unknown', unknownLike(runId, turn)));
  return [source, control, ...(await Promise.all([send('invisible', runId), ...unknown]))];
}

/** replay.md, Endpoint (404: doesn't exist or caller can't see it) and Privacy. */
export const invisibleRun = defineScenario({
  id: 'fork.invisible-run',
  suite: 'fork-contract',
  title: "Another tenant's run cannot be told from one that there is not",
  needs: [replays, { kind: 'second-tenant' }],
  drive,
  see: (recorded) => leftWithoutControl(recorded, CONTROL) ?? recorded,
  checks: [
    {
      id: 'fork.invisible-run',
      title: "A fork of another tenant's run is answered with 404, like a fork of a run that there is not",
      judge: (recorded) => judgeInvisible(recorded, CONTROL),
    },
    envelopeCheck('.invisible', "The refusal of another tenant's fork"),
  ],
});
