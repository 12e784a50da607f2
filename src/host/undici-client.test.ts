import { createHash } from 'node:crypto';
import type { Socket } from 'node:net';
import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { closedAfterEach } from '../../test/closing.ts';
import { sendJson, serveHttp, serveRaw, type LocalServer, type Received } from '../../test/local-server.ts';
import { createRecorder } from '../evidence/recorder.ts';
import { createRedactor } from '../evidence/redact.ts';
import type { Exchange, HandleOptions, HostClient, Limits, StreamReader } from './client.ts';
import { INTERIM } from './deadline.ts';
import { createHostClient } from './undici-client.ts';

const CREDENTIAL = 'credential-of-this-run';
const opened = closedAfterEach();

function recorder() {
  return createRecorder(createRedactor([CREDENTIAL]));
}

function client(limits: Partial<Limits> = {}, evidence = recorder(), concurrency = 8): HostClient {
  const all = { timeoutMs: 30_000, maxBodyBytes: 100_000, maxLogBytes: 100_000, maxHeaderBytes: 16_384, ...limits };
  return opened(createHostClient(all, evidence, concurrency));
}

function to(server: { readonly baseUrl: string }, more: Partial<HandleOptions> = {}): HandleOptions {
  const signal = new AbortController().signal;
  return { baseUrl: server.baseUrl, credential: CREDENTIAL, variable: 'KEY', scenario: 's', signal, ...more };
}

async function http(answer: (received: Received, response: ServerResponse) => void): Promise<LocalServer> {
  return opened(await serveHttp(answer));
}

async function raw(connected: (socket: Socket) => void): Promise<LocalServer> {
  return opened(await serveRaw(connected));
}

function get(server: LocalServer, limits: Partial<Limits> = {}): Promise<Exchange> {
  return client(limits).handle(to(server)).exchange({ method: 'GET', path: '/a' });
}

function post(server: LocalServer): Promise<Exchange> {
  return client().handle(to(server)).exchange({ method: 'POST', path: '/a', body: '{}' });
}

function stream(server: LocalServer, reader: StreamReader, limits: Partial<Limits> = {}): Promise<Exchange> {
  return client(limits).handle(to(server)).stream({ method: 'GET', path: '/a' }, reader);
}

function body(text: string | Buffer, type = 'application/json'): Promise<LocalServer> {
  return http((_, response) => response.writeHead(200, { 'content-type': type }).end(text));
}

async function resetting(): Promise<{ readonly server: LocalServer; readonly attempts: () => number }> {
  let attempts = 0;
  const server = await raw((socket) => {
    socket.once('data', () => {
      attempts += 1;
      socket.resetAndDestroy();
    });
  });
  return { server, attempts: () => attempts };
}

function busy(times: number, header: () => string, status = 429) {
  let asked = 0;
  const server = http((_, response) => {
    asked += 1;
    if (asked > times) return sendJson(response, { asked });
    response.writeHead(status, { 'retry-after': header() }).end();
  });
  return { server, asked: () => asked };
}

