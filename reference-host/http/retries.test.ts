import { rmSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../json.ts';
import { refuses, speaks, withChatServer, withServer } from '../../test/chat-server.ts';
import { comparable, testClient, type FinishedRun, type TestClient } from '../../test/reference-client.ts';
import { quickFolder } from '../../test/host-lives.ts';

const RETRY = 'conformance-determinism-llm-retry';
const [YES, NO_JSON] = [speaks('{"valid":true}'), speaks('perhaps')];

const start = (client: TestClient, witnessUrl: string): Promise<FinishedRun> =>
  client.run(RETRY, { body: { workflowId: RETRY, inputs: { witnessUrl } } });
const invocations = async (client: TestClient, { runId }: FinishedRun): Promise<JsonObject[]> =>
  (await client.post('/v1/host/sample/test/layer-two', { runId })).body['invocations'] as JsonObject[];

describe('a node with maxRetries', () => {
  it('is tried again where it failed, under another Layer-2 id', async () => {
    await withChatServer(async ({ witnessUrl, asked, stage }) => {
      stage(NO_JSON, YES);
      const client = testClient();
      const run = await start(client, witnessUrl);
      expect(run.snapshot).toMatchObject({ status: 'completed', variables: { verdict: { valid: true } } });
      expect(run.types.filter((type) => String(type).startsWith('node.'))).toEqual([
        'node.started',
        'node.retried',
        'node.completed',
      ]);
      const retried = run.events.find(({ type }) => type === 'node.retried');
      expect(retried?.['payload']).toMatchObject({
        nodeId: 'retried-call',
        attempt: 2,
        error: { code: 'envelope_invalid' },
      });
      expect(asked.length).toBe(2);
      const listed = await invocations(client, run);
      expect(listed.map(({ attempt }) => attempt)).toEqual(expect.arrayContaining(['1', '2']));
      expect(listed.length).toBe(2);
      expect(new Set(listed.map(({ invocationId }) => invocationId)).size).toBe(2);
    });
  });

  it('fails when it has no attempt left', async () => {
    await withChatServer(async ({ witnessUrl, asked, stage }) => {
      stage(NO_JSON);
      const run = await start(testClient(), witnessUrl);
      expect(run.snapshot).toMatchObject({ status: 'failed', error: { code: 'envelope_invalid' } });
      expect(asked.length).toBe(2);
    });
  });

  it.each([
    ['an answer that does not fit', NO_JSON],
    ['a refusal', refuses('no')],
    ['a failure of the provider', { status: 500, body: {} }],
  ])('is replayed and branched from every event without a call: %s', async (_, first) => {
    await withChatServer(async ({ witnessUrl, asked, stage }) => {
      stage(first, YES);
      const client = testClient();
      const source = await start(client, witnessUrl);
      expect(source.snapshot).toMatchObject({ status: 'completed' });
      const calls = asked.length;
      for (let fromSeq = 0; fromSeq < source.events.length; fromSeq += 1) {
        const replay = await client.fork(source.runId, { mode: 'replay', fromSeq });
        expect(comparable(replay)).toEqual(comparable(source));
      }
      expect(asked.length).toBe(calls);
      const again = source.events.findIndex(({ type }) => type === 'node.retried');
      const branch = await client.fork(source.runId, { mode: 'branch', fromSeq: again + 1 });
      expect(branch.snapshot).toMatchObject({ status: 'completed' });
      expect(asked.length).toBe(calls + 1);
    });
  });

  it('is not tried again where a replay diverged at a refusal', async () => {
    await withChatServer(async ({ witnessUrl, stage }) => {
      stage(refuses('no'), YES);
      const client = testClient();
      const source = await start(client, witnessUrl);
      await client.post('/v1/host/sample/test/llm-cache/purge', { runId: source.runId });
      stage(YES);
      const replay = await client.fork(source.runId, { mode: 'replay' });
      expect(replay.types).not.toContain('node.retried');
      expect(replay.snapshot).toMatchObject({ status: 'failed', error: { code: 'replay_diverged_at_refusal' } });
    });
  });

  it('goes on in the attempt in which its host closed', async () => {
    const folder = quickFolder('reference-host-retries-');
    const data = join(folder, 'host.db');
    const first = testClient({ data });
    let close: (closing: Promise<void>) => void;
    const closed = new Promise<void>((resolve) => (close = resolve));
    const replies = [NO_JSON, undefined, YES];
    let calls = 0;
    const listener: RequestListener = (_, response) => {
      const reply = replies[calls];
      calls += 1;
      if (reply === undefined) close(first.host.close());
      else response.end(JSON.stringify(reply.body));
    };
    await withServer(listener, async (url) => {
      const run = await first.post('/v1/runs', { workflowId: RETRY, inputs: { witnessUrl: url } });
      await closed;
      const second = testClient({ data });
      const finished = await second.finished(String(run.body['runId']));
      expect(finished.types.filter((type) => type === 'node.retried').length).toBe(1);
      expect(finished.snapshot).toMatchObject({ status: 'completed', variables: { verdict: { valid: true } } });
      expect(calls).toBe(3);
      await second.host.close();
    });
    rmSync(folder, { recursive: true });
  });
});
