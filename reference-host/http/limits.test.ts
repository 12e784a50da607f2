import { once as happened } from 'node:events';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { closedAfterEach } from '../../test/closing.ts';
import { withTemporaryDirectory } from '../../test/cli.ts';
import { testClient } from '../../test/reference-client.ts';
import { createQuota, type TenantLimits } from './limits.ts';
import { listen, type Listening, type ListenOptions } from './listen.ts';

const NOOP = 'conformance-noop';
const WAITING = 'conformance-determinism-interrupt';
const OTHER = { key: 'key-b' };

function limited(limits: Partial<TenantLimits>) {
  return testClient({ limits });
}

describe('a quota', () => {
  it('gives each tenant its places, and each of them back once', () => {
    const quota = createQuota(2);
    const take = (tenant: string) => quota.take(tenant);
    const [first, second] = [take('a'), take('a')];
    expect([first, second, take('a')]).toEqual([expect.any(Function), expect.any(Function), undefined]);
    expect(take('b')).toBeDefined();
    first?.();
    first?.();
    expect([take('a'), take('a')]).toEqual([expect.any(Function), undefined]);
  });
});

describe('runs of a tenant', () => {
  it('are refused beyond the limit, created or forked, while all others are served', async () => {
    const client = limited({ runs: 3 });
    const first = await client.run(NOOP);
    const key = { headers: { 'idempotency-key': 'once' } };
    const created = await client.post('/v1/runs', { workflowId: NOOP }, key);
    expect((await client.fork(first.runId, { mode: 'replay' })).types).toContain('run.completed');
    for (const path of ['/v1/runs', `/v1/runs/${first.runId}:fork`]) {
      const refused = await client.post(path, { workflowId: NOOP, mode: 'replay' });
      expect([refused.status, refused.body['error']]).toEqual([429, 'run_limit_reached']);
      expect(refused.body).toEqual({ error: 'run_limit_reached', message: 'A tenant may have 3 runs.' });
      expect(refused.headers.get('retry-after')).toBe('3600');
    }
    const again = await client.post('/v1/runs', { workflowId: NOOP }, key);
    expect([again.status, again.body['runId']]).toEqual([201, created.body['runId']]);
    expect((await client.get(`/v1/runs/${first.runId}`)).status).toBe(200);
    expect((await client.post('/v1/runs', { workflowId: NOOP }, OTHER)).status).toBe(201);
  });
});

const open = (client: ReturnType<typeof limited>, path: string, method = 'GET') =>
  client.host.fetch(new Request(`http://host.test${path}`, { method, headers: { authorization: 'Bearer key-a' } }));

const waiting = async (client: ReturnType<typeof limited>, ask = {}): Promise<string> => {
  const created = await client.post('/v1/runs', { workflowId: WAITING }, ask);
  return `/v1/runs/${String(created.body['runId'])}/events`;
};

describe('open streams of a tenant', () => {
  it('are refused beyond the limit, waiting polls included, until one is closed', async () => {
    const client = limited({ streams: 2 });
    const path = await waiting(client);
    const [first, second] = [await open(client, path), await open(client, path)];
    expect([first.status, second.status]).toEqual([200, 200]);
    for (const more of [path, `${path}/poll?timeout=30&lastSequence=1000`]) {
      const refused = await client.get(more);
      expect([refused.status, refused.body['error']]).toEqual([429, 'stream_limit_reached']);
      expect(refused.headers.get('retry-after')).toBe('1');
    }
    expect((await client.get(`${path}/poll`)).status).toBe(200);
    expect((await client.get(path, { headers: { accept: 'application/json' } })).status).toBe(200);
    const others = await client.host.fetch(
      new Request(`http://host.test${await waiting(client, OTHER)}`, { headers: { authorization: 'Bearer key-b' } }),
    );
    expect(others.status).toBe(200);
    await first.body?.cancel();
    const third = await open(client, path);
    expect(third.status).toBe(200);
    for (const { body } of [second, third, others]) await body?.cancel();
    await client.host.close();
  });

  it('are given back when a run ends, when a poll is answered, and when only the head was wanted', async () => {
    const client = limited({ streams: 1 });
    for (let turn = 0; turn < 3; turn += 1) {
      const { runId, types } = await client.run(NOOP);
      expect(types).toContain('run.completed');
      const path = `/v1/runs/${runId}/events`;
      expect((await open(client, path, 'HEAD')).headers.get('content-type')).toBe('text/event-stream');
    }
    const path = await waiting(client);
    expect((await client.get(`${path}/poll?timeout=0.001&lastSequence=1000`)).status).toBe(200);
    const stream = await open(client, path);
    expect(stream.status).toBe(200);
    await client.host.close();
    await stream.text();
  });
});

