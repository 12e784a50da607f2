import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createSocketServer, type Server, type Socket } from 'node:net';

/** A host that is none, or a bad one, on a free loopback port. */
export interface FakeHost {
  readonly baseUrl: string;
  /** `METHOD path` of every request, with its Authorization header where it had one. */
  readonly requests: readonly string[];
  close(): Promise<void>;
}

export type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** Serves HTTP with one handler for everything. */
export async function serveHttp(handle: Handler): Promise<FakeHost> {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    const { method, url, headers } = request;
    requests.push([method, url, headers.authorization].filter((part) => part !== undefined).join(' '));
    response.on('error', () => undefined);
    handle(request, response);
  });
  return listening(server, requests);
}

/** Serves whatever `talk` writes, which need not be HTTP. */
export async function serveSockets(talk: (socket: Socket) => void): Promise<FakeHost> {
  const server = createSocketServer((socket) => {
    socket.on('error', () => undefined);
    talk(socket);
  });
  return listening(server, []);
}

async function listening(server: Server, requests: readonly string[]): Promise<FakeHost> {
  const open = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new TypeError('the server has no port');
  return {
    baseUrl: `http://127.0.0.1:${address.port}`,
    requests,
    async close() {
      const closed = once(server, 'close');
      server.close();
      for (const socket of open) socket.destroy();
      await closed;
    },
  };
}

/** Answers with JSON text. */
export function json(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