describe('requests', () => {
  it('carry the credential, the body and lower-case headers, below the base URL', async () => {
    let seen: Received | undefined;
    const server = await http((received, response) => {
      seen = received;
      sendJson(response, {});
    });
    const handle = client().handle(to({ baseUrl: `${server.baseUrl}/base/` }));
    await handle.exchange({ method: 'POST', path: '/a', body: '{"é":1}', headers: { 'X-Trace': 't' } });
    expect(seen).toMatchObject({
      method: 'POST',
      url: '/base/a',
      body: '{"é":1}',
      headers: { authorization: `Bearer ${CREDENTIAL}`, 'content-type': 'application/json', 'x-trace': 't' },
    });
  });

  it('carry bytes that are no text, whose length and digest the evidence keeps', async () => {
    const lengths: (string | undefined)[] = [];
    const server = await http((received, response) => {
      lengths.push(received.headers['content-length']);
      sendJson(response, {});
    });
    const evidence = recorder();
    const bytes = Uint8Array.of(0x22, 0xff, 0x22);
    await client({}, evidence).handle(to(server)).exchange({ method: 'POST', path: '/a', bytes });
    expect(lengths).toEqual(['3']);
    const [record] = evidence.records;
    if (record?.kind !== 'exchange') throw new TypeError('the exchange is recorded');
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    expect(record.request.body).toMatchObject({ text: '"\ufffd"', bytes: 3, sha256 });
  });

  it('are without a credential when anonymous, and when there is none', async () => {
    const seen: (string | undefined)[] = [];
    const server = await http((received, response) => {
      seen.push(received.headers.authorization);
      sendJson(response, {});
    });
    await client().handle(to(server)).exchange({ method: 'GET', path: '/a', anonymous: true });
    await client()
      .handle(to(server, { credential: undefined }))
      .exchange({ method: 'GET', path: '/a' });
    expect(seen).toEqual([undefined, undefined]);
  });

  it('leave no credential in the evidence, though the host echoes it everywhere', async () => {
    const server = await http((received, response) => {
      const echo = received.headers.authorization ?? '';
      response
        .writeHead(200, { 'x-echo': echo })
        .end(JSON.stringify({ echo, in: Buffer.from(echo).toString('base64') }));
    });
    const evidence = recorder();
    const exchange = await client({}, evidence).handle(to(server)).exchange({ method: 'GET', path: '/a' });
    expect(exchange).toMatchObject({ kind: 'response', text: expect.stringContaining(CREDENTIAL) as string });
    const written = JSON.stringify(evidence.records);
    expect(written).not.toContain(CREDENTIAL);
    expect(written).not.toContain(Buffer.from(CREDENTIAL).toString('base64').slice(4, 20));
    expect(written).toContain('Bearer $KEY');
  });

  it('are never redirected, so the other origin is never asked', async () => {
    let asked = 0;
    const other = await http((_, response) => {
      asked += 1;
      sendJson(response, {});
    });
    const server = await http((_, response) => response.writeHead(302, { location: `${other.baseUrl}/b` }).end());
    expect(await get(server)).toMatchObject({ kind: 'response', status: 302 });
    expect(asked).toBe(0);
  });

  it('refuse a path that could name another origin: our own bug, so an exception', async () => {
    const handle = client().handle(to({ baseUrl: 'http://127.0.0.1:1' }));
    await expect(handle.exchange({ method: 'GET', path: '.evil.example/' })).rejects.toThrow(/must begin with/u);
  });
});

describe('bodies', () => {
  it('are read as JSON', async () => {
    expect(await get(await body('{"a":[1]}'))).toMatchObject({ json: { ok: true, value: { a: [1] } } });
  });

  it.each([
    ['nothing', '', 'empty'],
    ['half a document', '{"a":', 'malformed-json'],
    ['bytes that are no UTF-8', Buffer.from([0x22, 0xff, 0xfe, 0x22]), 'invalid-utf8'],
    ['a deep document', '['.repeat(90_000), 'too-deep'],
  ] as const)('that are %s are an observation', async (_, text, why) => {
    expect(await get(await body(text))).toMatchObject({ kind: 'response', status: 200, json: { ok: false, why } });
  });

  it('keep __proto__ as a member and poison nothing', async () => {
    const exchange = await get(await body('{"__proto__":{"polluted":true},"constructor":1}'));
    const value = exchange.kind === 'response' && exchange.json.ok ? exchange.json.value : undefined;
    expect(Object.keys(value ?? {})).toEqual(['__proto__', 'constructor']);
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
  });

  it('are read whatever their content type, which is kept', async () => {
    const exchange = await get(await body('{}', 'text/plain'));
    expect(exchange).toMatchObject({ headers: { 'content-type': 'text/plain' }, json: { ok: true } });
  });

  it('over the limit are a failure, declared or not', async () => {
    const declared = await body('x'.repeat(100_001));
    const chunked = await http((_, response) => {
      response.write('x'.repeat(60_000));
      response.end('x'.repeat(60_000));
    });
    expect(await get(declared)).toMatchObject({ kind: 'failure', reason: 'body-too-large' });
    expect(await get(chunked)).toMatchObject({ kind: 'failure', reason: 'body-too-large' });
    expect(await get(await body('x'.repeat(100_000)))).toMatchObject({ kind: 'response' });
  });

  it('that come encoded are a failure, read whole or as a stream', async () => {
    const server = await http((_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream', 'content-encoding': 'gzip' });
      response.end(gzipSync('data: {}\n\n'));
    });
    const told: unknown[] = [];
    const reader: StreamReader = { head: (status) => (told.push(status), 'read'), text: () => 'more' };
    const failed = {
      kind: 'failure',
      reason: 'encoded',
      message: expect.stringMatching(/^the answer 200 .*"gzip"/u) as string,
    };
    expect(await get(server)).toMatchObject(failed);
    expect(await stream(server, reader)).toMatchObject(failed);
    expect(told).toEqual([]);
  });

  it('without an end are a failure', async () => {
    const server = await http((_, response) => {
      const pump = (): void => {
        while (response.write('x'.repeat(16_384)) && !response.destroyed);
        response.once('drain', pump);
      };
      pump();
    });
    expect(await get(server)).toMatchObject({ kind: 'failure', reason: 'body-too-large' });
  });

  it('that come a byte at a time end with the time-out', async () => {
    const server = await http((_, response) => {
      const timer = setInterval(() => response.write(' '), 5);
      response.on('close', () => clearInterval(timer));
    });
    expect(await get(server, { timeoutMs: 150 })).toMatchObject({ kind: 'failure', reason: 'timeout' });
  });

  it('that end before their declared length are a failure', async () => {
    const server = await raw((socket) => {
      socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nabc'));
    });
    expect(await get(server)).toMatchObject({ kind: 'failure', reason: 'reset' });
  });
});

