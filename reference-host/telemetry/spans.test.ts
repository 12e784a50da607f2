import { rmSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { withServer } from '../../test/chat-server.ts';
import { testClient, type FinishedRun, type TestClient } from '../../test/reference-client.ts';
import type { ReferenceHostOptions } from '../host.ts';
import { member, stringMember, type JsonObject } from '../json.ts';
import { quickFolder } from '../../test/host-lives.ts';

const CONSTANT = 'conformance-determinism-constant';
const GATE = 'conformance-determinism-llm-gate';
const TRACE = '0af7651916cd43dd8448eb211c80319c';
const SPAN = 'b7ad6b7169203331';

/** The spans that a collector has got once a host on which `use` ran has been closed. */
async function spansOf(
  use: (client: TestClient) => Promise<void>,
  options: Partial<ReferenceHostOptions> = {},
): Promise<readonly JsonObject[]> {
  const bodies: string[] = [];
  const collector: RequestListener = (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      bodies.push(Buffer.concat(chunks).toString('utf8'));
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
  };
  await withServer(collector, async (url) => {
    const client = testClient({ otlpEndpoint: `${url}/v1/traces`, ...options });
    await use(client);
    await client.host.close();
  });
  return bodies.flatMap((body) => list(JSON.parse(body), 'resourceSpans', 'scopeSpans', 'spans'));
}

/** All members of the last name below every path of the names before it. */
function list(value: unknown, name: string, ...more: readonly string[]): JsonObject[] {
  const found = member(value, name) as JsonObject[];
  const [next, ...rest] = more;
  return next === undefined ? found : found.flatMap((each) => list(each, next, ...rest));
}

const nanoseconds = (event: JsonObject | undefined): string => `${Date.parse(String(event?.['timestamp']))}000000`;
const attributes = (span: JsonObject | undefined): JsonObject =>
  Object.fromEntries(list(span, 'attributes').map(({ key, value }) => [key, value]));
const runId = (span: JsonObject | undefined): unknown =>
  stringMember(attributes(span)['openwop.run_id'], 'stringValue');
const spanOf = (spans: readonly JsonObject[], run: FinishedRun | undefined): JsonObject | undefined =>
  spans.find((span) => runId(span) === run?.runId);
const diverged = (span: JsonObject | undefined): unknown =>
  member(attributes(span)['openwop.replay.diverged'], 'boolValue');
const purge = (client: TestClient): unknown => client.post('/v1/host/sample/test/llm-cache/purge', {});
const revise = (client: TestClient, revision: string): unknown =>
  client.post('/v1/host/sample/test/workflow-revision', { workflowId: CONSTANT, revision });

describe('the span of a run', () => {
  it('tells which run of which workflow it was, from its first event to its last', async () => {
    const runs: FinishedRun[] = [];
    const spans = await spansOf(async (client) => {
      runs.push(await client.run('conformance-noop'), await client.run('conformance-noop'));
    });
    expect(new Set(spans.map(runId))).toEqual(new Set(runs.map((run) => run.runId)));
    const [run] = runs;
    expect(spanOf(spans, run)).toEqual({
      traceId: expect.stringMatching(/^[0-9a-f]{32}$/) as unknown,
      spanId: expect.stringMatching(/^[0-9a-f]{16}$/) as unknown,
      name: 'openwop.run',
      kind: 1,
      startTimeUnixNano: nanoseconds(run?.events[0]),
      endTimeUnixNano: nanoseconds(run?.events.at(-1)),
      attributes: [
        { key: 'openwop.run_id', value: { stringValue: run?.runId } },
        { key: 'openwop.workflow_id', value: { stringValue: 'conformance-noop' } },
      ],
      links: [],
      status: { code: 0 },
    });
    expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(2);
  });

  it('belongs to the trace of the creating request, and a fork’s to that of the fork request', async () => {
    const spans = await spansOf(async (client) => {
      const headers = { traceparent: `00-${TRACE}-${SPAN}-01` };
      const source = await client.run('conformance-noop', { headers });
      await client.fork(source.runId, { mode: 'replay' });
    });
    const [source, replay] = [spans.find(isFork(false)), spans.find(isFork(true))];
    expect(source).toMatchObject({ traceId: TRACE, parentSpanId: SPAN });
    expect(replay).not.toHaveProperty('parentSpanId');
    expect(replay?.['traceId']).not.toBe(TRACE);
    expect(replay?.['links']).toEqual([{ traceId: TRACE, spanId: source?.['spanId'], attributes: [] }]);
  });

  it('tells where a fork came from, and only a diverging replay that it diverged', async () => {
    const runs: FinishedRun[] = [];
    const spans = await spansOf(async (client) => {
      const source = await client.run(CONSTANT);
      const same = await client.fork(source.runId, { mode: 'replay' });
      const branch = await client.fork(source.runId, { mode: 'branch', fromSeq: 1 });
      await revise(client, '2.0.0');
      const other = await client.fork(source.runId, { mode: 'replay' });
      const inherited = await client.fork(other.runId, { mode: 'replay', fromSeq: other.events.length - 1 });
      runs.push(source, same, branch, other, inherited);
    });
    const [source, , , other, inherited] = runs;
    expect(inherited?.types).toContain('replay.diverged');
    expect(runs.map((run) => diverged(spanOf(spans, run)))).toEqual([undefined, false, false, true, false]);
    expect(attributes(spanOf(spans, other))).toMatchObject({
      'openwop.replay.source_run_id': { stringValue: source?.runId },
      'openwop.replay.from_seq': { intValue: '0' },
      'openwop.replay.mode': { stringValue: 'replay' },
    });
    const last = attributes(spanOf(spans, inherited));
    expect(last['openwop.replay.from_seq']).toEqual({ intValue: String((other?.events.length ?? 0) - 1) });
  });

  it('tells that a replay diverged at a refusal, and nothing of what the provider said', async () => {
    const refusal = { content: null, stopReason: 'safety', refusalText: 'sk-secret' };
    const spans = await spansOf(async (client) => {
      await client.stage('gated-call', [{ content: { valid: true }, stopReason: 'end_turn' }, refusal]);
      const source = await client.run(GATE);
      await purge(client);
      await client.fork(source.runId, { mode: 'replay' });
    });
    expect(spans.map(diverged)).toEqual([undefined, true]);
    expect(spans.map((span) => span['status'])).toEqual([{ code: 0 }, { code: 2 }]);
    expect(JSON.stringify(spans)).not.toContain('sk-secret');
  });

  it('keeps its identity over a restart', async () => {
    const folder = quickFolder('reference-host-spans-');
    const data = join(folder, 'host.db');
    let source: FinishedRun | undefined;
    const first = await spansOf(async (client) => void (source = await client.run('conformance-noop')), { data });
    const fork = async (client: TestClient): Promise<void> =>
      void (await client.fork(String(source?.runId), { mode: 'replay' }));
    const second = await spansOf(fork, { data });
    const { traceId, spanId } = first[0] ?? {};
    expect(second[0]?.['links']).toEqual([{ traceId, spanId, attributes: [] }]);
    rmSync(folder, { recursive: true });
  });

  it('is a part', async () => {
    const parts = { span: () => ({ other: 1.5 }) };
    const spans = await spansOf(async (client) => void (await client.run('conformance-noop')), { parts });
    expect(spans.map((span) => span['attributes'])).toEqual([[{ key: 'other', value: { doubleValue: 1.5 } }]]);
  });
});

const isFork =
  (wanted: boolean) =>
  (span: JsonObject): boolean =>
    'openwop.replay.mode' in attributes(span) === wanted;

const failing = (): never => {
  throw new Error('no span');
};

describe('a collector', () => {
  it.each([
    ['that nobody serves', 'http://127.0.0.1:1/v1/traces'],
    ['without an address', 'nowhere'],
  ])('%s disturbs no run', async (_, otlpEndpoint) => {
    const client = testClient({ otlpEndpoint });
    expect((await client.run('conformance-noop')).snapshot['status']).toBe('completed');
    await client.host.close();
  });

  it('that never answers does not keep a host from closing', async () => {
    let asked = 0;
    const collector: RequestListener = () => void (asked += 1);
    await withServer(collector, async (url) => {
      const client = testClient({ otlpEndpoint: url });
      await client.run('conformance-noop');
      await client.run('conformance-noop');
      await client.host.close();
    });
    expect(asked).toBe(1);
  });

  it('cannot disturb a run by a part that fails', async () => {
    const spans = await spansOf(
      async (client) => expect((await client.run('conformance-noop')).snapshot['status']).toBe('completed'),
      { parts: { span: failing } },
    );
    expect(spans).toEqual([]);
  });
});
