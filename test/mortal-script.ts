import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { writeFileSync } from 'node:fs';

/**
 * A host as a script for Node, for tests of what kills and starts hosts: `node FILE … --port N` prints one JSON line, answers
 * its discovery request with the FAILPOINT that it was started with, and dies where it is told to. Armed with `at-start` it
 * dies before it listens; with `broken` it ends with exit code 3 and says why.
 */
const SCRIPT = `
const { createServer } = require('node:http');
const FAILPOINT = process.env.FAILPOINT ?? null;
const die = () => process.kill(process.pid, 'SIGKILL');
if (FAILPOINT?.startsWith('broken')) { console.error('no such failpoint'); process.exit(3); }
if (FAILPOINT?.startsWith('at-start')) die();
const server = createServer((request, response) => {
  if (request.url === '/die') return die();
  if (request.url === '/exit') process.exit(0);
  response.setHeader('content-type', 'application/json').end(JSON.stringify({ FAILPOINT, otel: process.env.OTEL_EXPORTER_OTLP_ENDPOINT ?? null }));
});
server.listen(Number(process.argv[process.argv.indexOf('--port') + 1]), '127.0.0.1', () =>
  console.log(JSON.stringify({ baseUrl: 'http://127.0.0.1:' + server.address().port, apiKey: 'key-of-the-script' })));
`;

/** Writes the script into a directory and returns its path. */
export function writeMortalScript(directory: string): string {
  const file = join(directory, 'mortal-host.cjs');
  writeFileSync(file, SCRIPT);
  return file;
}

/** Tells a script's host to die at once; resolves when its connection has ended, also where nobody listens. */
export async function killByRequest(baseUrl: string): Promise<void> {
  await fetch(`${baseUrl}/die`).catch(() => undefined);
}

/** A loopback port that was free a moment ago. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
