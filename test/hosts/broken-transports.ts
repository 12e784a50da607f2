import type { ServerResponse } from 'node:http';
import { serveHttp, serveSockets, type FakeHost } from './fake-host.ts';

/** A port at which nobody listens any more. */
export async function dead(): Promise<FakeHost> {
  const host = await serveSockets(() => undefined);
  await host.close();
  return { ...host, close: () => Promise.resolve() };
}

/** Accepts connections and never says a word. */
export function silent(): Promise<FakeHost> {
  return serveSockets(() => undefined);
}

/** Answers with bytes that are no HTTP. */
export function garbage(): Promise<FakeHost> {
  return serveSockets((socket) => {
    socket.once('data', () => socket.end(Buffer.from([0, 255, 254, 7, 10, 13, 10, 200, 128, 10])));
  });
}

/** Begins an answer that never ends, as fast as it is read. */
export function endlessBody(): Promise<FakeHost> {
  const block = Buffer.alloc(256 * 1024, '[');
  return serveHttp((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    pour(response, block);
  });
}

function pour(response: ServerResponse, block: Buffer): void {
  while (!response.destroyed && response.write(block));
  if (!response.destroyed) response.once('drain', () => pour(response, block));
}

/** Answers with more header bytes than anybody needs. */
export function hugeHeaders(): Promise<FakeHost> {
  return serveHttp((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'x-filler': 'x'.repeat(200_000) }).end('{}');
  });
}
