import { describe, expect, it } from 'vitest';
import { testClient } from '../../test/reference-client.ts';

const client = testClient();
const noop = { workflowId: 'conformance-noop' };
const withKey = (key: string): { headers: Record<string, string> } => ({ headers: { 'idempotency-key': key } });
const REPLAYED = 'openwop-idempotent-replay';

describe('Idempotency-Key', () => {
  it('answers a duplicate with the stored response, and says so', async () => {
    const first = await client.post('/v1/runs', noop, withKey('k1'));
    const second = await client.post('/v1/runs', noop, withKey('k1'));
    expect([second.status, second.text]).toEqual([201, first.text]);
    expect([first.headers.get(REPLAYED), second.headers.get(REPLAYED)]).toEqual([null, 'true']);
  });

  it('refuses another body under the same key', async () => {
    await client.post('/v1/runs', noop, withKey('k2'));
    const other = await client.post('/v1/runs', { workflowId: 'conformance-determinism-three-nodes' }, withKey('k2'));
    expect([other.status, other.body['error']]).toEqual([409, 'idempotency_key_conflict']);
  });

  it('creates one run for concurrent duplicates', async () => {
    const replies = await Promise.all(Array.from({ length: 20 }, () => client.post('/v1/runs', noop, withKey('k3'))));
    expect(new Set(replies.map((reply) => reply.body['runId'])).size).toBe(1);
    expect(replies.filter((reply) => reply.headers.get(REPLAYED) === null)).toHaveLength(1);
  });

  it('tells tenants and endpoints apart', async () => {
    const mine = await client.post('/v1/runs', noop, withKey('k4'));
    const theirs = await client.post('/v1/runs', noop, { ...withKey('k4'), key: 'key-b' });
    expect(theirs.body['runId']).not.toBe(mine.body['runId']);
    const fork = await client.post(`/v1/runs/${String(mine.body['runId'])}:fork`, { mode: 'replay' }, withKey('k4'));
    expect(fork.status).toBe(201);
  });

  it('creates one fork for concurrent duplicates, in either mode', async () => {
    const { runId } = await client.run('conformance-noop');
    for (const mode of ['replay', 'branch']) {
      const ask = (): ReturnType<typeof client.post> =>
        client.post(`/v1/runs/${runId}:fork`, { mode, fromSeq: 1 }, withKey(`k-${mode}`));
      const replies = await Promise.all(Array.from({ length: 10 }, ask));
      expect(new Set(replies.map((reply) => reply.body['runId'])).size).toBe(1);
    }
  });

  it('creates one fork, however the colon is spelt', async () => {
    const { runId } = await client.run('conformance-noop');
    const plain = await client.post(`/v1/runs/${runId}:fork`, { mode: 'replay' }, withKey('k5'));
    const encoded = await client.post(`/v1/runs/${runId}%3Afork`, { mode: 'replay' }, withKey('k5'));
    expect(encoded.text).toBe(plain.text);
  });

  it('keeps no refusal: a corrected request may use the key', async () => {
    expect((await client.post('/v1/runs', {}, withKey('k6'))).status).toBe(400);
    expect((await client.post('/v1/runs', noop, withKey('k6'))).status).toBe(201);
  });

  it.each(['', 'with space', 'x'.repeat(256), 'ü'])('refuses the key %j', async (key) => {
    expect((await client.post('/v1/runs', noop, withKey(key))).status).toBe(400);
  });
});
