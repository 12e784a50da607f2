import { connect, createServer } from 'node:net';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { closedAfterEach } from '../../test/closing.ts';
import type { Witness } from '../evidence/witness.ts';
import { openWitness, type WitnessOptions } from './index.ts';

const opened = closedAfterEach();

async function open(options: Partial<WitnessOptions> = {}): Promise<Witness> {
  const result = await openWitness({ hostname: '127.0.0.1', port: 0, ...options });
  if (!result.ok) throw new Error(result.reason);
  return opened(result).witness;
}

const post = (url: string, body: string, headers: Readonly<Record<string, string>> = {}) =>
  fetch(url, { method: 'POST', body, headers: { 'content-type': 'application/json', ...headers } });

async function nonceOf(response: Response): Promise<unknown> {
  expect(response.status).toBe(200);
  return ((await response.json()) as { nonce: unknown }).nonce;
}

describe('the address', () => {
  it('is the listening one where none is given', async () => {
    expect((await open()).baseUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/u);
  });

  it('is in brackets for IPv6', async () => {
    expect((await open({ hostname: '::1' })).baseUrl).toMatch(/^http:\/\/\[::1\]:\d+$/u);
  });

  it('is the given one, and a proxy may leave its path in or take it out', async () => {
    const port = await freePort();
    const witness = await open({ port, url: 'https://tunnel.example/a/b' });
    const { url } = witness.visit();
    expect(url).toMatch(/^https:\/\/tunnel\.example\/a\/b\/w\/[\da-f]{32}$/u);
    const path = new URL(url).pathname;
    for (const tried of [path, path.replace('/a/b', '')]) {
      expect((await fetch(`http://127.0.0.1:${port}${tried}/effects/e`)).status).toBe(200);
    }
  });

  it('that is in use is refused with a reason', async () => {
    const { baseUrl } = await open();
    const again = await openWitness({ hostname: '127.0.0.1', port: Number(new URL(baseUrl).port) });
    expect(again).toEqual({ ok: false, reason: expect.stringContaining('EADDRINUSE') as string });
  });
});

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new TypeError('no port');
  return address.port;
}

const KEY = 'aetheris:run-1:charge:1';

