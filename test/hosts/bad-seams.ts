import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { FAULTLESS } from '../hostile/fixed-answers.ts';
import { json, serveHttp, type FakeHost } from './fake-host.ts';

/** A faultless advertisement with a seam that answers every request, whatever it holds, with what `answer` gives. */
function badSeam(answer: (request: IncomingMessage) => unknown, discovery: unknown = FAULTLESS): Promise<FakeHost> {
  return serveHttp((request, response) => {
    const { method, url } = request;
    request.resume();
    if (url === '/.well-known/openwop') return json(response, 200, discovery);
    if (method === 'POST' && url === '/v1/host/sample/test/llm-cache-key') return json(response, 200, answer(request));
    return json(response, 404, { error: 'not_found', message: 'There is nothing at this path.' });
  });
}

/** The same well-formed key for everything. */
export function sameKey(): Promise<FakeHost> {
  return badSeam(() => ({ cacheKey: 'c0ffee00'.repeat(8) }));
}

/** A fresh well-formed key each time. */
export function randomKeys(): Promise<FakeHost> {
  return badSeam(() => ({ cacheKey: randomBytes(32).toString('hex') }));
}

/** No key at all. */
export function noKey(): Promise<FakeHost> {
  return badSeam(() => ({}));
}

/** Repeats the caller's credential in each answer, and calls itself by a name that a terminal would obey. */
export function hostileTexts(): Promise<FakeHost> {
  const name = '\u001b]0;owned\u0007\u001b[2J\r\u202egood host';
  return badSeam(
    ({ headers }) => ({ cacheKey: `${headers.authorization ?? ''}\u001b[31m`, note: headers.authorization }),
    { ...FAULTLESS, implementation: { name, version: '1' } },
  );
}
