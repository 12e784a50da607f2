import { describe, expect, it } from 'vitest';
import { testClient, type TestClient } from '../../test/reference-client.ts';

const LIST = '/v1/host/sample/runs';

interface Listed {
  readonly runs: readonly { readonly runId: string }[];
  readonly next: string | null;
}

async function list(client: TestClient, query = '', key = 'key-a'): Promise<Listed> {
  const { body } = await client.get(LIST + query, { key });
  return body as unknown as Listed;
}

describe('the list of runs', () => {
  it('holds the tenant’s runs, newest first, each with its status and its forks', async () => {
    const client = testClient();
    const first = await client.run('conformance-noop');
    const second = await client.run('conformance-multi-node');
    const fork = await client.fork(first.runId, { mode: 'replay', fromSeq: 2 });
    await client.run('conformance-noop', { key: 'key-b' });
    const { runs, next } = await list(client);
    expect(runs.map(({ runId }) => runId)).toEqual([fork.runId, second.runId, first.runId]);
    expect(runs[0]).toMatchObject({
      workflowId: 'conformance-noop',
      status: 'completed',
      parentRunId: first.runId,
      forkMode: 'replay',
      fromSeq: 2,
      forks: 0,
    });
    expect(runs[2]).toMatchObject({ workflowId: 'conformance-noop', status: 'completed', forks: 1 });
    expect(next).toBeNull();
  });

  it('comes in pages, and is narrowed by a text, a status and a source', async () => {
    const client = testClient();
    const ids: string[] = [];
    for (let index = 0; index < 3; index += 1) ids.unshift((await client.run('conformance-noop')).runId);
    const other = await client.run('conformance-multi-node');
    const fork = await client.fork(other.runId, { mode: 'replay' });
    const page = await list(client, '?search=NOOP&limit=2');
    expect(page).toMatchObject({ runs: ids.slice(0, 2).map((runId) => ({ runId })), next: ids[1] });
    const rest = await list(client, `?search=noop&limit=2&before=${ids[1]}`);
    expect(rest).toMatchObject({ runs: [{ runId: ids[2] }], next: null });
    expect((await list(client, `?parentRunId=${other.runId}`)).runs).toMatchObject([{ runId: fork.runId }]);
    expect((await list(client, '?status=failed')).runs).toEqual([]);
    expect((await list(client, '?status=completed')).runs).toHaveLength(5);
    expect((await list(client, '?search=nothing-like-it')).runs).toEqual([]);
  });

  it('is refused without a credential that may read runs, and with a limit that is none', async () => {
    const client = testClient();
    expect((await client.get(LIST, { key: 'nobody' })).status).toBe(401);
    expect((await client.get(LIST, { key: 'key-creator' })).status).toBe(403);
    for (const limit of ['0', '101', '-1', '1.5', 'many']) {
      expect((await client.get(`${LIST}?limit=${limit}`)).status).toBe(400);
    }
  });
});
