import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { createReferenceHost } from '../../reference-host/index.ts';
import { CREDENTIAL, SCOPES, type Behaviour } from './behaviour.ts';

/** What the reference host answers, to be written to the socket by hand. */
interface Answer {
  readonly head: string;
  readonly body: Buffer;
  readonly isStream: boolean;
}

type Write = (answer: Answer, socket: Socket) => void | Promise<void>;

/** The reference host behind a socket to which each answer is written by hand; the connection is closed then. */
function framed(write: Write): Behaviour['start'] {
  return async () => {
    const credentials = [{ key: CREDENTIAL, tenant: 'a', scopes: SCOPES }];
    const host = createReferenceHost({ credentials, enableTestSeams: true, die: () => undefined });
    const answer = async (request: IncomingMessage, { socket }: ServerResponse): Promise<void> => {
      const { method = '', url = '' } = request;
      const headers = Object.entries(request.headersDistinct).map(
        ([name, values]) => [name, String(values)] as [string, string],
      );
      const body = await text(request);
      const response = await host.fetch(
        new Request(`http://h${url}`, { method, headers, ...(body === '' ? {} : { body }) }),
      );
      const type = response.headers.get('content-type') ?? '';
      const head = `HTTP/1.1 ${response.status} Fine\r\ncontent-type: ${type}\r\nx-echo: Bearer ${CREDENTIAL}\r\nconnection: close\r\n`;
      const whole = Buffer.from(await response.arrayBuffer());
      if (socket !== null) await write({ head, body: whole, isStream: type.startsWith('text/event-stream') }, socket);
      socket?.end();
    };
    const server = createServer((request, response) => void answer(request, response).catch(() => response.destroy()));
    server.on('connection', (socket) => socket.on('error', () => undefined));
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    return {
      baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      close: async () => {
        server.closeAllConnections();
        await new Promise((resolve) => server.close(resolve));
        await host.close();
      },
    };
  };
}

function chunked(body: Buffer, size: number, extension = '', trailers = ''): string {
  const hex = body.toString('latin1');
  const chunks = Array.from({ length: Math.ceil(hex.length / size) }, (_, at) => hex.slice(at * size, (at + 1) * size));
  const framedChunks = chunks.map((chunk) => `${chunk.length.toString(16)}${extension}\r\n${chunk}\r\n`);
  return `transfer-encoding: chunked\r\n\r\n${framedChunks.join('')}0${extension}\r\n${trailers}\r\n`;
}

const latin1 = (socket: Socket, ...parts: readonly string[]): void => void socket.write(parts.join(''), 'latin1');
const plain: Write = ({ head, body }, socket) =>
  latin1(socket, head, `content-length: ${body.length}\r\n\r\n`, body.toString('latin1'));
const stream =
  (change: (frames: string) => string): Write =>
  (answer, socket) =>
    plain(answer.isStream ? { ...answer, body: Buffer.from(change(answer.body.toString('utf8'))) } : answer, socket);

/** What HTTP and event streams allow: nothing may be red for it. */
const ALLOWED: Readonly<Record<string, Write>> = {
  plain,
  'chunk-extensions': ({ head, body }, socket) => latin1(socket, head, chunked(body, 700, ';a="::error::x";b')),
  'chunks-of-one': ({ head, body }, socket) => latin1(socket, head, chunked(body, 1)),
  trailers: ({ head, body }, socket) =>
    latin1(socket, head, chunked(body, 700, '', `x-t: ${CREDENTIAL}\r\nx-u: v\r\n`)),
  'processing-first': (answer, socket) => {
    latin1(socket, 'HTTP/1.1 102 Processing\r\n\r\n'.repeat(3), 'HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n');
    return plain(answer, socket);
  },
  'until-closed': ({ head, body }, socket) => latin1(socket, head, '\r\n', body.toString('latin1')),
  'http-1.0': ({ head, body }, socket) =>
    latin1(socket, head.replace('HTTP/1.1', 'HTTP/1.0'), '\r\n', body.toString('latin1')),
  'headers-twice': (answer, socket) =>
    plain({ ...answer, head: `${answer.head}vary: a\r\nvary: b\r\nset-cookie: a=1\r\nset-cookie: b=2\r\n` }, socket),
  'no-reason': (answer, socket) => plain({ ...answer, head: answer.head.replace(' Fine', ' ') }, socket),
  'in-pieces': async ({ head, body }, socket) => {
    for (const part of [
      head.slice(0, 20),
      head.slice(20),
      `content-length: ${body.length}\r\n\r\n`,
      body.subarray(0, 3),
      body.subarray(3),
    ]) {
      socket.write(part);
      await pause(1);
    }
  },
  'stream-crlf': stream((frames) => frames.replaceAll('\n', '\r\n')),
  'stream-cr': stream((frames) => frames.replaceAll('\n', '\r')),
  'stream-mark-first': stream((frames) => `\ufeff${frames}`),
  'stream-retry-of-any-length': stream((frames) =>
    frames.replaceAll('\n\n', `\n: c\nretry: ${'9'.repeat(40)}\nretry: -1\nfoo: bar\n\n`),
  ),
};