describe('heads', () => {
  it('without an end are a failure', async () => {
    const server = await raw((socket) => {
      socket.once('data', () => {
        socket.write('HTTP/1.1 200 OK\r\n');
        const pump = (): void => {
          while (socket.write(`x-${'a'.repeat(1000)}: b\r\n`) && !socket.destroyed);
          socket.once('drain', pump);
        };
        pump();
      });
    });
    expect(await get(server)).toMatchObject({ kind: 'failure', reason: 'headers-too-large' });
  });

  it('that never come end with the time-out', async () => {
    const server = await raw(() => undefined);
    expect(await get(server, { timeoutMs: 100 })).toMatchObject({ kind: 'failure', reason: 'timeout' });
  });

  it('that are no HTTP are a failure', async () => {
    const server = await raw((socket) => socket.once('data', () => socket.end('SSH-2.0-x\r\n')));
    expect(await get(server)).toMatchObject({ kind: 'failure', reason: 'protocol' });
  });

  it('behind an interim 100 that nobody asked for are a failure that says so', async () => {
    const server = await raw((socket) =>
      socket.once('data', () => socket.end('HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n')),
    );
    expect(await get(server)).toMatchObject({ kind: 'failure', message: INTERIM });
  });

  it('with repeated and odd names are kept safely', async () => {
    const server = await raw((socket) => {
      socket.once('data', () =>
        socket.end('HTTP/1.1 200 OK\r\n__proto__: a\r\nX-A: 1\r\nx-a: 2\r\ncontent-length: 2\r\n\r\n{}'),
      );
    });
    const exchange = await get(server);
    expect(exchange).toMatchObject({ kind: 'response', headers: { 'x-a': '1, 2' } });
    expect(Object.hasOwn(Object.prototype, 'a')).toBe(false);
  });
});

