import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createReferenceHost, defaultCredentials, listen } from '../reference-host/index.ts';
import { isObject, type JsonObject } from '../reference-host/json.ts';
import type { Fetch } from '../reference-host/parts.ts';
import { packageFile } from '../src/contract/package-root.ts';
import type { CheckReport, Report } from '../src/contract/report.ts';
import { withTemporaryDirectory } from './cli.ts';
import { runMain } from './run-main.ts';

/** What a host of this test says of itself, and what it answers to a run of one of our workflows. */
interface Ways {
  readonly fixtures?: readonly string[];
  /** 404, 400, 422; or 201 for a run that fails at a node of a kind that the host lacks. */
  readonly ours: number;
}

const SUITES = ['run-lifecycle', 'fork-contract', 'observable-sequence', 'replay-governance', 'handoff-state-machine'];
/** Rows about the credentials of others, whose runs are of the same workflow, and about what a plain run does not show. */
const OF_OTHERS = [
  'privacy.same-access-checks',
  'privacy.same-access-checks.branch',
  'privacy.same-access-checks.scope',
  'fork.invisible-run.diff',
];

const HELLO = 'acme-hello';
/** A workflow with a node of a kind that no host has. */
const LACKING = 'acme-lacking';

/** A workflow of three nodes, and one that cannot be executed. */
function definitions(): readonly JsonObject[] {
  const all = JSON.parse(readFileSync(packageFile('fixtures', 'public-workflows.json'), 'utf8')) as JsonObject[];
  const of = (id: string): JsonObject => all.find((each) => each['id'] === id) ?? {};
  const nodes = of('conformance-noop')['nodes'] as readonly JsonObject[];
  return [
    { ...of('conformance-multi-node'), id: HELLO },
    { ...of('conformance-noop'), id: LACKING, nodes: nodes.map((node) => ({ ...node, typeId: 'acme.unheard-of' })) },
  ];
}

function none(status: number): Response {
  return Response.json({ error: 'not_found', message: 'm' }, { status });
}

function refusing({ ours }: Ways): (next: Fetch) => Fetch {
  return (next) => async (request) => {
    const { pathname } = new URL(request.url);
    if (request.method === 'GET' && pathname.startsWith('/v1/workflows/')) return none(404);
    if (request.method !== 'POST' || pathname !== '/v1/runs') return next(request);
    const text = await request.text();
    const workflowId = /"workflowId":"(?<id>conformance-[^"]*)"/u.exec(text)?.groups?.['id'];
    if (workflowId !== undefined && (ours !== 201 || workflowId.startsWith('conformance-unknown-'))) {
      return none(ours === 201 ? 404 : ours);
    }
    const headers = new Headers(request.headers);
    headers.delete('content-length');
    const body = workflowId === undefined ? text : text.replace(workflowId, LACKING);
    return next(new Request(request.url, { method: 'POST', headers, body }));
  };
}

/** Judges a host that has workflows of its own alone, and says nothing of an execution model. */
async function judged(ways: Ways, ...flags: readonly string[]): Promise<Report> {
  const { apiKey, otherTenantApiKey, blindApiKey, credentials } = defaultCredentials();
  const host = createReferenceHost({
    credentials,
    enableTestSeams: false,
    enableRegistration: true,
    parts: {
      discovery: (document) => {
        const { multiAgent: _model, capabilities: _capabilities, fixtures: _fixtures, ...rest } = document;
        return ways.fixtures === undefined ? rest : { ...rest, fixtures: ways.fixtures };
      },
      middleware: refusing(ways),
    },
  });
  const server = await listen(host);
  try {
    for (const key of [apiKey, otherTenantApiKey]) {
      const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
      for (const definition of definitions()) {
        const url = `${server.baseUrl}/v1/host/sample/workflows`;
        const { status } = await fetch(url, { method: 'POST', headers, body: JSON.stringify(definition) });
        expect(status).toBe(201);
      }
    }
    return await withTemporaryDirectory(async (directory) => {
      const [key, report] = [join(directory, 'key'), join(directory, 'report')];
      writeFileSync(key, apiKey);
      const at = ['--base-url', server.baseUrl, '--api-key-file', key, '--timeout', '30000', '--crash', 'none'];
      vi.stubEnv('OTHER_KEY', otherTenantApiKey);
      vi.stubEnv('BLIND_KEY', blindApiKey);
      const others = ['--tenant-b-key-env', 'OTHER_KEY', '--blind-key-env', 'BLIND_KEY'];
      const chosen = SUITES.flatMap((suite) => ['--suite', suite]);
      await runMain([...at, ...others, ...chosen, ...flags, '--forks', '5', '--reporter', `json=${report}`]);
      return JSON.parse(readFileSync(report, 'utf8')) as Report;
    });
  } finally {
    await server.close();
    await host.close();
  }
}