const opened = closedAfterEach();

async function served(limits: ListenOptions['limits'] = {}): Promise<Listening> {
  return opened(await listen(testClient().host, { limits }));
}

function dial({ baseUrl }: Listening, text: string): Socket {
  const socket = connect(Number(new URL(baseUrl).port), '127.0.0.1');
  socket.on('error', () => undefined).write(text);
  return socket;
}

/** Everything that the server sends until it ends the connection. */
async function answerTo(server: Listening, text: string): Promise<{ readonly status: number; readonly body: unknown }> {
  const socket = dial(server, text);
  let answer = '';
  socket.setEncoding('utf8').on('data', (chunk: string) => (answer += chunk));
  await happened(socket, 'close');
  const [head = '', body = ''] = answer.split('\r\n\r\n');
  return { status: Number(head.split(' ')[1]), body: JSON.parse(body) };
}

const POST = 'POST /v1/runs HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer key-a\r\n';

describe('what a server refuses before it is a request', () => {
  it.each([
    [431, 'headers_too_large', {}, `GET / HTTP/1.1\r\nHost: x\r\nx-filler: ${'x'.repeat(40_000)}\r\n\r\n`],
    [431, 'headers_too_large', { headerBytes: 500 }, `GET /${'x'.repeat(600)} HTTP/1.1\r\nHost: x\r\n\r\n`],
    [408, 'request_timeout', { headersMs: 20, requestMs: 20 }, POST],
    [408, 'request_timeout', { headersMs: 20, requestMs: 20 }, `${POST}Content-Length: 100\r\n\r\n{`],
    [400, 'bad_request', {}, 'hello\r\n\r\n'],
  ])('%d %s', async (status, error, limits, text) => {
    const server = await served(limits);
    expect(await answerTo(server, text)).toEqual({ status, body: { error, message: expect.any(String) as string } });
  });

  it('does not answer into an answer that has begun', async () => {
    const host = {
      fetch: () => new Response(new ReadableStream({ start: (body) => body.enqueue(Buffer.from('begun')) })),
    };
    const server = opened(await listen(host));
    const socket = dial(server, 'GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    let answer = '';
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      if (answer === '') socket.write('no HTTP\r\n\r\n');
      answer += chunk;
    });
    await happened(socket, 'close');
    expect(answer).toContain('begun');
    expect(answer.match(/HTTP\/1\.1/g)).toHaveLength(1);
  });
});

describe('a body that is too much', () => {
  it.each([
    [413, 'payload_too_large', 'x'.repeat(2_000_000)],
    [400, 'validation_error', `${'['.repeat(300)}${']'.repeat(300)}`],
  ])('%d %s', async (status, error, body) => {
    const { baseUrl } = await served();
    const answer = await fetch(`${baseUrl}/v1/runs`, {
      method: 'POST',
      headers: { authorization: 'Bearer key-a' },
      body,
    });
    expect(answer.status).toBe(status);
    expect(await answer.json()).toMatchObject({ error });
  });
});

describe('the limit of runs', () => {
  it('counts those that a data file holds, and children of handoffs', async () => {
    await withTemporaryDirectory(async (directory) => {
      const options = { data: join(directory, 'host.db'), limits: { runs: 2 } };
      const before = testClient(options);
      await before.run('conformance-multi-agent-handoff');
      expect((await before.post('/v1/runs', { workflowId: NOOP })).status).toBe(429);
      await before.host.close();
      const after = testClient(options);
      expect((await after.post('/v1/runs', { workflowId: NOOP })).status).toBe(429);
      await after.host.close();
    });
  });
});
