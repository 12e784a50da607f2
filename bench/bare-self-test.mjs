// Sends the requests of a recorded self-test, bare, to reference hosts in this process: what `self-test` costs at least. The hosts are
// those of a self-test, two regions of one store, of which the first exports its spans where a scenario needs them: that work is theirs.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { once } from 'node:events';
import { Agent, request } from 'undici';
import { createRegions, defaultCredentials, listen } from '../build/reference-host/index.js';
import { openWitness } from '../build/src/witness/index.js';
import { eachConcurrently } from './measure.mjs';

const { credentials, apiKey } = defaultCredentials();
const collector = process.argv[3] === 'spans' ? await openCollector() : undefined;
const regions = createRegions({ credentials, enableTestSeams: true, ...collector?.options });
const hosts = [regions.first, regions.second];
const servers = await Promise.all(hosts.map((host) => listen(host, {})));
const lines = readFileSync(process.argv[2], 'utf8').split('\n');
const { baseUrlB } = JSON.parse(lines[0]).target;
const exchanges = lines
  .filter((line) => line.startsWith('{"kind":"exchange"'))
  .map((line) => JSON.parse(line))
  .filter((recorded) => recorded.request.body?.truncated !== true);
const { witness, close } = await openWitness({ hostname: '127.0.0.1', port: 0 });
const visits = new Map();
const agent = new Agent({ pipelining: 1 });
const runs = new Map(exchanges.flatMap(startedRun).map((runId) => [runId, deferred()]));
await eachConcurrently(exchanges, 8, async (recorded) => {
  const { method, url, headers, body } = recorded.request;
  const { pathname, search } = new URL(url);
  const [started] = startedRun(recorded);
  const path = await withThisRunsIds(pathname + search);
  const server = servers[url.startsWith(`${baseUrlB}/`) ? 1 : 0];
  const answer = await request(server.baseUrl + path, {
    dispatcher: agent,
    method,
    headers: { ...headers, ...(headers.authorization && { authorization: `Bearer ${apiKey}` }) },
    ...(body && { body: await withThisRunsIds(body.text) }),
  });
  const text = await answer.body.text();
  if (started !== undefined) runs.get(started).resolve(answer.statusCode < 300 ? JSON.parse(text).runId : started);
});
await agent.close();
await close();
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

/** The run that an exchange created, as it was called when it was recorded. */
function startedRun({ request: { method, url }, answer }) {
  if (method !== 'POST' || !/\/v1\/runs(?:\/[^/]+:fork)?$/u.test(url)) return [];
  if (answer.kind !== 'response' || answer.status > 299 || answer.body.truncated) return [];
  const { runId } = JSON.parse(answer.body.text);
  return typeof runId === 'string' ? [runId] : [];
}

/** A text with what was recorded of that run in the words of this one: runs that were made before, places at the witness. */
async function withThisRunsIds(text) {
  let renamed = text;
  for (const [recorded] of text.matchAll(/run_[0-9A-Z]{26}/gu)) {
    const made = runs.get(recorded);
    if (made !== undefined) renamed = renamed.replaceAll(recorded, await made.promise);
  }
  for (const [recorded] of text.matchAll(/http:\/\/127\.0\.0\.1:\d+\/w\/[0-9a-f]+/gu)) {
    renamed = renamed.replaceAll(recorded, visitOf(recorded).url);
  }
  return renamed;
}

function visitOf(recorded) {
  const visit = visits.get(recorded) ?? witness.visit();
  if (!visits.has(recorded)) visit.stageChat([{ kind: 'valid', content: '{"valid":true}' }]);
  visits.set(recorded, visit);
  return visit;
}

function deferred() {
  let resolve;
  const promise = new Promise((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}