afterEach(() => vi.unstubAllEnvs());

const verdicts = ({ checks }: Report) => checks.map(({ id, verdict }) => [id, verdict] as const);

function passes(report: Report): readonly string[] {
  return verdicts(report).flatMap(([id, verdict]) => (verdict === 'pass' ? [id] : []));
}

const STEP = 'run the public workflow conformance-noop, or name one of your own with --workflow ID or in fixtures';

describe('a host that runs a workflow of its own, and none of ours', () => {
  it('is judged by it where it is named with --workflow as where it is advertised', async () => {
    const advertised = await judged({ ours: 404, fixtures: [HELLO] });
    const named = await judged({ ours: 422 }, '--workflow', HELLO);
    expect(passes(named)).toEqual(passes(advertised));
    expect(passes(named)).toEqual(expect.arrayContaining(['run.created', 'fork.created', 'fork.created.branch']));
    expect(passes(named)).toEqual(expect.arrayContaining(OF_OTHERS));
    expect(passes(named).length).toBeGreaterThan(50);
    expect(named.counts).toMatchObject({ fail: 0, error: 0 });
    expect(named.nextSteps.flatMap(({ steps }) => steps)).not.toContain(STEP);
  });

  it('is given the inputs of the workflow that is named', async () => {
    await withTemporaryDirectory(async (directory) => {
      const [inputs, evidence] = [join(directory, 'inputs'), join(directory, 'evidence')];
      writeFileSync(inputs, '{"greeting":"hello"}');
      await judged({ ours: 404 }, '--workflow', `${HELLO}=${inputs}`, '--evidence', evidence);
      const lines = readFileSync(evidence, 'utf8').trimEnd().split('\n');
      const bodies = lines.flatMap((line) => {
        const record: unknown = JSON.parse(line);
        const request = isObject(record) && isObject(record['request']) ? record['request'] : {};
        return isObject(request['body']) ? [String(request['body']['text'])] : [];
      });
      const asked = bodies.filter((text) => text.includes(HELLO));
      expect(asked.length).toBeGreaterThan(20);
      expect(asked.filter((text) => !text.includes('"inputs":{"greeting":"hello"}'))).toEqual([]);
    });
  });

  it.each([404, 400, 422, 201])('is told first to name one where nothing is named: %i for ours', async (ours) => {
    const { checks, counts, nextSteps } = await judged({ ours });
    expect(counts).toMatchObject({ fail: 0, error: 0 });
    const [first] = nextSteps;
    expect(first?.steps).toEqual([STEP]);
    expect(first?.checks.length).toBeGreaterThan(50);
    expect(first?.checks).toEqual(expect.arrayContaining(['run.created', 'run.snapshot-agrees', 'fork.created']));
    const reasons = checks.filter(({ id }) => WHERE_IT_STANDS.has(id)).map(({ reason }: CheckReport) => reason);
    expect(reasons.filter((reason) => reason?.includes(`: ${STEP}`) !== true)).toEqual([]);
    expect(reasons).toHaveLength(WHERE_IT_STANDS.size);
  });
});

const WHERE_IT_STANDS: ReadonlySet<string> = new Set(['run.created', 'fork.created', 'schema.error-envelope']);
