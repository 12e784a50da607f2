import { randomUUID } from 'node:crypto';
import type { Observation } from '../../src/evidence/types.ts';
import type { Probe } from '../../src/host/probe.ts';
import { forkPath } from '../../src/protocol/paths.ts';
import { defineScenario } from '../../src/runner/define-scenario.ts';
import { bounds } from '../shared/compare-runs.ts';
import { leftWithoutControl } from '../shared/control.ts';
import { startPublic } from '../shared/first-run.ts';
import { readOver } from '../shared/reading.ts';
import { replays } from '../shared/replays.ts';
import { namedRun, sendRequest, type RequestedObservation } from '../shared/requested.ts';
import { readAgain, startFork, type RunObservation } from '../shared/run-observation.ts';
import { CONTROL, judgeAtOnce, judgeDuplicates, OTHER_RUN, OTHER_SOURCE } from './judge-idempotency.ts';
import { judgeUntouched, SOURCE_AGAIN } from './judge-untouched.ts';

const AT_ONCE = 8;
const BODY = { mode: 'replay' } as const;

async function drive(probe: Probe): Promise<readonly Observation[]> {
  const [source, other] = await Promise.all([startPublic(probe, 'source'), startPublic(probe, OTHER_SOURCE)]);
  const { runId } = source;
  if (runId === null || source.problem !== null) return [source];
  const [key, otherKey, keyAtOnce] = [randomUUID(), randomUUID(), randomUUID()];
  const send = (row: string, under: string, body: object = BODY): Promise<RequestedObservation> =>
    sendUnder(probe, runId, { row, key: under, body });
  const atOnce = Promise.all(Array.from({ length: AT_ONCE }, () => send('at once', keyAtOnce)));
  const first = await startFork(probe, source, BODY, { role: CONTROL, headers: { 'idempotency-key': key } });
  const ended = await send('duplicate of an ended fork', key);
  const started = await send('first', otherKey);
  const duplicate = await send('duplicate', otherKey);
  const otherBody = await send('other body', key, { ...BODY, fromSeq: bounds(source).first });
  const elsewhere = await forkOther(probe, other, key);
  const requested = [ended, started, duplicate, otherBody, ...elsewhere, ...(await atOnce)];
  return [source, other, first, ...requested, await readAgain(probe, source, { role: SOURCE_AGAIN })];
}

function sendUnder(
  probe: Probe,
  runId: string,
  { row, key, body }: { readonly row: string; readonly key: string; readonly body: object },
): Promise<RequestedObservation> {
  const headers = { 'idempotency-key': key };
  return sendRequest(probe.host, forkPath(runId), { row, name: row, body: JSON.stringify(body), headers });
}

/** The endpoint's path names the run, so a key that was used for one run's fork is a new one for another's. */
async function forkOther(
  probe: Probe,
  { runId, problem }: RunObservation,
  key: string,
): Promise<readonly Observation[]> {
  if (runId === null || problem !== null) return [];
  const requested = await sendUnder(probe, runId, { row: OTHER_RUN, key, body: BODY });
  const made = namedRun(requested);
  if (made === undefined) return [requested];
  const log = await readOver(probe, ['json', 'poll', 'sse'], { run: OTHER_RUN, runId: made, how: 'start' });
  return log === undefined ? [requested] : [requested, log];
}

/** replay.md, Endpoint; wire-contract, Endpoints: Layer-1 idempotency. */
export const idempotency = defineScenario({
  id: 'fork.idempotency',
  suite: 'fork-contract',
  title: 'Requests under one Idempotency-Key make one run',
  needs: [replays],
  drive,
  see: (recorded) => leftWithoutControl(recorded, CONTROL) ?? recorded,
  checks: [
    {
      id: 'fork.idempotency-key',
      title: 'A fork that is requested twice under one Idempotency-Key, one after the other, is one run',
      judge: judgeDuplicates,
    },
    {
      id: 'fork.idempotency-key.at-once',
      title: 'A fork that is requested eight times at once under one Idempotency-Key is one run',
      judge: judgeAtOnce,
    },
    {
      id: 'fork.source-untouched.duplicates',
      title: 'Forks that are requested twice leave the log and the snapshot of their source as they were',
      judge: judgeUntouched,
    },
  ],
});