describe('effects', () => {
  it('answer what was staged for their name, which may be empty', async () => {
    const visit = (await open()).visit();
    const ask = async (name: string): Promise<unknown> => (await fetch(`${visit.url}/effects/${name}`)).json();
    for (const value of [null, {}, '', false, 0, []]) {
      visit.stageEffect('pay', value);
      expect(await ask('pay')).toEqual(value);
      expect(visit.calls().at(-1)).toMatchObject({ kind: 'effect', name: 'pay', answer: value });
    }
    expect(await ask('mail')).toMatchObject({ count: 1 });
    visit.stageEffect('pay', undefined);
    expect(await ask('pay')).toMatchObject({ count: 7 });
  });

  it('give a fresh nonce and the count of their name, and are recorded', async () => {
    const visit = (await open()).visit();
    const first = await post(`${visit.url}/effects/pay`, '{"amount":1}', { 'idempotency-key': 'k-1' });
    const second = await fetch(`${visit.url}/effects/pay`);
    const other = await fetch(`${visit.url}/effects/mail`);
    const answers = [await first.json(), await second.json(), await other.json()] as { nonce: string; count: number }[];
    expect(answers.map(({ count }) => count)).toEqual([1, 2, 1]);
    expect(new Set(answers.map(({ nonce }) => nonce)).size).toBe(3);
    expect(visit.calls()).toEqual([
      { kind: 'effect', name: 'pay', method: 'POST', idempotencyKey: 'k-1', body: { amount: 1 }, answer: answers[0] },
      { kind: 'effect', name: 'pay', method: 'GET', idempotencyKey: null, body: null, answer: answers[1] },
      { kind: 'effect', name: 'mail', method: 'GET', idempotencyKey: null, body: null, answer: answers[2] },
    ]);
  });

  it.each<readonly [string, string, string, Record<string, string>]>([
    ['another header', '', '{}', { 'x-idempotency-key': KEY }],
    ['their header as a structured field', '', '{}', { 'idempotency-key': JSON.stringify(KEY) }],
    ['another header beside a key of another form', '', '{}', { 'idempotency-key': 'k-1', 'x-key': KEY }],
    ['the query', `?key=${encodeURIComponent(KEY)}`, '{}', {}],
    ['the body', '', JSON.stringify({ charge: { keys: [KEY] } }), { 'idempotency-key': 'k-1' }],
  ])('have the key that they carry in %s', async (_, query, body, headers) => {
    const visit = (await open()).visit();
    await post(`${visit.url}/effects/pay${query}`, body, headers);
    expect(visit.calls()).toMatchObject([{ name: 'pay', idempotencyKey: KEY, body: JSON.parse(body) as unknown }]);
  });

  it.each([`x${KEY}`, 'aetheris', `aetheris:${'x'.repeat(2000)}`])('have no key in a body with %j', async (text) => {
    const visit = (await open()).visit();
    await post(`${visit.url}/effects/pay`, JSON.stringify({ text }));
    expect(visit.calls()).toMatchObject([{ idempotencyKey: null }]);
  });

  it('of two visits never mix', async () => {
    const witness = await open();
    const [a, b] = [witness.visit(), witness.visit()];
    await fetch(`${a.url}/effects/x`);
    expect(a.calls()).toHaveLength(1);
    expect(b.calls()).toEqual([]);
    expect(await (await fetch(`${b.url}/effects/x`)).json()).toMatchObject({ count: 1 });
  });

  it.each(['{', '', 'nonsense', `${'['.repeat(300)}${']'.repeat(300)}`, '"\u0000"'])(
    'whose body is %j have the body null',
    async (body) => {
      const visit = (await open()).visit();
      expect(typeof (await nonceOf(await post(`${visit.url}/effects/e`, body)))).toBe('string');
      expect(visit.calls()).toMatchObject([{ body: null }]);
    },
  );

  it.each(['__proto__', 'constructor', 'hasOwnProperty', 'a%2Fb', 'ü'])('may be called %s', async (name) => {
    const visit = (await open()).visit();
    const body = '{"__proto__":{"polluted":1},"constructor":2}';
    await nonceOf(await post(`${visit.url}/effects/${name}`, body));
    expect(visit.calls()[0]?.name).toBe(decodeURIComponent(name));
    expect(JSON.stringify(visit.calls()[0]?.body)).toBe(body);
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
  });

  it('with too large a body are recorded and refused', async () => {
    const visit = (await open()).visit();
    expect((await post(`${visit.url}/effects/e`, `"${'x'.repeat(1024 * 1024)}"`)).status).toBe(413);
    expect(visit.calls()).toMatchObject([{ name: 'e', body: null, answer: { error: { code: 'too_large' } } }]);
  });
});

const turn = async (url: string, name: string, done: string[]): Promise<void> => {
  await nonceOf(await fetch(`${url}/effects/${name}`));
  done.push(name);
};

describe('the order of effects', () => {
  it('is kept for calls that are under way at once', async () => {
    const visit = (await open()).visit();
    visit.answerInOrder(['c', 'b', 'a'], 10_000);
    const done: string[] = [];
    const late = turn(visit.url, 'a', done);
    await expect.poll(() => visit.calls().length).toBe(1);
    const middle = turn(visit.url, 'b', done);
    await expect.poll(() => visit.calls().length).toBe(2);
    expect(visit.calls().map((call) => call.answer)).toEqual([null, null]);
    await Promise.all([late, middle, turn(visit.url, 'c', done)]);
    expect(done).toEqual(['c', 'b', 'a']);
    expect(visit.calls().map((call) => call.name)).toEqual(['a', 'b', 'c']);
  });

  it('does not block a caller that makes one call after the other', async () => {
    const visit = (await open()).visit();
    visit.answerInOrder(['c', 'b', 'a'], 50);
    const done: string[] = [];
    const start = performance.now();
    for (const name of ['a', 'b', 'c']) await turn(visit.url, name, done);
    expect(done).toEqual(['a', 'b', 'c']);
    expect(performance.now() - start).toBeGreaterThanOrEqual(90);
  });

  it('holds back no other name, and nothing after it is replaced', async () => {
    const visit = (await open()).visit();
    visit.answerInOrder(['first', 'second'], 60_000);
    await turn(visit.url, 'stranger', []);
    const waiting = turn(visit.url, 'second', []);
    await expect.poll(() => visit.calls().length).toBe(2);
    visit.answerInOrder([], 0);
    await waiting;
  });

  it('goes on when a caller that is waited for goes away', async () => {
    const visit = (await open()).visit();
    visit.answerInOrder(['first', 'second', 'third'], 60_000);
    const gone = new AbortController();
    const second = fetch(`${visit.url}/effects/second`, { signal: gone.signal }).catch(() => undefined);
    await expect.poll(() => visit.calls().length).toBe(1);
    const third = turn(visit.url, 'third', []);
    gone.abort();
    await second;
    await turn(visit.url, 'first', []);
    await third;
    expect(visit.calls().map((call) => call.name)).toEqual(['second', 'third', 'first']);
  });
});

