import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { withTemporaryDirectory } from '../../test/cli.ts';
import { testClient } from '../../test/reference-client.ts';
import { definition } from '../../test/run-service.ts';

const PATH = '/v1/host/sample/workflows';
const MINE = definition('mine', [{ id: 'n', typeId: 'core.noop' }]);

/** A host that takes two workflows of each tenant. */
function client() {
  return testClient({ enableRegistration: true, limits: { workflows: 2 } });
}

describe('registered workflows', () => {
  it('can be read, run, revised and forked by their tenant alone, until they are removed', async () => {
    const host = client();
    const sent = {
      ...MINE,
      id: undefined,
      workflowId: 'mine',
      nodes: [{ ...MINE.nodes[0], nodeId: 'n' }],
      revisions: [{ version: '2.0.0', nodes: [{ ...MINE.nodes[0], id: 'n', nodeId: 'n', typeId: 'core.fail' }] }],
    };
    const posted = await host.post(PATH, sent);
    expect([posted.status, posted.body]).toEqual([201, { id: 'mine', workflowId: 'mine' }]);
    expect((await host.get('/v1/workflows/mine')).body).toMatchObject(MINE);
    expect((await host.get('/v1/workflows/mine', { key: 'key-b' })).status).toBe(404);
    expect((await host.post('/v1/runs', { workflowId: 'mine' }, { key: 'key-b' })).status).toBe(404);
    const source = await host.run('mine');
    expect(source.types.at(-1)).toBe('run.completed');
    expect((await host.fork(source.runId, { mode: 'replay' })).types.at(-1)).toBe('run.completed');
    await host.post('/v1/host/sample/test/workflow-revision', { workflowId: 'mine', revision: '2.0.0' });
    expect((await host.run('mine')).types.at(-1)).toBe('run.failed');
    const remove = (key?: string) =>
      host
        .get(`${PATH}/mine`, { method: 'DELETE', ...(key === undefined ? {} : { key }) })
        .then(({ status }) => status);
    expect([await remove('key-b'), await remove('key-reader'), await remove(), await remove()]).toEqual([
      404, 403, 200, 404,
    ]);
    expect((await host.post('/v1/runs', { workflowId: 'mine' })).status).toBe(404);
    const gone = await host.post(`/v1/runs/${source.runId}:fork`, { mode: 'replay' });
    expect([gone.status, gone.body['error']]).toEqual([410, 'workflow_removed']);
  });

  it('are there after a restart, where there is a data file', async () => {
    await withTemporaryDirectory(async (directory) => {
      const options = { enableRegistration: true, data: join(directory, 'data') };
      const before = testClient(options);
      expect((await before.post(PATH, MINE)).status).toBe(201);
      await before.host.close();
      const after = testClient(options);
      expect((await after.run('mine')).types.at(-1)).toBe('run.completed');
      await after.host.close();
    });
  });

  it('exist on no host that was not told to take them', async () => {
    expect((await testClient().post(PATH, MINE)).status).toBe(404);
  });

  it('are refused where there is one of this id, or no room', async () => {
    const host = client();
    const add = async (id: string, key = 'key-a') => (await host.post(PATH, { ...MINE, id }, { key })).status;
    expect([await add('a'), await add('a'), await add('conformance-noop')]).toEqual([201, 409, 409]);
    expect([await add('b'), await add('c'), await add('c', 'key-b')]).toEqual([201, 429, 201]);
    await host.get(`${PATH}/a`, { method: 'DELETE' });
    expect(await add('c')).toBe(201);
    expect((await host.get(`${PATH}/conformance-noop`, { method: 'DELETE' })).status).toBe(404);
  });

  it.each([
    ['a list', []],
    ['two ids', { ...MINE, workflowId: 'other' }],
    ['two ids of a node', { ...MINE, nodes: [{ ...MINE.nodes[0], nodeId: 'm' }] }],
    ['an id that is none', { ...MINE, id: '../x' }],
    ['an id that is a number', { ...MINE, id: 7 }],
    ['nodes that are none', { ...MINE, nodes: ['n', null] }],
    ['a circle', { ...MINE, edges: [{ id: 'e', sourceNodeId: 'n', targetNodeId: 'n' }] }],
    ['an edge to nowhere', { ...MINE, edges: [{ id: 'e', sourceNodeId: 'n', targetNodeId: 'm' }] }],
    ['revisions that are none', { ...MINE, revisions: [7] }],
  ])('are refused with 400 for %s', async (_, body) => {
    const { status, body: envelope } = await client().post(PATH, body);
    expect([status, envelope['error']]).toEqual([400, 'validation_error']);
  });

  it('are refused with 413 where they are large, and for callers who may not create', async () => {
    const host = client();
    expect((await host.post(PATH, { ...MINE, name: 'x'.repeat(70_000) })).status).toBe(413);
    expect((await host.post(PATH, { ...MINE, name: 'x'.repeat(2_000_000) })).status).toBe(413);
    expect((await host.post(PATH, MINE, { key: 'key-reader' })).status).toBe(403);
  });
});

describe('a host with the workflows of public hosts alone', () => {
  it('names these, and none of this project', async () => {
    const host = testClient({ onlyPublicWorkflows: true });
    const ids = (await host.get('/.well-known/openwop')).body['fixtures'] as readonly string[];
    expect(ids).toContain('conformance-noop');
    expect(ids.filter((id) => id.startsWith('conformance-determinism-'))).toEqual([]);
    expect((await host.get('/v1/workflows/conformance-determinism-once')).status).toBe(404);
  });
});
