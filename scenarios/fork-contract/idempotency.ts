import { randomUUID } from 'node:crypto';
import type { Probe } from '../../src/host/probe.ts';
import { forkPath } from '../../src/protocol/paths.ts';
import { sendRequest, namedRun, type RequestedObservation } from '../shared/requested.ts';
import { bounds } from '../shared/compare-runs.ts';
import { startPublic } from '../shared/first-run.ts';
import { readOver } from '../shared/reading.ts';
import { readAgain, startFork, type RunObservation } from '../shared/run-observation.ts';
import { judgeAtOnce, judgeDuplicates, OTHER_RUN, OTHER_SOURCE } from './judge-idempotency.ts';
import { judgeUntouched } from './judge-untouched.ts';
import { forkScenario, REPLAY, type ForkObservation } from './row.ts';

const TWIN = 'replay under a key';
const AT_ONCE = 8;
const BODY = { mode: 'replay' } as const;

async function drive(probe: Probe): Promise<readonly ForkObservation[]> {
  const [source, other] = await Promise.all([startPublic(probe, 'source'), startPublic(probe, OTHER_SOURCE)]);
  const { runId } = source;
  if (runId === null || source.problem !== null) return [source];
  const [key, otherKey, keyAtOnce] = [randomUUID(), randomUUID(), randomUUID()];
  const send = (row: string, under: string, body: object = BODY): Promise<RequestedObservation> =>
    askUnder(probe, runId, { row, key: under, body });
  const atOnce = Promise.all(Array.from({ length: AT_ONCE }, () => send('at once', keyAtOnce)));
  const first = await startFork(probe, source, BODY, { role: TWIN, headers: { 'idempotency-key': key } });
  const ended = await send('duplicate of an ended fork', key);
  const started = await send('first', otherKey);
  const duplicate = await send('duplicate', otherKey);
  const otherBody = await send('other body', key, { ...BODY, fromSeq: bounds(source).first });
  const elsewhere = await askElsewhere(probe, other, key);
  const asked = [ended, started, duplicate, otherBody, ...elsewhere, ...(await atOnce)];
  return [source, other, first, ...asked, await readAgain(probe, source, { role: 'source again' })];
}

interface Sent {
  readonly row: string;
  readonly key: string;
  readonly body: object;
}

function askUnder(probe: Probe, runId: string, { row, key, body }: Sent): Promise<RequestedObservation> {
  const headers = { 'idempotency-key': key };
  return sendRequest(probe.host, forkPath(runId), { row, name: row, body: JSON.stringify(body), headers });
}

/** The endpoint's path names the run, so a key that was used for one run's fork is a new one for another's. */
async function askElsewhere(
  probe: Probe,
  { runId, problem }: RunObservation,
  key: string,
): Promise<readonly ForkObservation[]> {
  if (runId === null || problem !== null) return [];
  const asked = await askUnder(probe, runId, { row: OTHER_RUN, key, body: BODY });
  const made = namedRun(asked);
  if (made === undefined) return [asked];
  const log = await readOver(probe, ['json', 'poll', 'sse'], { run: OTHER_RUN, runId: made, how: 'start' });
  return log === undefined ? [asked] : [asked, log];
}

/** replay.md, Endpoint; wire-contract, Endpoints: Layer-1 idempotency. */
export const idempotency = forkScenario({
  id: 'fork.idempotency',
  title: 'Requests under one Idempotency-Key make one run',
  needs: [REPLAY],
  rows: [
    {
      id: 'fork.idempotency-key',
      title: 'A fork that is asked for twice under one Idempotency-Key, one after the other, is one run',
      judge: (check, observations) => judgeDuplicates(observations, { check, twin: TWIN }),
    },
    {
      id: 'fork.idempotency-key.at-once',
      title: 'A fork that is asked for eight times at once under one Idempotency-Key is one run',
      judge: (check, observations) => judgeAtOnce(observations, { check, twin: TWIN }),
    },
    {
      id: 'fork.source-untouched.duplicates',
      title: 'Forks that are asked for twice leave the log and the snapshot of their source as they were',
      judge: (check, observations) =>
        judgeUntouched(observations, { check, before: 'source', after: 'source again', twin: TWIN }),
    },
  ],
  drive,
});