describe('connections', () => {
  it('that are reset are tried once more for a request without a side effect', async () => {
    const { server, attempts } = await resetting();
    expect(await get(server)).toMatchObject({ kind: 'failure', reason: 'reset' });
    expect(attempts()).toBe(2);
  });

  it('that are reset are tried once more for a POST that says so, and not for others', async () => {
    const { server, attempts } = await resetting();
    const handle = client().handle(to(server));
    await handle.exchange({ method: 'POST', path: '/a', body: '{}' });
    expect(attempts()).toBe(1);
    await handle.exchange({ method: 'POST', path: '/a', body: '{}', repeatable: true });
    expect(attempts()).toBe(3);
  });

  it('record each attempt', async () => {
    const { server } = await resetting();
    const evidence = recorder();
    const exchange = await client({}, evidence).handle(to(server)).exchange({ method: 'GET', path: '/a' });
    expect(evidence.records.map((record) => record.kind === 'exchange' && record.id)).toEqual(['x1', 'x2']);
    expect(exchange.id).toBe('x2');
  });

  it('that are refused are a failure', async () => {
    const server = await serveRaw(() => undefined);
    await server.close();
    expect(await get(server)).toMatchObject({ kind: 'failure', reason: 'refused' });
  });

  it('end when the scenario is stopped, before or during a request', async () => {
    const server = await raw(() => undefined);
    const controller = new AbortController();
    const handle = client().handle(to(server, { signal: controller.signal }));
    const under = handle.exchange({ method: 'GET', path: '/a' });
    controller.abort();
    expect(await under).toMatchObject({ kind: 'failure', reason: 'aborted' });
    expect(await handle.exchange({ method: 'GET', path: '/a' })).toMatchObject({ reason: 'aborted' });
  });

  it('are never more at once than allowed', async () => {
    let now = 0;
    let most = 0;
    const server = await http((_, response) => {
      now += 1;
      most = Math.max(most, now);
      setTimeout(() => {
        now -= 1;
        sendJson(response, {});
      }, 10);
    });
    const handle = client({}, recorder(), 3).handle(to(server));
    await Promise.all(Array.from({ length: 20 }, () => handle.exchange({ method: 'GET', path: '/a' })));
    expect(most).toBe(3);
  });
});

describe('Retry-After', () => {
  it.each([429, 503])('of a %i is honoured, in seconds', async (status) => {
    const host = busy(1, () => '0', status);
    expect(await get(await host.server)).toMatchObject({ status: 200, json: { value: { asked: 2 } } });
  });

  it('is honoured as a date, for a POST too', async () => {
    const host = busy(1, () => new Date(Date.now() - 1000).toUTCString());
    expect(await post(await host.server)).toMatchObject({ status: 200 });
  });

  it('leaves open whether what a 503 put off was carried out; a 429 turned it away', async () => {
    expect(await get(await busy(1, () => '0', 503).server)).toMatchObject({ again: true });
    expect(await get(await busy(1, () => '0').server)).not.toHaveProperty('again');
    expect(await get(await busy(0, () => '0').server)).not.toHaveProperty('again');
  });

  it('is honoured by a stream as well, whose reader is told of the last answer only', async () => {
    const host = busy(2, () => '0');
    const heads: number[] = [];
    const chunks: string[] = [];
    const exchange = await stream(await host.server, {
      head: (status) => (heads.push(status), 'read'),
      text: (chunk) => (chunks.push(chunk), 'more'),
    });
    expect(exchange).toMatchObject({ status: 200 });
    expect([heads, chunks.join('')]).toEqual([[200], '{"asked":3}']);
  });

  it.each(['60', new Date(Date.now() + 600_000).toUTCString()])(
    'beyond the time-out is not waited for: %s',
    async (at) => {
      const host = busy(9, () => at);
      expect(await get(await host.server)).toMatchObject({ status: 429 });
      expect(host.asked()).toBe(1);
    },
  );

  it('that cannot be read, or comes with another status, is not waited for', async () => {
    const unreadable = busy(9, () => 'soon', 503);
    expect(await post(await unreadable.server)).toMatchObject({ status: 503 });
    const wrong = busy(9, () => '0', 500);
    expect(await get(await wrong.server)).toMatchObject({ status: 500 });
    expect([unreadable.asked(), wrong.asked()]).toEqual([1, 1]);
  });

  it('need not come with a 429: what was turned away is sent again, a POST too', async () => {
    const host = busy(2, () => 'soon');
    expect(await post(await host.server)).toMatchObject({ status: 200 });
  });

  it.each([502, 503, 504])('need not come with a %i to a reading, which is asked for again', async (status) => {
    expect(await get(await busy(2, () => '', status).server)).toMatchObject({ status: 200 });
  });

  it('that a gateway leaves out for ever, or that is 0 for ever, floods neither the host nor the evidence', async () => {
    const [gateway, zero] = [busy(1_000_000, () => '', 504), busy(1_000_000, () => '0')];
    // They wait side by side.
    const answers = [get(await gateway.server), get(await zero.server, { timeoutMs: 3000 })];
    expect(await Promise.all(answers)).toMatchObject([{ status: 504 }, { status: 429 }]);
    expect(gateway.asked()).toBe(7);
    expect(zero.asked()).toBeLessThan(12);
    expect(zero.asked()).toBeGreaterThan(1);
  });

  it('is not waited for any more where one caller is always put off, while others are taken', async () => {
    const asked = { first: 0, second: 0 };
    const server = await http(({ headers }, response) => {
      const isSecond = headers.authorization === 'Bearer second-key';
      asked[isSecond ? 'second' : 'first'] += 1;
      if (!isSecond) return sendJson(response, {});
      // Every third answer puts off beyond what any request may take.
      response.writeHead(429, { 'retry-after': asked.second % 3 === 0 ? '3600' : '0' }).end();
    });
    const both = client();
    const [first, second] = ['first-key', 'second-key'].map((credential) => both.handle(to(server, { credential })));
    const ask = (handle = first) => handle?.exchange({ method: 'GET', path: '/a' });
    for (let request = 0; request < 3; request += 1) {
      await ask(second);
      expect(await ask()).toMatchObject({ status: 200 });
    }
    expect(asked.second).toBe(9);
    for (let request = 0; request < 5; request += 1) expect(await ask(second)).toMatchObject({ status: 429 });
    expect(asked.second).toBe(14);
  });

  it('ends early when the scenario is stopped', async () => {
    const controller = new AbortController();
    const server = await http((_, response) => {
      response.writeHead(503, { 'retry-after': '3' }).end();
      setTimeout(() => controller.abort(), 20);
    });
    const handle = client().handle(to(server, { signal: controller.signal }));
    expect(await handle.exchange({ method: 'GET', path: '/a' })).toMatchObject({ status: 503 });
  });
});

