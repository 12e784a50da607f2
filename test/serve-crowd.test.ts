import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startCli, withTemporaryDirectory, type Started } from './cli.ts';

const SLOW = 200;
const STREAMS = 500;
/** So many are opened at a time: of more, a host on a busy machine may not see the headers in the time that they may take. */
const AT_ONCE = 25;
const BODIES = 20;
/** It waits for an answer that nobody gives. */
const WAITING = 'conformance-determinism-interrupt';

interface Address {
  readonly baseUrl: string;
  readonly apiKey: string;
}

async function started(data: string): Promise<{ readonly serve: Started; readonly address: Address }> {
  const serve = startCli(['serve', '--port', '0', '--json', '--data', data]);
  return { serve, address: JSON.parse(await serve.firstLine) as Address };
}

async function createRun({ baseUrl, apiKey }: Address, workflowId: string): Promise<string> {
  const headers = { authorization: `Bearer ${apiKey}` };
  const answer = await fetch(`${baseUrl}/v1/runs`, { method: 'POST', headers, body: JSON.stringify({ workflowId }) });
  expect(answer.status).toBe(201);
  return ((await answer.json()) as { readonly runId: string }).runId;
}

/** How long the headers of a request may take, in milliseconds. */
const HEADERS_MS = 20_000;
/** Slow clients that were told so, and not before: where the machine is busy, their time may be over before all others have come. */
const told = new WeakSet<Socket>();

/** A client that begins a request and never ends it: half of them in the headers, half in the body. */
async function slowSocket({ baseUrl, apiKey }: Address, index: number): Promise<Socket> {
  const begun = Date.now();
  const socket = connect(Number(new URL(baseUrl).port), '127.0.0.1');
  socket.on('error', () => undefined);
  socket.once('data', (answer) => {
    const isTimeOut = answer.toString('latin1').startsWith('HTTP/1.1 408');
    if (isTimeOut && Date.now() - begun >= HEADERS_MS) told.add(socket);
  });
  await once(socket, 'connect');
  const head = `POST /v1/runs HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${apiKey}\r\nContent-Length: 100\r\n`;
  socket.write(index % 2 === 0 ? head : `${head}\r\n{"workflowId":`);
  return socket;
}

/** A body that goes on until it is answered: what that begins with; '' where the connection was cut off first. */
async function endlessBody({ baseUrl, apiKey }: Address): Promise<string> {
  const socket = connect(Number(new URL(baseUrl).port), '127.0.0.1');
  socket.on('error', () => undefined);
  const head = `POST /v1/runs HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${apiKey}\r\nTransfer-Encoding: chunked\r\n\r\n`;
  const chunk = `10000\r\n${'x'.repeat(65_536)}\r\n`;
  const pour = (): void => {
    while (!socket.destroyed && socket.write(chunk));
  };
  socket.on('drain', pour).write(head);
  pour();
  const answered = new Promise<string>((resolve) => {
    socket.once('data', (answer) => resolve(answer.toString('latin1').slice(0, 'HTTP/1.1 413'.length)));
    socket.once('close', () => resolve(''));
  });
  return answered.finally(() => socket.destroy());
}

/** A stream whose first event has come. */
async function openStream({ baseUrl, apiKey }: Address, runId: string): Promise<IncomingMessage> {
  const headers = { authorization: `Bearer ${apiKey}`, accept: 'text/event-stream' };
  const request = get(`${baseUrl}/v1/runs/${runId}/events`, { headers, agent: false });
  request.on('error', () => undefined);
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  expect(response.statusCode).toBe(200);
  const [first] = (await once(response, 'data')) as [Buffer];
  expect(first.toString('utf8')).toContain('event: run.started');
  response.on('error', () => undefined).resume();
  return response;
}

async function openStreams(address: Address, runId: string): Promise<readonly IncomingMessage[]> {
  const streams: IncomingMessage[] = [];
  while (streams.length < STREAMS) {
    streams.push(...(await Promise.all(Array.from({ length: AT_ONCE }, () => openStream(address, runId)))));
  }
  return streams;
}

/** Resolves when a connection is gone, whether it was ended or cut off, now or before. */
function closing(connection: Socket | IncomingMessage): Promise<void> {
  return new Promise((resolve) => {
    if (connection.closed) resolve();
    else connection.once('close', () => resolve());
  });
}

async function wholeLog({ baseUrl, apiKey }: Address, runId: string): Promise<string> {
  const headers = { authorization: `Bearer ${apiKey}` };
  return (await fetch(`${baseUrl}/v1/runs/${runId}/events`, { headers })).text();
}

async function statusOf({ baseUrl, apiKey }: Address, runId: string): Promise<unknown> {
  const answer = await fetch(`${baseUrl}/v1/runs/${runId}`, { headers: { authorization: `Bearer ${apiKey}` } });
  return ((await answer.json()) as { readonly status?: unknown }).status;
}

describe('serve, with 200 slow clients, 500 open streams and bodies without end', () => {
  it('serves all others, ends them all on SIGTERM, and leaves its data file whole', async () => {
    await withTemporaryDirectory(async (directory) => {
      const data = join(directory, 'host.db');
      const { serve, address } = await started(data);
      try {
        const waiting = await createRun(address, WAITING);
        const slow = await Promise.all(Array.from({ length: SLOW }, (_, index) => slowSocket(address, index)));
        const streams = await openStreams(address, waiting);
        const run = await createRun(address, 'conformance-noop');
        expect(await wholeLog(address, run)).toContain('event: run.completed');
        const bodies = await Promise.all(Array.from({ length: BODIES }, () => endlessBody(address)));
        expect(bodies.filter((status) => status !== '' && status !== 'HTTP/1.1 413')).toEqual([]);
        expect(slow.filter((socket) => socket.destroyed && !told.has(socket))).toEqual([]);
        expect(streams.filter((stream) => stream.destroyed)).toEqual([]);

        const closed = Promise.all([...slow, ...streams].map(closing));
        serve.signal('SIGTERM');
        expect(await serve.ended).toMatchObject({ exitCode: 0, stderr: '' });
        await closed;

        const again = await started(data);
        expect(await statusOf(again.address, run)).toBe('completed');
        expect(await statusOf(again.address, waiting)).toBe('waiting-approval');
        again.serve.signal('SIGTERM');
        expect(await again.serve.ended).toMatchObject({ exitCode: 0, stderr: '' });
      } finally {
        serve.signal('SIGKILL');
      }
    });
  });
});
