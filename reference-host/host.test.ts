import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { defaultCredentials } from './credentials.ts';
import { BadDataFile } from './store/database.ts';
import { openSqlite } from './store/sqlite.ts';
import { comparable, sseEvents, testClient, type FinishedRun } from '../test/reference-client.ts';
import { sampled } from '../test/sampled.ts';
import { useFolder } from '../test/host-lives.ts';

const folder = useFolder('reference-host-');

describe('a data file', () => {
  it('shows finished runs again, and still replays them from the recorded responses', async () => {
    const data = join(folder, 'finished.db');
    const first = testClient({ data });
    await first.stage('structured-call', [{ content: '{"valid":false}', stopReason: 'end_turn' }]);
    const run = await first.run('conformance-phase4-replay-divergence');
    await first.host.close();
    const second = testClient({ data });
    const events = await second.get(`/v1/runs/${run.runId}/events`, { headers: { accept: 'application/json' } });
    expect(events.body['events']).toEqual(run.events);
    expect((await second.get(`/v1/runs/${run.runId}`)).body).toEqual(run.snapshot);
    const replay = await second.fork(run.runId, { mode: 'replay' });
    expect(replay.snapshot['variables']).toEqual({ structuredCall: { valid: false } });
    await second.host.close();
  });

  it('goes on with a run where the host was stopped', async () => {
    const data = join(folder, 'unfinished.db');
    const first = testClient({ data });
    const created = await first.post('/v1/runs', { workflowId: 'conformance-determinism-three-nodes' });
    await first.host.close();
    const second = testClient({ data });
    const url = String(created.body['statusUrl']);
    await second.get(`${url}/events`);
    expect((await second.get(url)).body).toMatchObject({ status: 'completed', variables: { greeting: 'hello' } });
    await second.host.close();
  });

  it.each([
    'conformance-determinism-llm-nodes',
    'conformance-determinism-memory-write',
    'conformance-determinism-version-pin',
    'conformance-determinism-three-nodes',
  ])('goes on with %s after every single event without repeating or losing one', async (workflowId) => {
    const whole = await testClient().run(workflowId);
    for (const kept of sampled([...whole.events.keys()].slice(1), 3)) {
      const data = join(folder, `${workflowId}-${kept}.db`);
      const first = testClient({ data });
      const run = await first.run(workflowId);
      await first.host.close();
      expect(run.types).toEqual(whole.types);
      expect(comparable(await continued(data, run, kept))).toEqual(comparable(run));
    }
  });

  it('goes on with the replay of a branch where it was, under the options that held there', async () => {
    const workflowId = 'conformance-determinism-identity';
    const overlay = { inputs: { value: 2 }, configurable: { value: 3 } };
    for (const kept of [1, 4, 5, 6, 9]) {
      const data = join(folder, `branch-${kept}.db`);
      const first = testClient({ data });
      const source = await first.run(workflowId, { body: { workflowId, inputs: { value: 1 } } });
      const branch = await first.fork(source.runId, { mode: 'branch', fromSeq: 5, runOptionsOverlay: overlay });
      const replay = await first.fork(branch.runId, { mode: 'replay' });
      await first.host.close();
      expect(branch.snapshot['variables']).toEqual({ input: 1, configured: 3, copied: 1 });
      expect(comparable(await continued(data, replay, kept))).toEqual(comparable(branch));
    }
  });

  it('keeps idempotency keys', async () => {
    const data = join(folder, 'keys.db');
    const headers = { 'idempotency-key': 'k' };
    const first = testClient({ data });
    const created = await first.post('/v1/runs', { workflowId: 'conformance-noop' }, { headers });
    await first.host.close();
    const second = testClient({ data });
    const again = await second.post('/v1/runs', { workflowId: 'conformance-noop' }, { headers });
    expect(again.text).toBe(created.text);
    await second.host.close();
  });

  it.each([
    ['a folder', () => folder],
    ['a path without a folder', () => join(folder, 'none', 'x.db')],
    ['an empty path', () => ''],
    ['a file that is no database', () => written('text.db', 'This is some text and no database at all.'.repeat(50))],
    ["another program's database", foreignDatabase],
  ])('is refused when it is %s', (_, path) => {
    const data = path();
    expect(() => testClient({ data })).toThrow(BadDataFile);
  });

  it('is refused while another host has it', async () => {
    const data = join(folder, 'locked.db');
    const first = testClient({ data });
    expect(() => testClient({ data })).toThrow(BadDataFile);
    await first.host.close();
  });

  it('leaves a file that it refuses as it was', () => {
    const path = foreignDatabase();
    const before = readFileSync(path);
    expect(() => testClient({ data: path })).toThrow(BadDataFile);
    expect(readFileSync(path).equals(before)).toBe(true);
  });
});

describe('a closed host', () => {
  it('answers 503 and can be closed again', async () => {
    const client = testClient();
    await client.host.close();
    await client.host.close();
    expect((await client.get('/.well-known/openwop')).status).toBe(503);
  });
});

describe('defaultCredentials', () => {
  it('gives fresh keys for the same two tenants', () => {
    const one = defaultCredentials();
    const two = defaultCredentials();
    expect(new Set([one, two].flatMap((each) => [each.apiKey, each.otherTenantApiKey, each.limitedApiKey])).size).toBe(
      6,
    );
    expect(one.credentials.map(({ tenant }) => tenant)).toEqual(two.credentials.map(({ tenant }) => tenant));
  });

  it('has one that reads the runs of the first tenant and creates none', async () => {
    const { apiKey, limitedApiKey, credentials } = defaultCredentials();
    const client = testClient({ credentials });
    const body = { workflowId: 'conformance-noop' };
    const created = await client.post('/v1/runs', body, { key: apiKey });
    const url = `/v1/runs/${String(created.body['runId'])}`;
    expect((await client.get(url, { key: limitedApiKey })).status).toBe(200);
    expect((await client.post('/v1/runs', body, { key: limitedApiKey })).status).toBe(403);
    expect((await client.post(`${url}:fork`, { mode: 'replay' }, { key: limitedApiKey })).status).toBe(403);
  });
});

/** A run after its log was cut and another host went on with it. */
async function continued(data: string, run: FinishedRun, kept: number): Promise<FinishedRun> {
  const database = openSqlite(data);
  database.prepare('DELETE FROM events WHERE run_id = ? AND sequence >= ?').run(run.runId, kept);
  database.close();
  const client = testClient({ data });
  const events = sseEvents((await client.get(`/v1/runs/${run.runId}/events`)).text);
  await client.host.close();
  return { ...run, events };
}

function written(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

function foreignDatabase(): string {
  const path = join(folder, 'foreign.db');
  rmSync(path, { force: true });
  const database = openSqlite(path);
  database.exec('CREATE TABLE theirs (x TEXT)');
  database.close();
  return path;
}
