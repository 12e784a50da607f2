import { createAdaptorServer } from '@hono/node-server';
import { once as happened } from 'node:events';
import { Server, type ServerOptions, STATUS_CODES, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Fetch } from '../parts.ts';
import { type Answer, refusal } from '../types/answers.ts';

/** The address is taken, or none of this machine's; the message names it. */
export class CannotListen extends Error {
  override readonly name = 'CannotListen';
}

export interface ListenOptions {
  readonly hostname?: string;
  /** 0, the default, takes any free port. */
  readonly port?: number;
  readonly limits?: Partial<RequestLimits>;
}

/** What a request may take before it is answered. */
interface RequestLimits {
  /** Bytes of the request line and the headers: 431 beyond it. */
  readonly headerBytes: number;
  /** Milliseconds that the headers may take, and the whole request: 408 beyond them. */
  readonly headersMs: number;
  readonly requestMs: number;
}

const LIMITS: RequestLimits = { headerBytes: 32_768, headersMs: 20_000, requestMs: 60_000 };

/** How long a connection may be idle: longer than clients keep theirs, so that none sends into one that is being closed. */
const IDLE_MS = 30_000;

export interface Listening {
  readonly baseUrl: string;
  /** Stops listening and ends every connection, streams and idle ones included. */
  close(): Promise<void>;
}

/**
 * Mounts a host on a socket. Rejects with CannotListen where the system says why it does not listen there. From then on this process has
 * the adaptor's Request and Response in the place of Node's: an answer that is made and sent costs a third less.
 */
export async function listen(
  host: { readonly fetch: Fetch },
  { hostname = '127.0.0.1', port = 0, limits = {} }: ListenOptions = {},
): Promise<Listening> {
  const serverOptions = optionsFor({ ...LIMITS, ...limits });
  const server = createAdaptorServer({ fetch: host.fetch, serverOptions });
  if (!(server instanceof Server)) throw new TypeError('the adaptor made no HTTP/1.1 server');
  answerUnreadable(server);
  try {
    server.listen(port, hostname);
    await happened(server, 'listening');
  } catch (error) {
    throw isSystemError(error) ? new CannotListen(unable(error, hostname, port), { cause: error }) : error;
  }
  return {
    baseUrl: baseUrlOf(server, hostname),
    async close() {
      const closed = happened(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

/** Node looks for late requests only now and then: four times within the shorter limit. */
function optionsFor({ headerBytes, headersMs, requestMs }: RequestLimits): ServerOptions {
  return {
    maxHeaderSize: headerBytes,
    headersTimeout: headersMs,
    requestTimeout: requestMs,
    keepAliveTimeout: IDLE_MS,
    connectionsCheckingInterval: Math.ceil(Math.min(headersMs, requestMs) / 4),
  };
}

function baseUrlOf(server: Server, hostname: string): string {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new TypeError('the server has no port');
  return `http://${hostname.includes(':') ? `[${hostname}]` : hostname}:${address.port}`;
}

interface SystemError extends Error {
  readonly code: unknown;
}

function isSystemError(error: unknown): error is SystemError {
  return error instanceof Error && 'code' in error && 'syscall' in error;
}

function unable({ code, message }: SystemError, hostname: string, port: number): string {
  if (code === 'EADDRINUSE') return `port ${port} on ${hostname} is already in use`;
  return `cannot listen on ${hostname}, port ${port}: ${message}`;
}

/**
 * Answers, in the envelope, what never becomes a request: 431 for headers beyond the limit, 408 for a request that takes too
 * long to arrive, 400 for what is no HTTP. Each ends its connection. An answer that has begun is not continued with another.
 */
function answerUnreadable(server: Server): void {
  const answers = new WeakMap<Duplex, ServerResponse>();
  server.on('request', (request, response) => answers.set(request.socket, response));
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    const begun = answers.get(socket);
    const isAnswering = begun !== undefined && begun.headersSent && !begun.writableFinished;
    if (isAnswering || !socket.writable) socket.destroy();
    else socket.end(written(answerTo(error.code)));
  });
}

function answerTo(code: string | undefined): Answer {
  if (code === 'HPE_HEADER_OVERFLOW') return refusal(431, 'headers_too_large', 'The headers are too large.');
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return refusal(408, 'request_timeout', 'The request took too long.');
  return refusal(400, 'bad_request', 'This is no HTTP request.');
}

function written({ status, body }: Answer): string {
  const text = JSON.stringify(body);
  const lines = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    'content-type: application/json',
    `content-length: ${Buffer.byteLength(text)}`,
    'connection: close',
  ];
  return `${lines.join('\r\n')}\r\n\r\n${text}`;
}
