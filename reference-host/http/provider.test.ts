import { rmSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { member, type JsonObject } from '../json.ts';
import { refuses, speaks, withChatServer, withServer } from '../../test/chat-server.ts';
import { comparable, testClient, type FinishedRun, type TestClient } from '../../test/reference-client.ts';
import { quickFolder } from '../../test/host-lives.ts';

const PROVIDER = 'conformance-determinism-llm-provider';
const YES = speaks('{"valid":true}', { usage: { prompt_tokens: 7, completion_tokens: 3 } });
const NO = speaks('{"valid":false}', { usage: { prompt_tokens: 7, completion_tokens: 3 } });
const SECRET = 'sk-secret';

const start = (client: TestClient, witnessUrl: unknown): Promise<FinishedRun> =>
  client.run(PROVIDER, { body: { workflowId: PROVIDER, inputs: { witnessUrl } } });
const purge = async (client: TestClient, which: object): Promise<unknown> =>
  (await client.post('/v1/host/sample/test/llm-cache/purge', which)).body['purged'];
const ofType = ({ events }: FinishedRun, type: string): JsonObject[] =>
  events.filter((event) => event['type'] === type);

describe('the provider openai-compatible', () => {
  it('is asked with the node’s request where the run says, and its answer is the node’s output', async () => {
    await withChatServer(async ({ witnessUrl, asked, stage }) => {
      stage(YES);
      const run = await start(testClient(), witnessUrl);
      expect(run.snapshot).toMatchObject({
        status: 'completed',
        variables: { before: 'before', verdict: { valid: true }, after: 'after' },
      });
      const schema = { type: 'object', properties: { valid: { type: 'boolean' } }, required: ['valid'] };
      const body = {
        model: 'witness-mini',
        messages: [{ role: 'user', content: 'Is the request valid?' }],
        response_format: { type: 'json_schema', json_schema: { name: 'answer', schema } },
      };
      expect(asked).toEqual([{ path: '/w/token/v1/chat/completions', body }]);
      const usage = { provider: 'openai-compatible', model: 'witness-mini', inputTokens: 7, outputTokens: 3 };
      expect(ofType(run, 'provider.usage')[0]?.['payload']).toMatchObject({ ...usage, totalTokens: 10 });
    });
  });

  it('has the key of its request alone, wherever it listens', async () => {
    const keys = [1, 2].map(() =>
      withChatServer(async ({ witnessUrl }) => {
        const run = await start(testClient(), witnessUrl);
        return member(ofType(run, 'provider.usage')[0]?.['payload'], 'cacheKey');
      }),
    );
    const [one, other] = await Promise.all(keys);
    expect(one).toMatch(/^[0-9a-f]{64}$/);
    expect(other).toBe(one);
  });

  it('is not asked by a replay, from whatever sequence, nor by a replay of that', async () => {
    await withChatServer(async ({ witnessUrl, asked, stage }) => {
      stage(YES, NO);
      const client = testClient();
      const source = await start(client, witnessUrl);
      for (let fromSeq = 0; fromSeq < source.events.length; fromSeq += 1) {
        const replay = await client.fork(source.runId, { mode: 'replay', fromSeq });
        expect(comparable(replay)).toEqual(comparable(source));
        expect(comparable(await client.fork(replay.runId, { mode: 'replay' }))).toEqual(comparable(source));
      }
      expect(asked).toHaveLength(1);
    });
  });

  it('is asked again after a purge: the same answer is no divergence, another one of its kind a plain one', async () => {
    await withChatServer(async ({ witnessUrl, asked, stage }) => {
      stage(YES, YES, NO);
      const client = testClient();
      const source = await start(client, witnessUrl);
      await purge(client, { runId: source.runId });
      const same = await client.fork(source.runId, { mode: 'replay' });
      expect(comparable(same)).toEqual(comparable(source));
      const other = await client.fork(source.runId, { mode: 'replay' });
      expect(other.snapshot).toMatchObject({ status: 'completed', variables: { verdict: { valid: false } } });
      expect(ofType(other, 'replay.diverged')).toHaveLength(2);
      expect(ofType(other, 'replay.divergedAtRefusal')).toEqual([]);
      expect(asked).toHaveLength(3);
    });
  });

  it.each([
    ['refusal', 'answer', [refuses(SECRET), YES], 'envelope.refusal'],
    ['answer', 'refusal', [YES, refuses(SECRET)], 'node.completed'],
    ['answer', 'filtered text', [YES, filtered()], 'node.completed'],
  ])('ends a replay visibly where its source had an %s and it gets an %s', async (_, _to, answers, type) => {
    await withChatServer(async ({ witnessUrl, stage }) => {
      stage(...answers);
      const client = testClient();
      const source = await start(client, witnessUrl);
      await purge(client, { nodeId: 'provider-call' });
      const replay = await client.fork(source.runId, { mode: 'replay' });
      expect(replay.types.slice(-4)).toEqual(['node.started', 'replay.divergedAtRefusal', 'node.failed', 'run.failed']);
      const original = source.events.find((event) => event['nodeId'] === 'provider-call' && event['type'] === type);
      expect(ofType(replay, 'replay.divergedAtRefusal')[0]?.['payload']).toMatchObject({
        sourceRunId: source.runId,
        atSequence: original?.['sequence'],
        nodeId: 'provider-call',
        refusalReason: 'safety',
      });
      expect(replay.snapshot).toMatchObject({ status: 'failed', error: { code: 'replay_diverged_at_refusal' } });
      expect(replay.snapshot['variables']).toEqual({ before: 'before' });
      expect(ofType(replay, 'replay.diverged')).toEqual([]);
      expect(JSON.stringify([source, replay])).not.toContain(SECRET);
    });
  });

  it('ends a replay visibly also when the call had begun in the fixed history', async () => {
    await withChatServer(async ({ witnessUrl, stage }) => {
      const client = testClient();
      stage(YES, refuses(SECRET));
      const source = await start(client, witnessUrl);
      await purge(client, {});
      const begun = source.types.indexOf('provider.usage');
      for (let fromSeq = begun; fromSeq <= begun + 2; fromSeq += 1) {
        const replay = await client.fork(source.runId, { mode: 'replay', fromSeq });
        expect(replay.types.slice(fromSeq)).toEqual(['replay.divergedAtRefusal', 'node.failed', 'run.failed']);
        const again = await client.fork(replay.runId, { mode: 'replay', fromSeq: fromSeq + 1 });
        expect(comparable(again)).toEqual(comparable(replay));
      }
    });
  });

  it('raises nothing when it refuses again', async () => {
    await withChatServer(async ({ witnessUrl, stage, asked }) => {
      stage(refuses('one'), refuses('two'));
      const client = testClient();
      const source = await start(client, witnessUrl);
      expect(source.snapshot).toMatchObject({ status: 'failed', error: { code: 'envelope_refused' } });
      await purge(client, {});
      expect(comparable(await client.fork(source.runId, { mode: 'replay' }))).toEqual(comparable(source));
      expect(asked).toHaveLength(2);
    });
  });

  it.each([
    ['an error', { status: 500, body: { error: SECRET } }],
    ['another success', { status: 202, body: {} }],
    ['a redirect', { status: 302, headers: { location: '/w/token/v1/chat/completions' }, body: '' }],
    ['no JSON', { body: SECRET }],
    ['no choice', { body: { choices: [] } }],
    ['a message without text', { body: { choices: [{ message: { content: [SECRET] } }] } }],
    ['a tool call that is none', { body: { choices: [{ message: { content: '', tool_calls: [{}] } }] } }],
    ['too much', { body: { choices: [{ message: { content: 'x'.repeat(2 ** 21) } }] } }],
  ])('fails the node where it gives %s', async (_, reply) => {
    await withChatServer(async ({ witnessUrl, stage }) => {
      stage(reply);
      const run = await start(testClient(), witnessUrl);
      expect(run.snapshot).toMatchObject({ status: 'failed', error: { code: 'provider_failed' } });
      expect(JSON.stringify(run)).not.toContain(SECRET);
    });
  });

  it('fails the node where nobody listens, and where the address is none', async () => {
    const client = testClient();
    for (const witnessUrl of ['http://127.0.0.1:1', 'data:application/json,{}#', 'nowhere', 'file:///etc/passwd']) {
      const run = await start(client, witnessUrl);
      expect(run.snapshot).toMatchObject({ status: 'failed', error: { code: 'provider_failed' } });
    }
  });

  it('is none where the run names no address, and on a host without test seams', async () => {
    await withChatServer(async ({ witnessUrl, asked }) => {
      const runs = [
        await start(testClient(), undefined),
        await start(testClient(), 7),
        await start(testClient({ enableTestSeams: false }), witnessUrl),
      ];
      for (const run of runs) {
        expect(run.snapshot).toMatchObject({ status: 'failed', error: { code: 'provider_unavailable' } });
      }
      expect(asked).toEqual([]);
    });
  });

  it('does not hold up a host that closes, and is asked again when the run goes on', async () => {
    const folder = quickFolder('reference-host-provider-');
    const data = join(folder, 'host.db');
    const first = testClient({ data });
    let close: (closing: Promise<void>) => void;
    const closed = new Promise<void>((resolve) => (close = resolve));
    let calls = 0;
    const listener: RequestListener = (_, response) => {
      calls += 1;
      if (calls === 1) close(first.host.close());
      else response.end(JSON.stringify(YES.body));
    };
    await withServer(listener, async (witnessUrl) => {
      const run = await first.post('/v1/runs', { workflowId: PROVIDER, inputs: { witnessUrl } });
      await closed;
      const second = testClient({ data });
      const url = String(run.body['statusUrl']);
      await second.get(`${url}/events`);
      expect((await second.get(url)).body).toMatchObject({
        status: 'completed',
        variables: { verdict: { valid: true } },
      });
      await second.host.close();
    });
    rmSync(folder, { recursive: true });
  });
});

/** A text that the provider's filter cut off. */
function filtered(): { body: unknown } {
  return { body: { choices: [{ message: { content: SECRET }, finish_reason: 'content_filter' }] } };
}
