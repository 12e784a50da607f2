import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Witness } from '../evidence/witness.ts';
import { NOT_FOUND, send } from './reply.ts';
import { answerVisit } from './routes.ts';
import { createSpanStore, type SpanStore, answerTraces } from './traces.ts';
import { createVisit, freshToken, type OpenVisit } from './visit.ts';

export interface WitnessOptions {
  readonly hostname: string;
  /** 0 takes any free port. */
  readonly port: number;
  /** Where hosts under test reach the witness; no trailing slash. The listening address where undefined. */
  readonly url?: string | undefined;
}

/** A witness that listens. */
export interface OpenWitness {
  readonly witness: Witness;
  /** Stops listening and ends every connection and every wait at once. */
  close(): Promise<void>;
}

/** What a caller may take: generous for any host on a busy machine, too little to hurt the harness. Times in milliseconds. */
const LIMITS = { connections: 256, headerBytes: 8 * 1024, headersMs: 60_000, requestMs: 60_000, idleMs: 30_000 };

/** Starts the witness, or says why it cannot listen on that address. */
export async function openWitness(
  options: WitnessOptions,
): Promise<({ readonly ok: true } & OpenWitness) | { readonly ok: false; readonly reason: string }> {
  const house: House = { visits: new Map(), spans: createSpanStore(), prefix: pathOf(options.url) };
  const server = createServer(
    {
      maxHeaderSize: LIMITS.headerBytes,
      headersTimeout: LIMITS.headersMs,
      requestTimeout: LIMITS.requestMs,
      keepAliveTimeout: LIMITS.idleMs,
      connectionsCheckingInterval: 1000,
    },
    (request, response) => {
      answer(house, request, response).catch(() => response.destroy());
    },
  );
  server.maxConnections = LIMITS.connections;
  try {
    server.listen(options.port, options.hostname);
    await once(server, 'listening');
  } catch (error) {
    return { ok: false, reason: error instanceof Error ? error.message : String(error) };
  }
  const baseUrl = options.url ?? addressOf(server, options.hostname);
  return { ok: true, witness: createWitness(house, baseUrl), close: () => close(server, house) };
}

interface House {
  readonly visits: Map<string, OpenVisit>;
  readonly spans: SpanStore;
  /** The path of the public address, which a proxy before the witness may leave in. */
  readonly prefix: string;
}

function createWitness({ visits, spans }: House, baseUrl: string): Witness {
  return {
    baseUrl,
    visit() {
      const token = freshToken();
      const visit = createVisit(`${baseUrl}/w/${token}`);
      visits.set(token, visit);
      return visit;
    },
    span: spans.span,
    spanProblem: spans.spanProblem,
  };
}

async function answer(house: House, request: IncomingMessage, response: ServerResponse): Promise<void> {
  response.on('error', () => undefined);
  const path = below(house.prefix, pathOf(request.url));
  if (path === '/v1/traces') return answerTraces(house.spans, request, response);
  const [, token = '', rest = ''] = /^\/w\/([^/]+)(\/.*)$/u.exec(path) ?? [];
  const visit = house.visits.get(token);
  return visit === undefined ? send(response, NOT_FOUND) : answerVisit(visit, rest, { request, response });
}

/** The path of a URL or of a request's target, without a slash at its end; empty for what is neither. */
function pathOf(url: string | undefined): string {
  try {
    return new URL(url ?? '', 'http://witness.invalid').pathname.replace(/\/$/u, '');
  } catch {
    return '';
  }
}

function below(prefix: string, path: string): string {
  return prefix !== '' && path.startsWith(`${prefix}/`) ? path.slice(prefix.length) : path;
}

function addressOf(server: Server, hostname: string): string {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new TypeError('the witness has no port');
  return `http://${hostname.includes(':') ? `[${hostname}]` : hostname}:${address.port}`;
}

async function close(server: Server, { visits, spans }: House): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  server.closeAllConnections();
  spans.close();
  for (const visit of visits.values()) visit.close();
  await closed;
}