describe('effects that are held back', () => {
  it('are recorded at once, and answered when they are released', async () => {
    const visit = (await open()).visit();
    const hold = visit.holdEffects('charge');
    const charged = post(`${visit.url}/effects/charge`, '{"amount":1}').then(nonceOf);
    expect(await hold.arrived(1, { timeoutMs: 10_000, signal: new AbortController().signal })).toBe(true);
    await nonceOf(await fetch(`${visit.url}/effects/other`));
    expect(visit.calls()[0]).toMatchObject({ name: 'charge', answer: null });
    hold.release();
    const nonce = await charged;
    expect(visit.calls()[0]?.answer).toMatchObject({ nonce });
  });
});

describe('chat completions that are held back', () => {
  it('are recorded at once, and answered when they are released', async () => {
    const visit = (await open()).visit();
    visit.stageChat([{ kind: 'valid', content: '{}' }]);
    const hold = visit.holdChats();
    const asked = ask(visit.url);
    expect(await hold.arrived(1, { timeoutMs: 10_000, signal: new AbortController().signal })).toBe(true);
    expect(visit.calls()).toMatchObject([{ kind: 'chat', name: 'witness-mini', answer: null }]);
    hold.release();
    expect((await asked).status).toBe(200);
  });
});

describe('effects that fail', () => {
  it('are recorded, and answered with an error, reset or not at all', async () => {
    const visit = (await open()).visit();
    const call = (name: string, signal?: AbortSignal) =>
      fetch(`${visit.url}/effects/${name}`, signal === undefined ? {} : { signal }).then(
        ({ status }) => status,
        () => 'broken off',
      );
    visit.failEffect('error', 'status 500', 60_000);
    visit.failEffect('reset', 'reset', 60_000);
    visit.failEffect('silent', 'silence', 60_000);
    visit.failEffect('brief', 'silence', 1);
    expect(await call('error')).toBe(500);
    expect(await call('reset')).toBe('broken off');
    expect(await call('brief')).toBe('broken off');
    const gone = new AbortController();
    const silent = call('silent', gone.signal);
    await expect.poll(() => visit.calls().length).toBe(4);
    gone.abort();
    expect(await silent).toBe('broken off');
    expect(visit.calls().map(({ name }) => name)).toEqual(['error', 'reset', 'brief', 'silent']);
  });
});

describe('resources', () => {
  it('are what was staged, and are recorded', async () => {
    const visit = (await open()).visit();
    const read = async (id: string): Promise<unknown> => {
      const response = await fetch(`${visit.url}/resources/${id}`);
      return response.status === 200 ? response.json() : response.status;
    };
    visit.stageResource('order/1', { paid: true });
    visit.stageResource('nothing', null);
    expect(await read('order%2F1')).toEqual({ paid: true });
    expect(await read('nothing')).toBeNull();
    expect(await read('__proto__')).toBe(404);
    visit.stageResource('order/1', undefined);
    expect(await read('order%2F1')).toBe(404);
    expect(visit.calls().map(({ kind, name }) => `${kind} ${name}`)).toEqual([
      'resource order/1',
      'resource nothing',
      'resource __proto__',
      'resource order/1',
    ]);
  });
});

const ask = (url: string, more: object = {}) =>
  post(`${url}/v1/chat/completions`, JSON.stringify({ model: 'witness-mini', messages: [], ...more }));

