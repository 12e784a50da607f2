import { describe, expect, it } from 'vitest';
import { testClient } from '../../test/reference-client.ts';

const client = testClient();
const { runId } = await client.run('conformance-noop');
const UNKNOWN = 'run_00000000000000000000000000';

describe('credentials', () => {
  it.each(['', 'Bearer', 'Bearer ', 'Bearer nobody', 'Basic key-a', 'key-a', 'Bearer key-a key-b'])(
    'answers 401 to Authorization: %j',
    async (authorization) => {
      const reply = await client.get(`/v1/runs/${runId}`, { headers: { authorization } });
      expect([reply.status, reply.body['error']]).toEqual([401, 'unauthenticated']);
      expect(reply.headers.get('www-authenticate')).toBe('Bearer');
    },
  );

  it('answers 403 and names the scope that is missing', async () => {
    const create = await client.post('/v1/runs', { workflowId: 'conformance-noop' }, { key: 'key-reader' });
    expect([create.status, create.body['details']]).toEqual([403, { requiredScope: 'runs:create' }]);
    const fork = await client.post(`/v1/runs/${runId}:fork`, { mode: 'replay' }, { key: 'key-reader' });
    expect(fork.status).toBe(403);
    const blind = await client.post(`/v1/runs/${runId}:fork`, { mode: 'replay' }, { key: 'key-creator' });
    expect([blind.status, blind.body['details']]).toEqual([403, { requiredScope: 'runs:read' }]);
    expect((await client.get(`/v1/runs/${runId}`, { key: 'key-reader' })).status).toBe(200);
  });

  it.each([
    ['GET', ''],
    ['GET', '/events'],
    ['GET', '/events/poll'],
    ['POST', '/cancel'],
    ['POST', ':fork'],
    ['GET', `:diff?against=${runId}`],
  ])("answers %s run%s of another tenant's run like that of an unknown one", async (method, suffix) => {
    const body = method === 'POST' ? { mode: 'replay' } : undefined;
    const foreign = await client.get(`/v1/runs/${runId}${suffix}`, { method, body, key: 'key-b' });
    const unknown = await client.get(`/v1/runs/${UNKNOWN}${suffix}`, { method, body, key: 'key-b' });
    expect(foreign.status).toBe(404);
    expect([foreign.status, foreign.text, [...foreign.headers]]).toEqual([
      unknown.status,
      unknown.text,
      [...unknown.headers],
    ]);
  });

  it('serves discovery and openapi.json to everybody', async () => {
    const headers = { authorization: '' };
    expect((await client.get('/.well-known/openwop', { headers })).status).toBe(200);
    expect((await client.get('/v1/openapi.json', { headers })).status).toBe(200);
  });
});
