import { Agent, request } from 'undici';
import { createRecorder } from '../build/src/evidence/recorder.js';
import { createRedactor } from '../build/src/evidence/redact.js';
import { judgeRun } from '../build/src/runner/judge.js';
import { driveRun } from '../build/src/runner/run.js';
import { SUITES } from '../build/scenarios/index.js';
import { startHost } from './host.mjs';
import { eachConcurrently, paired, timed } from './measure.mjs';

const VECTORS = 2000;
const CONCURRENCY = 8;
const SEAM = '/v1/host/sample/test/llm-cache-key';

/** Key vectors a second: generate, send, record, judge, against a bare undici loop that sends the same requests. */
export async function benchKeyVectors() {
  const host = await startHost();
  const agent = new Agent({ pipelining: 1 });
  try {
    const bodies = requestBodies(await pipeline(host));
    const { a, b, ratio } = await paired(
      5,
      async () => bodies.length / (await timed(() => pipeline(host))),
      async () => bodies.length / (await timed(() => bareLoop(host, agent, bodies))),
    );
    return [
      {
        what: `${bodies.length} key vectors, pipeline / bare undici`,
        measured: `${rate(a)} / ${rate(b)}`,
        ratio,
        goal: '>= 0.8',
      },
    ];
  } finally {
    await agent.close();
    await host.stop();
  }
}

function rate(perMs) {
  return `${Math.round(perMs * 1000)}/s`;
}

async function pipeline(host) {
  const scenarios = SUITES.flatMap((suite) => suite.scenarios).filter((scenario) =>
    scenario.checks.some((check) => check.requirement === 'cache-key.reproducible-offline'),
  );
  const options = {
    seed: 1,
    vectors: VECTORS,
    forks: 1,
    recipe: 'rfc-0041',
    level: 'must',
    allowInconclusive: false,
    requirements: [],
  };
  const recorder = createRecorder(createRedactor([host.apiKey]));
  await driveRun(
    {
      target: { baseUrl: host.baseUrl, apiKey: host.apiKey },
      scenarios,
      options,
      shown: options,
      tool: { name: 'bench', version: '0' },
      concurrency: CONCURRENCY,
      timeoutMs: 10_000,
      signal: new AbortController().signal,
    },
    recorder,
  );
  const report = judgeRun(recorder.records, SUITES, options);
  if (report.verdict !== 'conformant') throw new Error(`the pipeline said ${report.verdict}`);
  return recorder.records;
}

function requestBodies(records) {
  return records.flatMap((record) =>
    record.kind === 'observation' && typeof record.observation.request === 'string' ? [record.observation.request] : [],
  );
}

async function bareLoop(host, agent, bodies) {
  await eachConcurrently(bodies, CONCURRENCY, async (body) => {
    const answer = await request(host.baseUrl + SEAM, {
      dispatcher: agent,
      method: 'POST',
      headers: { authorization: `Bearer ${host.apiKey}`, 'content-type': 'application/json' },
      body,
    });
    const { cacheKey } = await answer.body.json();
    if (typeof cacheKey !== 'string') throw new Error('no key');
  });
}