describe('chat completions', () => {
  it('answer what was staged, the last for all further calls', async () => {
    const visit = (await open()).visit();
    visit.stageChat([
      { kind: 'valid', content: '{"valid":true}' },
      { kind: 'refusal', text: 'no' },
    ]);
    const [first, second, third] = [
      await (await ask(visit.url)).json(),
      await (await ask(visit.url)).json(),
      await (await ask(visit.url)).json(),
    ];
    expect(first).toMatchObject({
      id: expect.stringMatching(/^chatcmpl-/u) as string,
      object: 'chat.completion',
      created: expect.any(Number) as number,
      model: 'witness-mini',
      choices: [
        {
          index: 0,
          message: { role: 'assistant', content: '{"valid":true}', refusal: null },
          finish_reason: 'stop',
        },
      ],
      usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
    });
    const refused = { message: { role: 'assistant', content: null, refusal: 'no' }, finish_reason: 'content_filter' };
    expect(second).toMatchObject({ choices: [refused] });
    expect(third).toMatchObject({ choices: [refused] });
    expect(visit.calls()).toMatchObject([
      { kind: 'chat', name: 'witness-mini', method: 'POST', body: { messages: [] }, answer: first },
      { answer: second },
      { answer: third },
    ]);
  });

  it('begin anew when something else is staged, and counting goes on', async () => {
    const visit = (await open()).visit();
    visit.stageChat([{ kind: 'valid', content: 'a' }]);
    await ask(visit.url);
    visit.stageChat([
      { kind: 'valid', content: 'b' },
      { kind: 'valid', content: 'c' },
    ]);
    expect(await (await ask(visit.url)).json()).toMatchObject({ choices: [{ message: { content: 'b' } }] });
    expect(visit.calls()).toHaveLength(2);
  });

  it('say that they were cut off where they are staged so', async () => {
    const visit = (await open()).visit();
    visit.stageChat([{ kind: 'valid', content: '{}', isCut: true }]);
    expect(await (await ask(visit.url)).json()).toMatchObject({
      choices: [{ message: { content: '{}' }, finish_reason: 'length' }],
    });
  });

  it('call a tool that is offered, until one has answered', async () => {
    const visit = (await open()).visit();
    visit.stageChat([{ kind: 'valid', content: '{}', call: { name: 'search', arguments: { query: 'x' } } }]);
    const tools = [{ type: 'function', function: { name: 'search' } }];
    const called = [{ id: 'call_1', type: 'function', function: { name: 'search', arguments: '{"query":"x"}' } }];
    expect(await (await ask(visit.url, { tools })).json()).toMatchObject({
      choices: [{ message: { content: '{}', tool_calls: called }, finish_reason: 'tool_calls' }],
    });
    expect(await (await ask(visit.url, { tools, stream: true })).text()).toContain('"tool_calls":[{"index":0,');
    for (const more of [{}, { tools: 1 }, { tools: [null] }, { tools, messages: [{ role: 'tool' }] }]) {
      const plain = JSON.stringify(await (await ask(visit.url, more)).json());
      expect(plain).toContain('"finish_reason":"stop"');
      expect(plain).not.toContain('tool_calls');
    }
  });

  it('are each model’s own where they are staged so', async () => {
    const visit = (await open()).visit();
    visit.stageChat((model) => ({ kind: 'valid', content: `by ${model}` }));
    const answer = await ask(visit.url, { model: 'm' });
    expect(await answer.json()).toMatchObject({ choices: [{ message: { content: 'by m' } }] });
  });

  it('stream where the caller asks for it', async () => {
    const visit = (await open()).visit();
    visit.stageChat([{ kind: 'valid', content: 'hello' }]);
    const response = await ask(visit.url, { stream: true });
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    const events = (await response.text()).split('\n\n').map((event) => event.replace('data: ', ''));
    expect(events.slice(2)).toEqual(['[DONE]', '']);
    expect(JSON.parse(events[0] ?? '')).toMatchObject({
      object: 'chat.completion.chunk',
      choices: [{ delta: { role: 'assistant', content: 'hello' }, finish_reason: null }],
    });
    expect(JSON.parse(events[1] ?? '')).toMatchObject({ choices: [{ delta: {}, finish_reason: 'stop' }] });
  });

  it('are refused and counted where nothing is staged, or the body is no JSON', async () => {
    const visit = (await open()).visit();
    expect((await ask(visit.url)).status).toBe(409);
    expect((await post(`${visit.url}/v1/chat/completions`, '{')).status).toBe(400);
    expect(visit.calls()).toMatchObject([
      { name: 'witness-mini', answer: { error: { code: 'nothing_staged' } } },
      { name: '', body: null, answer: { error: { code: 'malformed' } } },
    ]);
  });
});

