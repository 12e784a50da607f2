import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { createServer as createRawServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** A server on a free loopback port, for tests. */
export interface LocalServer {
  readonly baseUrl: string;
  close(): Promise<void>;
}

/** What a test server received, body included. */
export interface Received {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** Starts an HTTP server whose handler gets each request with its whole body. */
export function serveHttp(answer: (received: Received, response: ServerResponse) => void): Promise<LocalServer> {
  const listener: RequestListener = (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      answer({ method, url, headers, body: Buffer.concat(chunks).toString('utf8') }, response);
    });
  };
  const server = createServer(listener);
  return listening(server, () => server.closeAllConnections());
}

/** Starts a TCP server: the handler writes whatever bytes it likes. */
export function serveRaw(connected: (socket: Socket) => void): Promise<LocalServer> {
  const sockets = new Set<Socket>();
  const server = createRawServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
    connected(socket);
  });
  return listening(server, () => {
    for (const socket of sockets) socket.destroy();
  });
}

/** Answers with a JSON value. */
export function sendJson(response: ServerResponse, value: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}

async function listening(server: Server, drop: () => void): Promise<LocalServer> {
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve());
  });
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        drop();
      }),
  };
}