/** What they do not allow, or what never comes to an end. */
const WRONG: Readonly<Record<string, Write>> = {
  'chunk-of-minus-five': ({ head }, socket) =>
    latin1(socket, head, 'transfer-encoding: chunked\r\n\r\n-5\r\n{}\r\n0\r\n\r\n'),
  'chunk-extension-of-megabytes': ({ head, body }, socket) =>
    latin1(socket, head, chunked(body, 100_000, `;a=${'b'.repeat(1_000_000)}`)),
  'trailers-too-many': ({ head, body }, socket) =>
    latin1(socket, head, chunked(body, 700, '', `x-t: ${'v'.repeat(1000)}\r\n`.repeat(64))),
  'processing-long': async (_, socket) => {
    for (let left = 40; left > 0 && !socket.destroyed; left -= 1) {
      latin1(socket, 'HTTP/1.1 102 Processing\r\n\r\n');
      await pause(100);
    }
  },
  'head-drop-by-drop': async ({ head }, socket) => {
    for (const unit of head.repeat(3)) {
      if (socket.destroyed) return;
      socket.write(unit);
      await pause(50);
    }
  },
  'length-signed': ({ head, body }, socket) =>
    latin1(socket, head, `content-length: +${body.length}\r\n\r\n`, body.toString('latin1')),
  'status-999': (answer, socket) => plain({ ...answer, head: answer.head.replace(/ \d{3} /u, ' 999 ') }, socket),
  'header-of-nul': (answer, socket) => plain({ ...answer, head: `${answer.head}x-n: a\u0000b\r\n` }, socket),
  'reason-of-commands': (answer, socket) =>
    plain({ ...answer, head: answer.head.replace('Fine', `::error::${CREDENTIAL}`) }, socket),
  'reset-behind-head': ({ head }, socket) => {
    latin1(socket, head, 'content-length: 9\r\n\r\n');
    socket.resetAndDestroy();
  },
  'stream-of-nul': stream((frames) => frames.replaceAll('data: {', 'data: \u0000{').replaceAll('id: ', 'id: \u0000')),
  'stream-marks-inside': stream((frames) => frames.replaceAll('\n\n', '\n\n\ufeff')),
  'stream-ids-of-lines': stream((frames) =>
    frames.replaceAll(/^id: (\d+)/gmu, 'id: $1\rid: x\rdata: {"type":"run.completed"}\r\revent: x'),
  ),
  'stream-ids-of-megabytes': stream((frames) => frames.replaceAll('id: ', `id: ${'7'.repeat(300_000)}`)),
};

const SCENARIOS = ['discovery.document', 'cache-key.lowercase-hex', 'fork.full-replay', 'sequence.readings'];
const flags = SCENARIOS.flatMap((id) => ['--scenario', id]);

/** The reference host behind other HTTP than its own. */
export const FRAMED: readonly Behaviour[] = [
  ...Object.entries(ALLOWED).map(([name, write]) => ({
    id: `framing.${name}`,
    flags: [...flags, '--max-time', '120000', '--timeout', '20000'],
    start: framed(write),
    exitCodes: [0],
  })),
  ...Object.entries(WRONG).map(([name, write]) => ({ id: `framing.${name}`, flags, start: framed(write) })),
];
