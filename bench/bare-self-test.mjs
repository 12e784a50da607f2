// Sends the requests of a recorded self-test, bare, to reference hosts in this process: what `self-test` costs at least. The hosts are
// those of a self-test, two regions of one store, of which the first exports its spans where a scenario needs them: that work is theirs.
import { createServer } from 'node:http';
import { once } from 'node:events';
import { createRegions, defaultCredentials, listen } from '../build/reference-host/index.js';
import { sendRecorded } from './send-recorded.mjs';

const { credentials, apiKey } = defaultCredentials();
const collector = process.argv[3] === 'spans' ? await openCollector() : undefined;
const regions = createRegions({ credentials, enableTestSeams: true, ...collector?.options });
const hosts = [regions.first, regions.second];
const servers = await Promise.all(hosts.map((host) => listen(host, {})));
await sendRecorded(process.argv[2], { baseUrls: servers.map(({ baseUrl }) => baseUrl), apiKey });
for (const server of servers) await server.close();
for (const host of hosts) await host.close();
collector?.server.close();

/** Takes spans and looks at none of them. */
async function openCollector() {
  const server = createServer((incoming, answer) => {
    incoming.resume().once('end', () => answer.setHeader('content-type', 'application/json').end('{}'));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return { server, options: { otlpEndpoint: `http://127.0.0.1:${server.address().port}/v1/traces` } };
}
