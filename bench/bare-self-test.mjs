// Sends the requests of a recorded self-test, bare, to reference hosts in this process: what `self-test` costs at least.
import { readFileSync } from 'node:fs';
import { Agent, request } from 'undici';
import { createReferenceHost, defaultCredentials, listen } from '../dist/reference-host/index.js';
import { eachConcurrently } from './measure.mjs';

const { credentials, apiKey } = defaultCredentials();
const hosts = [0, 1].map(() => createReferenceHost({ credentials, enableTestSeams: true }));
const servers = await Promise.all(hosts.map((host) => listen(host, {})));
const exchanges = readFileSync(process.argv[2], 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('{"kind":"exchange"'))
  .map((line) => JSON.parse(line).request)
  .filter((recorded) => recorded.body?.truncated !== true);
const agent = new Agent({ pipelining: 1 });
await eachConcurrently(exchanges, 8, async ({ method, url, headers, body }) => {
  const { pathname, search } = new URL(url);
  const answer = await request(servers[0].baseUrl + pathname + search, {
    dispatcher: agent,
    method,
    headers: { ...headers, ...(headers.authorization && { authorization: `Bearer ${apiKey}` }) },
    ...(body && { body: body.text }),
  });
  await answer.body.text();
});
await agent.close();
for (const server of servers) await server.close();
for (const host of hosts) await host.close();