describe('streams', () => {
  it('hand on text as it comes, cut characters whole, until the reader is done', async () => {
    const server = await http((_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const bytes = Buffer.from('é-one');
      response.write(bytes.subarray(0, 1));
      setTimeout(() => response.write(bytes.subarray(1)), 10);
    });
    let text = '';
    const exchange = await stream(server, {
      head: (status) => (status === 200 ? 'read' : 'stop'),
      text: (chunk) => {
        text += chunk;
        return text.endsWith('one') ? 'done' : 'more';
      },
    });
    expect(text).toBe('é-one');
    expect(exchange).toMatchObject({ kind: 'response', text: 'é-one' });
    expect(exchange).not.toHaveProperty('cut');
  });

  it('that never end keep what came until the time-out, and say so', async () => {
    const server = await http((_, response) => void response.writeHead(200).write('part'));
    const exchange = await stream(server, { head: () => 'read', text: () => 'more' }, { timeoutMs: 2_000 });
    expect(exchange).toMatchObject({ kind: 'response', text: 'part', cut: true });
  });

  it('that are refused are no answer where the refusal is cut off', async () => {
    const server = await http((_, response) => {
      response.writeHead(400, { 'content-type': 'application/json', 'content-length': '100' }).write('{"error":');
      setTimeout(() => response.destroy(), 10);
    });
    const exchange = await stream(server, { head: () => 'read', text: () => 'more' });
    expect(exchange).toMatchObject({ kind: 'failure', reason: 'reset' });
  });

  it('may be stopped at the head', async () => {
    const server = await http((_, response) => void response.writeHead(404).write('part'));
    const exchange = await stream(server, { head: () => 'stop', text: () => 'more' });
    expect(exchange).toMatchObject({ kind: 'response', status: 404, text: '' });
  });

  it('may be stopped at the head of a whole answer, and nothing is thrown afterwards', async () => {
    const server = await http((_, response) => void response.writeHead(406).end('{"error":"not_acceptable"}'));
    const handle = client().handle(to(server));
    const stopped: StreamReader = { head: () => 'stop', text: () => 'more' };
    expect(await handle.stream({ method: 'GET', path: '/a' }, stopped)).toMatchObject({ status: 406 });
    expect(await handle.stream({ method: 'GET', path: '/a' }, stopped)).toMatchObject({ status: 406 });
  });
});
