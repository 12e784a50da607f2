import { gzipSync } from 'node:zlib';
import type { ServerResponse } from 'node:http';
import { sendJson, serveRaw } from '../local-server.ts';
import { always, type Behaviour } from './behaviour.ts';

/** A discovery document without a fault, of a host that offers everything about runs and keys. */
export const FAULTLESS = {
  protocolVersion: '1.0',
  implementation: { name: 'fixed', version: '1' },
  supportedEnvelopes: [],
  schemaVersions: {},
  limits: { clarificationRounds: 0, schemaRounds: 1, envelopesPerTurn: 1 },
  multiAgent: {
    executionModel: {
      supported: true,
      version: 4,
      replayDeterminism: { supported: true, llmCacheKeyRecipe: 'spec-rfc-0041', refusalDivergenceEmission: true },
    },
  },
  replay: { supported: true, modes: ['replay', 'branch'] },
  fixtures: ['conformance-noop'],
};

/** One answer that may stand for a run, a log, a snapshot and a key at once. */
const EVERYTHING = {
  ...FAULTLESS,
  runId: 'run_1',
  status: 'completed',
  variables: {},
  channels: {},
  cacheKey: 'c0ffee00'.repeat(8),
  events: [
    { eventId: 'e0', runId: 'run_1', type: 'run.started', sequence: 0, payload: {} },
    { eventId: 'e1', runId: 'run_1', type: 'run.completed', sequence: 1, payload: {} },
  ],
};

const MIB = 1024 * 1024;

function repeated(response: ServerResponse, piece: string, pieces: number, type = 'application/json'): void {
  response.writeHead(200, { 'content-type': type });
  response.end(piece.repeat(pieces));
}

/** Every request is answered alike; what is asked for makes no difference. */
const ANSWERS: Readonly<Record<string, Behaviour['start']>> = {
  'empty-object': always((response) => sendJson(response, {})),
  'empty-list': always((response) => sendJson(response, [])),
  null: always((response) => sendJson(response, null)),
  'one-run-for-all': always((response) => sendJson(response, EVERYTHING)),
  'created-for-all': always((response) => sendJson(response, EVERYTHING, 201)),
  'seven-megabytes': always((response) => sendJson(response, { ...EVERYTHING, padding: 'x'.repeat(7 * MIB) })),
  'many-values': always((response) => repeated(response, '[{},{}],', MIB / 2)),
  'backslashes-in-errors': always((response) =>
    sendJson(response, { error: '\\'.repeat(MIB), message: '/\\'.repeat(MIB) }, 404),
  ),
  'digits-in-errors': always((response) => sendJson(response, { error: '0-'.repeat(2 * MIB) }, 404)),
  'asks-to-wait': always((response) =>
    response.writeHead(429, { 'retry-after': '0', 'content-type': 'application/json' }).end('{}'),
  ),
  'asks-to-wait-for-ever': always((response) => response.writeHead(503, { 'retry-after': '9'.repeat(400) }).end('{}')),
  'empty-body': always((response) => response.writeHead(200, { 'content-type': 'application/json' }).end()),
  'no-content': always((response) => response.writeHead(204).end()),
  'not-modified': always((response) => response.writeHead(304).end()),
  'redirects-to-itself': always((response, { url }) => response.writeHead(307, { location: url }).end()),
  'inflated-gzip': always((response) =>
    response
      .writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' })
      .end(gzipSync(JSON.stringify({ ...EVERYTHING, padding: 'x'.repeat(100 * MIB) }))),
  ),
  'headers-a-plenty': always((response) => {
    const headers = Object.fromEntries(Array.from({ length: 1500 }, (_, at) => [`x-header-${at}`, 'value of it']));
    response.writeHead(200, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(EVERYTHING));
  }),
};

const RAW_BODY = JSON.stringify(EVERYTHING);
const HEAD = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n';

/** Bytes that are written to every connection, once it was asked something. */
function raw(bytes: string): Behaviour['start'] {
  return () => serveRaw((socket) => socket.on('data', () => socket.write(bytes)));
}

/** Written again and again, as fast as it is read. */
function pouring(first: string, piece: string): Behaviour['start'] {
  const block = piece.repeat(Math.ceil(65_536 / piece.length));
  return () =>
    serveRaw((socket) => {
      const pour = (): void => {
        while (!socket.destroyed && socket.write(block));
      };
      socket.once('data', () => {
        socket.write(first);
        socket.on('drain', pour);
        pour();
      });
    });
}

const RAW: Readonly<Record<string, Behaviour['start']>> = {
  'length-too-long': raw(`${HEAD}content-length: ${RAW_BODY.length + 1000}\r\n\r\n${RAW_BODY}`),
  'length-too-short': raw(`${HEAD}content-length: 10\r\n\r\n${RAW_BODY}`),
  'length-absurd': raw(`${HEAD}content-length: 99999999999999\r\n\r\n${RAW_BODY}`),
  'two-lengths': raw(`${HEAD}content-length: 5\r\ncontent-length: 7\r\n\r\n${RAW_BODY}`),
  'length-and-chunks': raw(`${HEAD}content-length: 5\r\ntransfer-encoding: chunked\r\n\r\n5\r\n{"a":\r\n0\r\n\r\n`),
  'chunk-of-terabytes': raw(`${HEAD}transfer-encoding: chunked\r\n\r\nffffffffff\r\n${RAW_BODY}`),
  'continues-for-ever': pouring('', 'HTTP/1.1 100 Continue\r\n\r\n'),
  'hints-for-ever': pouring('', 'HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n'),
  'headers-for-ever': pouring('HTTP/1.1 200 OK\r\n', 'x-a: b\r\n'),
  'one-header-for-ever': pouring('HTTP/1.1 200 OK\r\nx-a: ', 'abcdefgh'),
  'status-line-for-ever': pouring('HTTP/1.1 200 ', 'OK '),
  'trailers-for-ever': pouring(`${HEAD}transfer-encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n`, 'x-t: v\r\n'),
  'body-for-ever': pouring(`${HEAD}\r\n`, '[1,'),
  'tiny-chunks-for-ever': pouring(`${HEAD}transfer-encoding: chunked\r\n\r\n`, '1\r\n[\r\n'),
  'switches-protocols': raw('HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n'),
  'older-protocol': raw('HTTP/0.9 200 OK\r\n\r\n{}'),
  'answers-twice': raw(`${HEAD}content-length: 2\r\n\r\n{}${HEAD}content-length: 2\r\n\r\n{}`),
};

const SOME_OF_ALL = ['discovery.document', 'cache-key.lowercase-hex', 'fork.full-replay', 'sequence.side-effects'];

/** Hosts with one answer for everything. */
export const FIXED_ANSWERS: readonly Behaviour[] = [
  ...Object.entries(ANSWERS).map(([name, start]) => ({ id: `always.${name}`, flags: [], start })),
  ...Object.entries(RAW).map(([name, start]) => ({
    id: `bytes.${name}`,
    flags: SOME_OF_ALL.flatMap((id) => ['--scenario', id]),
    start,
  })),
];
