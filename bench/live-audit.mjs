import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createReferenceHost, defaultCredentials, listen } from '../build/reference-host/index.js';
import { paired, timed } from './measure.mjs';

const file = (path) => fileURLToPath(new URL(path, import.meta.url));
const RUNS = 1000;
const WORKFLOW = 'conformance-multi-node';

/** `audit --base-url` of many runs against sending the same requests bare, each to a host of its own that has the runs. */
export async function benchLiveAudit() {
  const folder = mkdtempSync(join(tmpdir(), 'openwop-bench-'));
  const requests = join(folder, 'requests.json');
  try {
    const asked = await audited(folder);
    writeFileSync(requests, JSON.stringify(asked));
    const { a, b, ratio } = await paired(
      3,
      () => onHost(folder, (host) => timedProcess(auditOf(host), host)),
      () => onHost(folder, (host) => timedProcess([file('./bare-forks.mjs'), host.baseUrl, host.runs, requests], host)),
    );
    return [
      {
        what: `audit of ${RUNS} runs of a host / its requests bare`,
        measured: `${a.toFixed(0)} ms / ${b.toFixed(0)} ms`,
        ratio,
        goal: '<= 1.3',
      },
    ];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function auditOf({ baseUrl, runs }) {
  const output = `${runs}.lines`;
  return [
    file('../dist/bin/openwop-conformance.cjs'),
    'audit',
    '--base-url',
    baseUrl,
    '--runs',
    runs,
    '--output',
    output,
  ];
}

/** What an audit of one run asks for, SOURCE and FORK in the place of the two runs' ids. */
async function audited(folder) {
  const asked = [];
  await onHost(
    folder,
    async (host) => {
      asked.length = 0;
      await timedProcess(auditOf(host), host);
    },
    { count: 1, seen: (request) => asked.push(request) },
  );
  const [source] = asked.flatMap(({ path }) => /^\/v1\/runs\/([^/:?]+):fork/u.exec(path)?.slice(1) ?? []);
  return asked.map(({ path, ...rest }) => ({
    ...rest,
    path: path.replaceAll(source, 'SOURCE').replaceAll(/run_(?!SOURCE)[0-9A-Z]{26}/gu, 'FORK'),
  }));
}

/** Lends a new host with its runs to a process, and gives the milliseconds that it takes. */
async function onHost(folder, work, { count = RUNS, seen = () => undefined } = {}) {
  const { credentials, apiKey } = defaultCredentials();
  const host = createReferenceHost({ credentials, enableTestSeams: true });
  const server = await listen({
    fetch: async (request) => {
      const { pathname, search } = new URL(request.url);
      const body = request.method === 'POST' ? await request.clone().text() : undefined;
      seen({ method: request.method, path: `${pathname}${search}`, accept: request.headers.get('accept'), body });
      return host.fetch(request);
    },
  });
  const runs = join(folder, 'runs');
  try {
    writeFileSync(runs, (await startRuns(host, apiKey, count)).join('\n'));
    return await work({ baseUrl: server.baseUrl, apiKey, runs });
  } finally {
    await server.close();
    await host.close();
  }
}

async function startRuns(host, apiKey, count) {
  const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' };
  const ids = [];
  for (let run = 0; run < count; run += 1) {
    const body = JSON.stringify({ workflowId: WORKFLOW, inputs: {} });
    const answer = await host.fetch(new Request('http://host/v1/runs', { method: 'POST', headers, body }));
    const { runId } = await answer.json();
    const log = await host.fetch(new Request(`http://host/v1/runs/${runId}/events`, { headers }));
    await log.text();
    ids.push(runId);
  }
  return ids;
}

async function timedProcess(args, { apiKey }) {
  return timed(async () => {
    const env = { ...process.env, OPENWOP_API_KEY: apiKey };
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'pipe'], env });
    let said = '';
    child.stderr.setEncoding('utf8').on('data', (text) => {
      said += text;
    });
    const [status] = await once(child, 'close');
    if (status !== 0) throw new Error(`${args.join(' ')} ended with ${status}: ${said}`);
  });
}