describe('what is not there', () => {
  it.each(['/', '/w', '/w/x', '/w/x/effects/e', '/w/__proto__/effects/e', '/v1', '/metrics'])(
    '%s is 404',
    async (path) => {
      const { baseUrl } = await open();
      const response = await fetch(`${baseUrl}${path}`);
      expect(response.status).toBe(404);
      expect(await response.json()).toMatchObject({ error: { code: 'not_found' } });
    },
  );

  it.each([
    '',
    '/',
    '/effects',
    '/effects/',
    '/effects/a/b',
    '/effects/%ff',
    `/effects/${'n'.repeat(300)}`,
    '/v1/models',
  ])('below a visit %s is 404 and no call', async (path) => {
    const visit = (await open()).visit();
    expect((await fetch(`${visit.url}${path}`)).status).toBe(404);
    expect(visit.calls()).toEqual([]);
  });

  it.each([
    ['PUT', '/effects/e', 'GET, POST'],
    ['DELETE', '/resources/r', 'GET'],
    ['GET', '/v1/chat/completions', 'POST'],
  ])('%s %s is 405', async (method, path, allow) => {
    const visit = (await open()).visit();
    const response = await fetch(`${visit.url}${path}`, { method });
    expect(response.status).toBe(405);
    expect(response.headers.get('allow')).toBe(allow);
    expect(visit.calls()).toEqual([]);
  });
});

describe('a caller that misbehaves', () => {
  it('and breaks its body off is recorded, and harms nobody', async () => {
    const visit = (await open()).visit();
    const { hostname, port, pathname } = new URL(visit.url);
    const socket = connect(Number(port), hostname);
    socket.write(`POST ${pathname}/effects/e HTTP/1.1\r\nhost: w\r\ncontent-length: 100\r\n\r\n{"a"`);
    await expect.poll(() => visit.calls().length).toBe(1);
    socket.destroy();
    await nonceOf(await fetch(`${visit.url}/effects/other`));
    expect(visit.calls()[0]).toMatchObject({ name: 'e', body: null, answer: null });
  });

  it('and sends no HTTP, or headers without end, is cut off', async () => {
    const { baseUrl } = await open();
    const { hostname, port } = new URL(baseUrl);
    for (const text of ['nonsense\r\n\r\n', `GET / HTTP/1.1\r\nx: ${'y'.repeat(20_000)}\r\n\r\n`]) {
      const socket = connect(Number(port), hostname).on('error', () => undefined);
      socket.write(text);
      socket.resume();
      await once(socket, 'close');
    }
    expect((await fetch(baseUrl)).status).toBe(404);
  });
});

describe('close', () => {
  it('ends held calls, idle connections and waits at once', async () => {
    const result = await openWitness({ hostname: '127.0.0.1', port: 0 });
    if (!result.ok) throw new Error(result.reason);
    const { witness } = result;
    const visit = witness.visit();
    visit.answerInOrder(['never', 'held'], 60_000);
    const held = fetch(`${visit.url}/effects/held`).then(
      () => 'answered',
      () => 'cut off',
    );
    await expect.poll(() => visit.calls().length).toBe(1);
    const idle = connect(Number(new URL(witness.baseUrl).port), '127.0.0.1').on('error', () => undefined);
    await once(idle, 'connect');
    const span = witness.span(() => true, { timeoutMs: 60_000, signal: new AbortController().signal });
    const start = performance.now();
    idle.resume();
    await Promise.all([result.close(), once(idle, 'close')]);
    expect(await held).toBe('cut off');
    expect(await span).toBeUndefined();
    expect(performance.now() - start).toBeLessThan(50_000);
  });
});
