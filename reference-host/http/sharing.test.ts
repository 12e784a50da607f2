import { describe, expect, it } from 'vitest';
import { refuses, speaks, withChatServer, type ChatServer } from '../../test/chat-server.ts';
import { testClient, type FinishedRun, type TestClient } from '../../test/reference-client.ts';

const PROVIDER = 'conformance-determinism-llm-provider';
const RETRY = 'conformance-determinism-llm-retry';
const [YES, NO, NO_JSON] = [speaks('{"valid":true}'), speaks('{"valid":false}'), speaks('perhaps')];

async function start(client: TestClient, { witnessUrl }: ChatServer, workflowId = PROVIDER): Promise<FinishedRun> {
  return client.run(workflowId, { body: { workflowId, inputs: { witnessUrl } } });
}

const shown = ({ snapshot }: FinishedRun): unknown => snapshot['variables'];

describe('a host whose operator lets runs share responses', () => {
  it('asks once for one request of a tenant, and replays both runs without a call', async () => {
    await withChatServer(async (server) => {
      server.stage(YES, NO);
      const client = testClient({ shareResponses: true });
      const [first, second] = [await start(client, server), await start(client, server)];
      expect(shown(second)).toEqual(shown(first));
      for (const { runId } of [first, second]) {
        const replay = await client.fork(runId, { mode: 'replay' });
        expect(shown(replay)).toEqual(shown(first));
      }
      expect(server.asked.length).toBe(1);
    });
  });

  it('asks for every run where nobody said so', async () => {
    await withChatServer(async (server) => {
      server.stage(YES, NO);
      const client = testClient();
      const [first, second] = [await start(client, server), await start(client, server)];
      expect(shown(second)).not.toEqual(shown(first));
    });
  });

  it('keeps tenants apart', async () => {
    const client = testClient({ shareResponses: true });
    const run = async (key: string): Promise<unknown> => {
      const { body } = await client.post('/v1/runs', { workflowId: 'conformance-phase4-replay-divergence' }, { key });
      await client.get(`/v1/runs/${String(body['runId'])}/events`, { key });
      return (await client.get(`/v1/runs/${String(body['runId'])}`, { key })).body['variables'];
    };
    const [yes, no] = [true, false].map((valid) => ({ content: JSON.stringify({ valid }), stopReason: 'end_turn' }));
    await client.stage('structured-call', [yes, no]);
    expect(await run('key-a')).toEqual({ structuredCall: { valid: true } });
    expect(await run('key-b')).toEqual({ structuredCall: { valid: false } });
    expect(await run('key-a')).toEqual({ structuredCall: { valid: true } });
    await client.stage('structured-call', [no]);
    expect(await run('key-a')).toEqual({ structuredCall: { valid: false } });
  });

  it('shares no failure and nothing with a second attempt, but a refusal', async () => {
    await withChatServer(async (server) => {
      const client = testClient({ shareResponses: true });
      server.stage({ status: 500, body: {} }, refuses('no'), YES);
      const runs = [await start(client, server), await start(client, server), await start(client, server)];
      const codes = runs.map(({ snapshot }) => snapshot['error']);
      expect(codes).toMatchObject([
        { code: 'provider_failed' },
        { code: 'envelope_refused' },
        { code: 'envelope_refused' },
      ]);
      expect(server.asked.length).toBe(2);
    });
    await withChatServer(async (server) => {
      const client = testClient({ shareResponses: true });
      server.stage(NO_JSON, NO_JSON, YES);
      await start(client, server, RETRY);
      const second = await start(client, server, RETRY);
      expect(second.snapshot['status']).toBe('completed');
      expect(server.asked.length).toBe(3);
    });
  });
});
