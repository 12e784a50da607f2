import { randomUUID } from 'node:crypto';
import type { Observation } from '../../src/evidence/types.ts';
import type { Probe } from '../../src/host/probe.ts';
import type { RunRequest } from '../../src/host/runs.ts';
import { eventsPath, pollPath, runPath, RUNS_PATH } from '../../src/protocol/paths.ts';
import { defineScenario } from '../../src/runner/define-scenario.ts';
import { startFirst } from '../shared/first-run.ts';
import { nearTo } from '../shared/duplicates.ts';
import { sendRequest, type RequestedObservation } from '../shared/requested.ts';
import { isSeen, type RunObservation } from '../shared/run-observation.ts';
import { unknownLike } from '../shared/unknown-id.ts';
import { judgeAtOnce, judgeKeys, OTHER_TENANT } from './judge-keys.ts';
import { judgeRefused, judgeWithoutCredential } from './judge-refused.ts';

/** The shortest public workflow first: many runs of it are made. */
const SHORTEST = ['conformance-noop', 'conformance-multi-node'] as const;
/** Requests under one key that are sent together. */
const AT_ONCE = 10;

/** A run that was seen to its end. */
type CreatedRun = RunObservation & { readonly runId: string };

async function drive(probe: Probe): Promise<readonly Observation[]> {
  const { workflowId, inputs, run } = await startFirst(probe, SHORTEST, 'run');
  if (!isSeen(run)) return [run];
  const body = JSON.stringify({ workflowId, inputs });
  const requested = await Promise.all([
    driveKeys(probe, { workflowId, inputs }),
    driveRefused(probe, run),
    probe.hasCredential === true ? driveWithoutCredential(probe, run, body) : [],
  ]);
  return [run, ...requested.flat()];
}

/** Runs under one Idempotency-Key, one after the other and together. The other body is the one that the control was made with. */
async function driveKeys(probe: Probe, request: RunRequest): Promise<readonly RequestedObservation[]> {
  const control = JSON.stringify(request);
  const [key, keyAtOnce] = [randomUUID(), randomUUID()];
  const keyed = JSON.stringify({ ...request, tags: ['conformance:under-a-key'] });
  const send = (row: string, under: string, body: string, host = probe.host): Promise<RequestedObservation> =>
    sendRequest(host, RUNS_PATH, { row, name: row, body, headers: { 'idempotency-key': under } });
  const first = await send('first', key, keyed);
  const duplicate = await send('duplicate', key, keyed);
  const { otherTenant } = probe;
  const foreign = otherTenant === undefined ? [] : [await send(OTHER_TENANT, key, keyed, otherTenant)];
  const near = await send('almost the same key', nearTo(key), keyed);
  const other = await send('other body', key, control);
  const together = await Promise.all(Array.from({ length: AT_ONCE }, () => send('at once', keyAtOnce, control)));
  return [first, duplicate, ...foreign, near, other, ...together];
}

const AS_JSON = { accept: 'application/json' } as const;

/** The readings of a run that are whole at once, by name. */
function readingsOf(runId: string): Readonly<Record<string, string>> {
  return { 'the snapshot': runPath(runId), 'the log': eventsPath(runId), 'the poll': pollPath(runId) };
}

/** Requests for no run that there is, beside the same readings of one that there is. */
function driveRefused(probe: Probe, { runId }: CreatedRun): Promise<readonly RequestedObservation[]> {
  const unknown = unknownLike(runId, 2);
  const create = (name: string, body: string): Promise<RequestedObservation> =>
    sendRequest(probe.host, RUNS_PATH, { row: 'no-run', name, body });
  const read = (row: string, id: string): readonly Promise<RequestedObservation>[] =>
    Object.entries(readingsOf(id)).map(([name, path]) =>
      sendRequest(probe.host, path, { row, name, method: 'GET', headers: AS_JSON }),
    );
  return Promise.all([
    create('a run of no workflow', '{}'),
    create('a run whose request is no JSON', '{"workflowId":'),
    create('a run of an unknown workflow', JSON.stringify({ workflowId: `conformance-unknown-${randomUUID()}` })),
    ...read('unknown-run', unknown),
    ...read('known-run', runId),
  ]);
}

/** What worked under the credential, without it. */
function driveWithoutCredential(
  probe: Probe,
  { runId }: CreatedRun,
  body: string,
): Promise<readonly RequestedObservation[]> {
  const row = 'no-credential';
  return Promise.all([
    sendRequest(probe.host, RUNS_PATH, { row, name: 'a run', body, anonymous: true }),
    ...Object.entries(readingsOf(runId)).map(([name, path]) =>
      sendRequest(probe.host, path, { row, name, method: 'GET', headers: AS_JSON, anonymous: true }),
    ),
  ]);
}

/** wire-contract, Endpoints: what POST /v1/runs and the readings of a run answer besides what was asked for. */
export const creating = defineScenario({
  id: 'run.creating',
  suite: 'run-lifecycle',
  title: 'Runs are made once under one key, and what makes or reads none is refused in the envelope',
  drive,
  checks: [
    {
      id: 'run.create-idempotency',
      title: 'A run that is requested twice under one Idempotency-Key is one run, and another body is refused with 409',
      judge: judgeKeys,
    },
    {
      id: 'run.create-idempotency.at-once',
      title: 'A run that is requested ten times at once under one Idempotency-Key is one run',
      judge: judgeAtOnce,
    },
    {
      id: 'run.error-envelope',
      title: 'What makes no run, and readings of none, are refused with a 4xx in the envelope',
      judge: judgeRefused,
    },
    {
      id: 'run.error-envelope.no-credential',
      title: 'Without a credential, creating and reading a run is refused with 401',
      judge: judgeWithoutCredential,
    },
  ],
});
