import { readFileSync } from 'node:fs';
import { Agent, request } from 'undici';
import { openWitness } from '../build/src/witness/index.js';
import { eachConcurrently } from './measure.mjs';

/** Sends the requests of recorded evidence once more, bare, to hosts at these addresses: the first one's and the second one's. */
export async function sendRecorded(file, { baseUrls, apiKey }) {
  const lines = readFileSync(file, 'utf8').split('\n');
  const { baseUrlB } = JSON.parse(lines[0]).target;
  const exchanges = lines
    .filter((line) => line.startsWith('{"kind":"exchange"'))
    .map((line) => JSON.parse(line))
    .filter((recorded) => recorded.request.body?.truncated !== true);
  const { witness, close } = await openWitness({ hostname: '127.0.0.1', port: 0 });
  const agent = new Agent({ pipelining: 1 });
  const runs = new Map(exchanges.flatMap(startedRun).map((runId) => [runId, deferred()]));
  const withThisRunsIds = renaming(runs, witness);
  await eachConcurrently(exchanges, 8, async (recorded) => {
    const { method, url, headers, body } = recorded.request;
    const { pathname, search } = new URL(url);
    const [started] = startedRun(recorded);
    const path = await withThisRunsIds(pathname + search);
    const answer = await request(baseUrls[url.startsWith(`${baseUrlB}/`) ? 1 : 0] + path, {
      dispatcher: agent,
      method,
      headers: { ...headers, ...(headers.authorization && { authorization: `Bearer ${apiKey}` }) },
      ...(body && { body: await withThisRunsIds(body.text) }),
    });
    const text = await readAsFar(answer, recorded.answer);
    if (started !== undefined) runs.get(started).resolve(answer.statusCode < 300 ? JSON.parse(text).runId : started);
  });
  await agent.close();
  await close();
}

/** Ids, times and ports are as long in each run, but for a few digits. */
const NEARLY = 0.98;

/** The text of an answer; an event stream is left where it was left when it was recorded: that of a run that waits has no end. */
async function readAsFar({ headers, body }, recorded) {
  if (!String(headers['content-type']).startsWith('text/event-stream')) return body.text();
  const most = NEARLY * (recorded.body?.bytes ?? 0);
  let [text, bytes] = ['', 0];
  for await (const chunk of body) {
    text += chunk;
    bytes += chunk.length;
    if (bytes >= most) break;
  }
  return text;
}

/** The run that an exchange created, as it was called when it was recorded. */
function startedRun({ request: { method, url }, answer }) {
  if (method !== 'POST' || !/\/v1\/runs(?:\/[^/]+:fork)?$/u.test(url)) return [];
  if (answer.kind !== 'response' || answer.status > 299 || answer.body.truncated) return [];
  const { runId } = JSON.parse(answer.body.text);
  return typeof runId === 'string' ? [runId] : [];
}

/** Gives texts with what was recorded of that run in the words of this one: runs that were made before, places at the witness. */
function renaming(runs, witness) {
  const visits = new Map();
  const visitOf = (recorded) => {
    const visit = visits.get(recorded) ?? witness.visit();
    if (!visits.has(recorded)) visit.stageChat([{ kind: 'valid', content: '{"valid":true}' }]);
    visits.set(recorded, visit);
    return visit;
  };
  return async (text) => {
    let renamed = text;
    for (const [recorded] of text.matchAll(/run_[0-9A-Z]{26}/gu)) {
      const made = runs.get(recorded);
      if (made !== undefined) renamed = renamed.replaceAll(recorded, await made.promise);
    }
    for (const [recorded] of text.matchAll(/http:\/\/127\.0\.0\.1:\d+\/w\/[0-9a-f]+/gu)) {
      renamed = renamed.replaceAll(recorded, visitOf(recorded).url);
    }
    return renamed;
  };
}

function deferred() {
  let resolve;
  const promise = new Promise((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}
