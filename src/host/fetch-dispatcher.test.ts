import { brotliCompressSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { closedAfterEach } from '../../test/closing.ts';
import { createRecorder } from '../evidence/recorder.ts';
import { createRedactor } from '../evidence/redact.ts';
import type { HostHandle, Limits } from './client.ts';
import type { FetchHandler } from './fetch-dispatcher.ts';
import { createHostClient } from './undici-client.ts';

const BASE_URL = 'http://host.invalid/base';
const opened = closedAfterEach();

/** A handle of a host in this process, and what ends its scenario. */
function handleOf(fetch: FetchHandler, limits: Partial<Limits> = {}): { handle: HostHandle; end: () => void } {
  const all = { timeoutMs: 30_000, maxBodyBytes: 1_000, maxLogBytes: 1_000, maxHeaderBytes: 16_384, ...limits };
  const client = opened(createHostClient(all, createRecorder(createRedactor([])), 4, new Map([[BASE_URL, fetch]])));
  const controller = new AbortController();
  const options = { baseUrl: BASE_URL, credential: 'key-of-this-run', variable: 'KEY', scenario: 's' };
  return { handle: client.handle({ ...options, signal: controller.signal }), end: () => controller.abort() };
}

const GET = { method: 'GET', path: '/a?b=c' } as const;

describe('a host in this process', () => {
  it('gets the request as a server does', async () => {
    let seen: Request | undefined;
    let text: string | undefined;
    const { handle } = handleOf(async (request) => {
      seen = request;
      text = await request.text();
      return Response.json({ done: true }, { status: 201, headers: { 'x-mine': '1' } });
    });
    const answer = await handle.exchange({ method: 'POST', path: '/a', body: '{"é":1}', headers: { 'X-Trace': 't' } });
    expect(answer).toMatchObject({ kind: 'response', status: 201, headers: { 'x-mine': '1' }, text: '{"done":true}' });
    expect([seen?.method, seen?.url, text]).toEqual(['POST', `${BASE_URL}/a`, '{"é":1}']);
    expect(Object.fromEntries(seen?.headers ?? [])).toMatchObject({
      authorization: 'Bearer key-of-this-run',
      'content-type': 'application/json',
      'x-trace': 't',
    });
  });

  it('may answer with nothing, and with a redirect, which is not followed', async () => {
    const none = handleOf(() => new Response(null, { status: 204 }));
    expect(await none.handle.exchange(GET)).toMatchObject({ kind: 'response', status: 204, text: '' });
    const elsewhere = handleOf(() => Response.redirect('http://other.invalid/', 302));
    expect(await elsewhere.handle.exchange(GET)).toMatchObject({ kind: 'response', status: 302 });
  });

  it('that answers with a body of an encoding gives none that is read', async () => {
    const headers = { 'content-encoding': 'br' };
    const { handle } = handleOf(() => new Response(new Uint8Array(brotliCompressSync('{}')), { headers }));
    expect(await handle.exchange(GET)).toMatchObject({ kind: 'failure', reason: 'encoded' });
    const plain = handleOf(() => Response.json({}, { headers: { 'content-encoding': 'identity' } }));
    expect(await plain.handle.exchange(GET)).toMatchObject({ kind: 'response', json: { ok: true } });
  });

  it('that throws is a connection that broke off, and is asked once more for what may be repeated', async () => {
    let asked = 0;
    const { handle } = handleOf(() => {
      asked += 1;
      throw new Error('out of order');
    });
    expect(await handle.exchange(GET)).toMatchObject({ kind: 'failure', reason: 'reset', message: 'out of order' });
    expect(await handle.exchange({ method: 'POST', path: '/a' })).toMatchObject({ kind: 'failure', reason: 'reset' });
    expect(asked).toBe(3);
    const odd = handleOf(() => Promise.reject(Object.create(null) as Error));
    expect(await odd.handle.exchange(GET)).toMatchObject({ kind: 'failure', reason: 'reset' });
  });

  it('that never answers is left when the time is over, and is told', async () => {
    let told: Promise<unknown> | undefined;
    const { handle } = handleOf(
      ({ signal }) => {
        told = new Promise((resolve) => signal.addEventListener('abort', resolve));
        return new Promise(() => undefined);
      },
      { timeoutMs: 20 },
    );
    expect(await handle.exchange(GET)).toMatchObject({ kind: 'failure', reason: 'timeout' });
    await told;
  });

  it.each<[answer: unknown, reason: string, message: string]>([
    [
      Response.error(),
      'protocol',
      "the target's fetch returned a network error (Response.error()) or an opaque Response",
    ],
    [{ status: 101, headers: new Headers(), body: null }, 'protocol', "the target's fetch returned only status 101"],
    ...[
      undefined,
      null,
      'text',
      {},
      new Map(),
      { status: 200, headers: {} },
      { status: '200', headers: {}, body: null },
    ].map((other): [unknown, string, string] => [other, 'protocol', "the target's fetch returned no Response"]),
    [
      new Response(new ReadableStream<never>({ start: (body) => body.enqueue('text' as never) })),
      'protocol',
      'a body that is not of bytes',
    ],
  ])('whose answer is none is a failure that says so: %o', async (answer, reason, message) => {
    const { handle } = handleOf(() => answer as Response);
    expect(await handle.exchange({ method: 'POST', path: '/a' })).toMatchObject({
      kind: 'failure',
      reason,
      message: expect.stringContaining(message),
    });
  });

  it('that sends nothing without end is left when the time is over', async () => {
    const { handle } = handleOf(
      () => new Response(new ReadableStream({ pull: (body) => body.enqueue(new Uint8Array(0)) })),
      { timeoutMs: 20 },
    );
    expect(await handle.exchange(GET)).toMatchObject({ kind: 'failure', reason: 'timeout' });
  });

  it('is read no further than the bound, and its body is cancelled', async () => {
    let cancelled = false;
    const endless = (): Response =>
      new Response(
        new ReadableStream({
          pull: (controller) => controller.enqueue(new Uint8Array(400)),
          cancel: () => {
            cancelled = true;
          },
        }),
      );
    const { handle } = handleOf(endless);
    expect(await handle.exchange(GET)).toMatchObject({ kind: 'failure', reason: 'body-too-large' });
    expect(cancelled).toBe(true);
  });

  it('streams, until its reader has read enough', async () => {
    const { handle } = handleOf(
      () =>
        new Response(
          new ReadableStream({
            start: (controller) => controller.enqueue(new TextEncoder().encode('data: 1\n\n')),
          }),
          { headers: { 'content-type': 'text/event-stream' } },
        ),
    );
    const texts: string[] = [];
    const answer = await handle.stream(GET, {
      head: () => 'read',
      text: (chunk) => {
        texts.push(chunk);
        return 'done';
      },
    });
    expect(answer).toMatchObject({ kind: 'response', status: 200 });
    expect(texts).toEqual(['data: 1\n\n']);
  });

  it('is left when its scenario ends', async () => {
    const { handle, end } = handleOf(() => new Promise(() => undefined));
    const answer = handle.exchange(GET);
    setImmediate(end);
    expect(await answer).toMatchObject({ kind: 'failure', reason: 'aborted' });
  });
});
