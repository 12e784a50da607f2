import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../json.ts';
import { defaultParts } from '../parts.ts';
import { testClient } from '../../test/reference-client.ts';

const client = testClient();
const ask = (runId: unknown, key = 'key-a') => client.post('/v1/host/sample/test/layer-two', { runId }, { key });
const invocations = async (runId: string): Promise<JsonObject[]> =>
  (await ask(runId)).body['invocations'] as JsonObject[];

describe('the seam layer-two', () => {
  it('shows the calls of a run and of its replay, each under its own id', async () => {
    const source = await client.run('conformance-determinism-llm-nodes');
    const replay = await client.fork(source.runId, { mode: 'replay' });
    for (const { runId } of [source, replay]) {
      const shown = await invocations(runId);
      expect(shown.length).toBeGreaterThan(1);
      for (const { nodeId, attempt, providerKey, invocationId } of shown) {
        const text = `${runId}:${String(nodeId)}:${String(attempt)}:${String(providerKey)}`;
        expect(invocationId).toBe(createHash('sha256').update(text).digest('hex'));
      }
    }
  });

  it('shows what a host with another formula keeps', async () => {
    const { llmCache } = defaultParts;
    const wrong = testClient({
      parts: { llmCache: { ...llmCache, invocationId: (call) => llmCache.invocationId(call).toUpperCase() } },
    });
    const run = await wrong.run('conformance-determinism-llm-nodes');
    const { body } = await wrong.post('/v1/host/sample/test/layer-two', { runId: run.runId });
    for (const { invocationId } of body['invocations'] as JsonObject[]) expect(invocationId).toMatch(/^[0-9A-F]{64}$/);
  });

  it('is empty for a run that called no provider', async () => {
    const run = await client.run('conformance-noop');
    expect(await invocations(run.runId)).toEqual([]);
  });

  it('knows the runs of the caller only', async () => {
    const run = await client.run('conformance-determinism-llm-nodes');
    expect((await ask(run.runId, 'key-b')).status).toBe(404);
    expect((await ask('run_unknown')).status).toBe(404);
    expect((await ask(7)).status).toBe(400);
  });
});
