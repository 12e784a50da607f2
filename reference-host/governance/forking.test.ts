import { describe, expect, it } from 'vitest';
import { testClient, type TestClient } from '../../test/reference-client.ts';
import type { JsonObject } from '../json.ts';
import { governancePolicy, type GovernancePolicy } from '../policies/governance.ts';

async function audit(client: TestClient, runId: unknown): Promise<JsonObject[]> {
  const { status, body } = await client.post('/v1/host/sample/test/audit', { runId });
  expect(status).toBe(200);
  return body['events'] as JsonObject[];
}

const start = (client: TestClient, inputs: object): ReturnType<TestClient['run']> =>
  client.run('', { body: { workflowId: 'conformance-noop', inputs } });

const RECORD = { action: 'run.forked', at: expect.stringMatching(/^\d{4}-.*Z$/) as unknown };

describe('the audit trail', () => {
  it('has each fork of a run with sensitive fields, the oldest first, and nothing of the fields', async () => {
    const client = testClient();
    const source = await start(client, { apiKey: 'sk-audited-1' });
    expect(await audit(client, source.runId)).toEqual([]);
    const replay = await client.fork(source.runId, { mode: 'replay' });
    const branch = await client.fork(source.runId, { mode: 'branch', fromSeq: 2 });
    const again = await client.fork(branch.runId, { mode: 'replay', fromSeq: 1 });
    const first = { ...RECORD, runId: replay.runId, sourceRunId: source.runId, mode: 'replay', fromSeq: 0 };
    const second = { ...RECORD, runId: branch.runId, sourceRunId: source.runId, mode: 'branch', fromSeq: 2 };
    const third = { ...RECORD, runId: again.runId, sourceRunId: branch.runId, mode: 'replay', fromSeq: 1 };
    expect(await audit(client, source.runId)).toEqual([first, second]);
    expect(await audit(client, branch.runId)).toEqual([second, third]);
    expect(await audit(client, again.runId)).toEqual([third]);
    expect(JSON.stringify(await audit(client, source.runId))).not.toContain('sk-audited');
  });

  it('has one record for a fork that was asked for twice under one key, and none for one that was refused', async () => {
    const client = testClient();
    const source = await start(client, { nested: [{ 'X-Auth-Token': 'x' }] });
    const ask = { headers: { 'idempotency-key': 'once' } };
    await client.post(`/v1/runs/${source.runId}:fork`, { mode: 'replay' }, ask);
    await client.post(`/v1/runs/${source.runId}:fork`, { mode: 'replay' }, ask);
    await client.post(`/v1/runs/${source.runId}:fork`, { mode: 'replay', fromSeq: 99 });
    expect(await audit(client, source.runId)).toHaveLength(1);
  });

  it("has nothing about runs without such fields, and is the tenant's own", async () => {
    const client = testClient();
    const source = await start(client, { plain: 'sk-audited-1' });
    await client.fork(source.runId, { mode: 'replay' });
    expect(await audit(client, source.runId)).toEqual([]);
    const foreign = await client.post('/v1/host/sample/test/audit', { runId: source.runId }, { key: 'key-b' });
    expect(foreign.status).toBe(404);
  });

  it('has forks of runs that lost data by a deletion', async () => {
    const client = testClient();
    const source = await client.run('', { body: { workflowId: 'conformance-noop', metadata: { owner: 'somebody' } } });
    await client.post('/v1/host/sample/test/data/delete', { runId: source.runId, path: '/metadata/owner' });
    await client.fork(source.runId, { mode: 'branch', fromSeq: 2 });
    expect(await audit(client, source.runId)).toHaveLength(1);
  });

  it.each<[string, GovernancePolicy['audit'], unknown]>([
    ['nothing', () => undefined, []],
    ['secrets', (_, secrets) => ({ secrets }), [{ secrets: ['sk-audited-1'] }]],
  ])('has %s where the policy says so', async (_, kept, events) => {
    const client = testClient({ parts: { governance: { ...governancePolicy, audit: kept } } });
    const source = await start(client, { apiKey: 'sk-audited-1' });
    await client.fork(source.runId, { mode: 'replay' });
    expect(await audit(client, source.runId)).toEqual(events);
  });
});
