import { describe, expect, it } from 'vitest';
import { closedAfterEach } from '../../test/closing.ts';
import { serveEffects, type Effects } from '../../test/effects.ts';
import { sendJson, serveHttp, type LocalServer } from '../../test/local-server.ts';
import { comparable, testClient, type FinishedRun, type TestClient } from '../../test/reference-client.ts';
import { callHttp } from '../engine/nodes/tool-http.ts';
import { member } from '../json.ts';

const TOOL = 'conformance-determinism-side-effects';
const opened = closedAfterEach();

async function effects(): Promise<Effects> {
  return opened(await serveEffects());
}

async function server(...args: Parameters<typeof serveHttp>): Promise<LocalServer> {
  return opened(await serveHttp(...args));
}

const start = (client: TestClient, witnessUrl: string): Promise<FinishedRun> =>
  client.run(TOOL, { body: { workflowId: TOOL, inputs: { witnessUrl } } });

describe('core.tool.http', () => {
  it('leaves the answer in a variable, a channel, the log and the output', async () => {
    const witness = await effects();
    const run = await start(testClient(), witness.url);
    expect(run.snapshot['status']).toBe('completed');
    const nonce = member(member(run.snapshot['variables'], 'toolResult'), 'nonce');
    expect(nonce).toMatch(/^[0-9a-f-]{36}$/);
    const carrying = run.events.filter((event) => JSON.stringify(event['payload']).includes(String(nonce)));
    expect(carrying.map(({ nodeId, type }) => [nodeId, type])).toEqual([
      ['call-tool', 'tool_invocation_finished'],
      ['call-tool', 'variable.changed'],
      ['call-tool', 'channel.written'],
      ['call-tool', 'log.appended'],
      ['call-tool', 'node.completed'],
      ['after', 'variable.changed'],
      ['after', 'node.completed'],
    ]);
    expect(witness.calls).toMatchObject([{ method: 'POST', url: '/w/token/effects/side-effect' }]);
    expect(JSON.parse(witness.calls[0]?.body ?? '')).toEqual({ nodeId: 'call-tool' });
    expect(witness.calls[0]?.headers['idempotency-key']).toBe(`aetheris:${run.runId}:call-tool:1`);
  });

  it('is not called again by a replay, from any sequence, nor by a replay of a replay', async () => {
    const witness = await effects();
    const client = testClient();
    const source = await start(client, witness.url);
    for (let fromSeq = 0; fromSeq < source.events.length; fromSeq += 1) {
      const replay = await client.fork(source.runId, { mode: 'replay', fromSeq });
      expect(comparable(replay)).toEqual(comparable(source));
      expect(replay.snapshot['channels']).toEqual(source.snapshot['channels']);
      const again = await client.fork(replay.runId, { mode: 'replay', fromSeq });
      expect(comparable(again)).toEqual(comparable(source));
    }
    expect(witness.calls).toHaveLength(1);
  });

  it('is not called again by a replay of changed code that leaves the call as it is', async () => {
    const witness = await effects();
    const client = testClient();
    const source = await start(client, witness.url);
    const revised = { workflowId: TOOL, revision: '2.0.0' };
    await client.post('/v1/host/sample/test/workflow-revision', revised);
    const replay = await client.fork(source.runId, { mode: 'replay' });
    expect(replay.snapshot['variables']).toEqual(source.snapshot['variables']);
    expect(replay.types.filter((type) => type === 'replay.diverged')).toHaveLength(1);
    expect(witness.calls).toHaveLength(1);
  });

  it('is called anew by new runs and by branches from before the call, under keys of their own', async () => {
    const witness = await effects();
    const client = testClient();
    const source = await start(client, witness.url);
    const before = await client.fork(source.runId, { mode: 'branch', fromSeq: 3 });
    const fromSeq = source.types.indexOf('channel.written');
    const amid = await client.fork(source.runId, { mode: 'branch', fromSeq });
    await start(client, witness.url);
    expect(new Set(witness.calls.map((call) => call.headers['idempotency-key'])).size).toBe(3);
    expect(before.snapshot['channels']).not.toEqual(source.snapshot['channels']);
    expect(comparable(amid)).toEqual(comparable(source));
  });

  it('fails where it does not answer, and is not asked again about that', async () => {
    const client = testClient();
    let calls = 0;
    const broken = await server((_, response) => {
      calls += 1;
      sendJson(response, { error: 'secret' }, 500);
    });
    const source = await start(client, broken.baseUrl);
    expect(source.snapshot).toMatchObject({ status: 'failed', error: { code: 'tool_failed' } });
    expect(JSON.stringify(source)).not.toContain('secret');
    const replay = await client.fork(source.runId, { mode: 'replay' });
    expect(comparable(replay)).toEqual(comparable(source));
    expect(calls).toBe(1);
  });

  it('is not called by a host without test seams', async () => {
    const witness = await effects();
    const run = await start(testClient({ enableTestSeams: false }), witness.url);
    expect(run.snapshot).toMatchObject({ status: 'failed', error: { code: 'outbound_disabled' } });
    expect(witness.calls).toEqual([]);
  });

  it.each([undefined, 'data:application/json,{}', 'no address'])('fails when the address is %j', async (witnessUrl) => {
    const body = { workflowId: TOOL, inputs: witnessUrl === undefined ? {} : { witnessUrl } };
    const run = await testClient().run(TOOL, { body });
    expect(run.snapshot['status']).toBe('failed');
  });
});

const call = (url: string, patienceMs = 60_000): Promise<unknown> => callHttp({ method: 'GET', url, patienceMs });

describe('a call of a tool', () => {
  it('takes any JSON', async () => {
    const { baseUrl } = await server((_, response) => sendJson(response, [1]));
    expect(await call(baseUrl)).toEqual({ kind: 'answered', answer: [1] });
  });

  it('is bounded in time', async () => {
    const { baseUrl } = await server(() => undefined);
    expect(await call(baseUrl, 50)).toMatchObject({ kind: 'failed' });
  });

  it('is bounded in size', async () => {
    const { baseUrl } = await server((_, response) => {
      response.writeHead(200).write('['.padEnd(600_000));
      response.end(']'.padStart(600_000));
    });
    expect(await call(baseUrl)).toMatchObject({ kind: 'failed', message: 'The tool answered with too many bytes.' });
  });

  it('follows no redirect', async () => {
    const { baseUrl } = await server(({ url }, response) => {
      if (url === '/there') sendJson(response, {});
      else response.writeHead(302, { location: '/there' }).end();
    });
    expect(await call(baseUrl)).toMatchObject({ kind: 'failed' });
  });

  it('takes nothing but JSON', async () => {
    const { baseUrl } = await server((_, response) => response.writeHead(200).end('<p>'));
    expect(await call(baseUrl)).toMatchObject({ kind: 'failed' });
  });
});
