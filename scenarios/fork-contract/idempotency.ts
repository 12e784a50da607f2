import { randomUUID } from 'node:crypto';
import type { Probe } from '../../src/host/probe.ts';
import { readAgain, startFork } from '../shared/run-observation.ts';
import { ask, forkPath, type AskedObservation } from './asked.ts';
import { judgeAtOnce, judgeDuplicates } from './judge-idempotency.ts';
import { judgeUntouched } from './judge-untouched.ts';
import { forkScenario, REPLAY, type ForkObservation } from './row.ts';
import { bounds, startPublic } from './source.ts';

const TWIN = 'replay under a key';
const AT_ONCE = 8;
const BODY = { mode: 'replay' } as const;

async function drive(probe: Probe): Promise<readonly ForkObservation[]> {
  const source = await startPublic(probe, 'source');
  const { runId } = source;
  if (runId === null || source.problem !== null) return [source];
  const [key, otherKey, keyAtOnce] = [randomUUID(), randomUUID(), randomUUID()];
  const send = (row: string, idempotencyKey: string, body: object = BODY): Promise<AskedObservation> => {
    const headers = { 'idempotency-key': idempotencyKey };
    return ask(probe.host, forkPath(runId), { row, name: row, body: JSON.stringify(body), headers });
  };
  const atOnce = Promise.all(Array.from({ length: AT_ONCE }, () => send('at once', keyAtOnce)));
  const first = await startFork(probe, source, BODY, { role: TWIN, headers: { 'idempotency-key': key } });
  const ended = await send('duplicate of an ended fork', key);
  const started = await send('first', otherKey);
  const duplicate = await send('duplicate', otherKey);
  const otherBody = await send('other body', key, { ...BODY, fromSeq: bounds(source).first });
  const asked = [ended, started, duplicate, otherBody, ...(await atOnce)];
  return [source, first, ...asked, await readAgain(probe, source, { role: 'source again' })];
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
