import { connect } from 'node:net';
import { once as happened } from 'node:events';
import { describe, expect, it } from 'vitest';
import { closedAfterEach } from '../../test/closing.ts';
import { stringMember } from '../json.ts';
import { testClient } from '../../test/reference-client.ts';
import { CannotListen, listen } from './listen.ts';

const opened = closedAfterEach();

async function served(): Promise<string> {
  return opened(await listen(testClient().host)).baseUrl;
}

const authorization = 'Bearer key-a';

describe('listen', () => {
  it('serves the host on a free loopback port', async () => {
    const baseUrl = await served();
    expect(baseUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect((await fetch(`${baseUrl}/.well-known/openwop`)).status).toBe(200);
  });

  it('runs a workflow and streams it', async () => {
    const baseUrl = await served();
    const body = '{"workflowId":"conformance-noop"}';
    const created = await fetch(`${baseUrl}/v1/runs`, { method: 'POST', headers: { authorization }, body });
    const url = stringMember(await created.json(), 'eventsUrl') ?? '';
    const stream = await fetch(baseUrl + url, { headers: { authorization } });
    expect(await stream.text()).toContain('event: run.completed');
  });

  it('answers 413 to a large body, with and without a declared length', async () => {
    const baseUrl = await served();
    const large = 'x'.repeat(2_000_000);
    const declared = await fetch(`${baseUrl}/v1/runs`, { method: 'POST', headers: { authorization }, body: large });
    expect(declared.status).toBe(413);
    const body = new Blob([large]).stream();
    const init = { method: 'POST', headers: { authorization }, body, duplex: 'half' as const };
    expect((await fetch(`${baseUrl}/v1/runs`, init)).status).toBe(413);
    expect((await fetch(`${baseUrl}/.well-known/openwop`)).status).toBe(200);
  });

  it.each([
    ['no HTTP', 'hello\r\n\r\n'],
    ['no host', 'GET / HTTP/1.1\r\n\r\n'],
    ['an impossible host', 'GET / HTTP/1.1\r\nHost: a b\r\nConnection: close\r\n\r\n'],
    ['an impossible target', 'GET //[ HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'],
    ['a body that ends early', 'POST /v1/runs HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\nConnection: close\r\n\r\n{'],
  ])('survives a client that sends %s', async (_, text) => {
    const baseUrl = await served();
    const socket = connect(Number(new URL(baseUrl).port), '127.0.0.1');
    socket.on('error', () => undefined);
    socket.end(text);
    socket.resume();
    await happened(socket, 'close');
    expect((await fetch(`${baseUrl}/.well-known/openwop`)).status).toBe(200);
  });

  it('rejects with CannotListen where the port is taken', async () => {
    const port = Number(new URL(await served()).port);
    await expect(listen(testClient().host, { port })).rejects.toThrow(CannotListen);
  });

  it('ends streams and idle connections when it closes', async () => {
    const client = testClient({ parts: { eventOnWire: (event) => ({ sequence: event.sequence }) } });
    const listening = await listen({
      fetch: (request) =>
        request.url.endsWith('/endless') ? new Response(new ReadableStream({})) : client.host.fetch(request),
    });
    await fetch(`${listening.baseUrl}/.well-known/openwop`);
    const stream = await fetch(`${listening.baseUrl}/endless`);
    const ended = stream.text().then(
      () => 'complete',
      () => 'cut off',
    );
    await listening.close();
    expect(await ended).toBe('cut off');
  });
});
