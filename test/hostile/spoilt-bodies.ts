import { deflateSync, gzipSync } from 'node:zlib';
import { isObject } from '../../reference-host/json.ts';
import type { Behaviour } from './behaviour.ts';
import { at, ROUTES } from './routes.ts';

type Spoil = (response: Response) => Response | Promise<Response>;

const MIB = 1024 * 1024;
const text = (value: string | Uint8Array<ArrayBuffer>, headers: Readonly<Record<string, string>> = {}): Response =>
  new Response(value, { headers: { 'content-type': 'application/json', ...headers } });

/** The answer with one member more; a list gets an item, a stream an event before its own. */
function padded(member: string): Spoil {
  return async (response) => {
    const received = await response.text();
    if (response.headers.get('content-type')?.startsWith('text/event-stream') === true) {
      return new Response(received.replaceAll(/^data: \{/gmu, `data: {"padding":${member},`), response);
    }
    const body: unknown = JSON.parse(received);
    if (isObject(body)) return text(`{"padding":${member},${JSON.stringify(body).slice(1)}`);
    return text(
      `[${[...(Array.isArray(body) ? body : [body])].map((each) => JSON.stringify(each)).join(',')},${member}]`,
    );
  };
}

/** An answer that goes on for ever, as fast as it is read. */
function endless(piece: string, headers: Readonly<Record<string, string>> = {}): Spoil {
  const block = new TextEncoder().encode(piece.repeat(Math.ceil(65_536 / piece.length)));
  return () =>
    new Response(new ReadableStream({ pull: (controller) => controller.enqueue(block) }), {
      headers: { 'content-type': 'application/json', ...headers },
    });
}

/** One character every tenth of a second. */
const drop: Spoil = () => {
  let timer: NodeJS.Timeout | undefined;
  return new Response(
    new ReadableStream<Uint8Array>({
      start: (controller) => {
        timer = setInterval(() => controller.enqueue(new Uint8Array([0x20])), 100).unref();
      },
      cancel: () => clearInterval(timer),
    }),
    { headers: { 'content-type': 'application/json' } },
  );
};

/** The beginning of an answer, and then the connection is gone. */
const torn: Spoil = async (response) => {
  const bytes = new Uint8Array(await response.arrayBuffer());
  let pulls = 0;
  return new Response(
    new ReadableStream<Uint8Array>({
      pull: (controller) => {
        pulls += 1;
        if (pulls === 1) controller.enqueue(bytes.slice(0, bytes.length / 2));
        else controller.error();
      },
    }),
    response,
  );
};

/** What is done to every answer of one route. */
const SPOILS: Readonly<Record<string, Spoil>> = {
  'seven-megabytes': padded(`"${'x'.repeat(7 * MIB)}"`),
  'many-values': padded(`[${'{},'.repeat(2 * MIB)}0]`),
  'many-names': padded(`{${Array.from({ length: 300_000 }, (_, index) => `"member number ${index}":0`).join(',')}}`),
  backslashes: padded(`"${'\\\\'.repeat(3 * MIB)}"`),
  endless: endless('{"a":['),
  drop,
  torn,
};

/** What is done to every answer of some routes, as what is read there makes no difference. */
const ELSEWHERE: Readonly<Record<string, Spoil>> = {
  deep: padded(`${'['.repeat(100_000)}${']'.repeat(100_000)}`),
  'prototype-names': padded('{"__proto__":{"runId":"polluted"},"constructor":{"prototype":{"polluted":true}}}'),
  malformed: () => text('{"runId": "run_1", '),
  'not-utf-8': () => text(new Uint8Array(65_536).fill(0xff)),
  'gzip-bomb': () => text(new Uint8Array(gzipSync('x'.repeat(200 * MIB))), { 'content-encoding': 'gzip' }),
  'deflate-bomb': () => text(new Uint8Array(deflateSync('['.repeat(200 * MIB))), { 'content-encoding': 'deflate' }),
  'control-characters': padded(`"${String.raw`\u0000\u001b[2J\u202e\u200b\ud800`.repeat(20_000)}"`),
  'percent-signs': padded(`"${'%5'.repeat(3 * MIB)}"`),
  'character-references': padded(`"${'&#0'.repeat(2 * MIB)}"`),
  'hexadecimal-digits': padded(`"${'0a-'.repeat(2 * MIB)}"`),
  'long-number': padded('9'.repeat(2 * MIB)),
  'as-a-page': async (response) => new Response(await response.text(), { headers: { 'content-type': 'text/html' } }),
  'as-a-stream': () =>
    new Response('data: {}\n\n'.repeat(100_000), { headers: { 'content-type': 'text/event-stream' } }),
  'line-without-end': endless('data: x', { 'content-type': 'text/event-stream' }),
  'comments-without-end': endless(': ping\n\n', { 'content-type': 'text/event-stream' }),
};

function behaviour(route: (typeof ROUTES)[number], name: string, spoil: Spoil): Behaviour {
  return {
    id: `${route.name}.${name}`,
    flags: route.scenarios.flatMap((id) => ['--scenario', id]),
    start: at(route, spoil),
    exitCodes: [0, 1, 2, 3],
  };
}

const SOME = new Set(['snapshot', 'events-stream', 'seam']);

/** The reference host with one route that answers too much, too slowly or not at all. */
export const SPOILT_BODIES: readonly Behaviour[] = ROUTES.flatMap((route) => [
  ...Object.entries(SPOILS).map(([name, spoil]) => behaviour(route, name, spoil)),
  ...(SOME.has(route.name) ? Object.entries(ELSEWHERE).map(([name, spoil]) => behaviour(route, name, spoil)) : []),
]);
