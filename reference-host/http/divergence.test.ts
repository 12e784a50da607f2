import { describe, expect, it } from 'vitest';
import { member, type JsonObject } from '../json.ts';
import { comparable, sseEvents, testClient, type FinishedRun, type TestClient } from '../../test/reference-client.ts';

const CONSTANT = 'conformance-determinism-constant';
const WALL_CLOCK = 'conformance-determinism-wall-clock';
const CALL = 'conformance-phase4-replay-divergence';
const says = (valid: boolean): JsonObject => ({ content: { valid }, stopReason: 'end_turn' });
const REFUSAL = { content: '', stopReason: 'safety', refusalText: 'no' };

const seam = (client: TestClient, path: string, body: unknown, key = 'key-a'): ReturnType<TestClient['post']> =>
  client.post(`/v1/host/sample/test/${path}`, body, { key });
const ofType = ({ events }: FinishedRun, type: string): JsonObject[] =>
  events.filter((event) => event['type'] === type);

const both = (type: string): string[] => [`wall-clock ${type}`, `wall-clock ${type}`];
const withoutReports = (run: FinishedRun): unknown[] =>
  run.events.filter(({ type }) => type !== 'replay.diverged').map(({ type, payload }) => [type, payload]);
const label = (run: FinishedRun, id: unknown): string => {
  const event = run.events.find(({ eventId }) => eventId === id);
  return `${String(event?.['nodeId'])} ${String(event?.['type'])}`;
};

/** Both sides of every report in a replay, found by the ids that the report names. */
function sides(source: FinishedRun, replay: FinishedRun): unknown[] {
  return ofType(replay, 'replay.diverged').map(({ payload }) => [
    label(source, member(payload, 'originalEventId')),
    label(replay, member(payload, 'replayEventId')),
  ]);
}

describe('replay.diverged', () => {
  it('reports every event that reads the wall clock, and the run goes on to its end', async () => {
    const client = testClient();
    const source = await client.run(WALL_CLOCK);
    const replay = await client.fork(source.runId, { mode: 'replay' });
    expect(sides(source, replay)).toEqual([both('variable.changed'), both('node.completed')]);
    expect(replay.types.filter((type) => type !== 'replay.diverged')).toEqual(source.types);
    expect(replay.snapshot['status']).toBe('completed');
    const [report] = ofType(replay, 'replay.diverged');
    const atSequence = source.types.indexOf('variable.changed');
    expect(report?.['payload']).toMatchObject({ sourceRunId: source.runId, atSequence, divergencePoint: atSequence });
    const causes = new Map(replay.events.map((event) => [event['eventId'], event['type']]));
    expect(replay.events.map((event) => causes.get(event['causationId']))).not.toContain('replay.diverged');
    const stream = await client.get(`/v1/runs/${replay.runId}/events?streamMode=debug`);
    expect(sseEvents(stream.text).map(({ type }) => type)).toEqual(replay.types);
  });

  it('does not come from history: below fromSeq the wall clock is as it was', async () => {
    const client = testClient();
    const source = await client.run(WALL_CLOCK);
    const fromSeq = source.types.indexOf('node.completed') + 1;
    const replay = await client.fork(source.runId, { mode: 'replay', fromSeq });
    expect(comparable(replay)).toEqual(comparable(source));
  });

  it.each([
    ['1.0.0', []],
    [
      '2.0.0',
      [
        ['constant variable.changed', 'constant variable.changed'],
        ['constant node.completed', 'constant node.completed'],
      ],
    ],
    ['3.0.0', [['after node.started', 'inserted node.started']]],
    ['4.0.0', [['after node.started', 'undefined run.completed']]],
  ])('shows where the current code, at revision %s, differs from the source', async (revision, expected) => {
    const client = testClient();
    const source = await client.run(CONSTANT);
    expect((await seam(client, 'workflow-revision', { workflowId: CONSTANT, revision })).status).toBe(200);
    const replay = await client.fork(source.runId, { mode: 'replay' });
    expect(sides(source, replay)).toEqual(expected);
    expect(replay.snapshot['status']).toBe('completed');
    expect(replay.types.at(-1)).toBe('run.completed');
    const fresh = await client.run(CONSTANT);
    expect(fresh.types).toEqual(replay.types.filter((type) => type !== 'replay.diverged'));
    const again = await client.fork(replay.runId, { mode: 'replay' });
    expect(ofType(again, 'replay.diverged')).toEqual([]);
  });

  it('is inherited with the history of a replay, and not repeated', async () => {
    const client = testClient();
    const source = await client.run(CONSTANT);
    await seam(client, 'workflow-revision', { workflowId: CONSTANT, revision: '2.0.0' });
    const replay = await client.fork(source.runId, { mode: 'replay' });
    for (let fromSeq = 1; fromSeq < replay.events.length; fromSeq += 1) {
      const again = await client.fork(replay.runId, { mode: 'replay', fromSeq });
      expect(withoutReports(again)).toEqual(withoutReports(replay));
      const inherited = replay.types.slice(0, fromSeq).filter((type) => type === 'replay.diverged');
      expect(ofType(again, 'replay.diverged')).toHaveLength(inherited.length);
    }
  });
});

describe('the seam workflow-revision', () => {
  const client = testClient();

  it('changes the definition that is shown', async () => {
    await seam(client, 'workflow-revision', { workflowId: CONSTANT, revision: '2.0.0' });
    expect((await client.get(`/v1/workflows/${CONSTANT}`)).body['version']).toBe('2.0.0');
  });

  it.each([
    [400, {}],
    [400, { workflowId: CONSTANT, revision: 2 }],
    [404, { workflowId: 'nope', revision: '1.0.0' }],
    [404, { workflowId: CONSTANT, revision: '9.0.0' }],
    [404, { workflowId: '__proto__', revision: '1.0.0' }],
  ])('answers %i to %j', async (status, body) => {
    expect((await seam(client, 'workflow-revision', body)).status).toBe(status);
  });
});

describe('the seam llm-cache/purge', () => {
  it('makes a replay ask again: another answer of the same kind is a divergence', async () => {
    const client = testClient();
    await client.stage('structured-call', [says(true), says(false)]);
    const source = await client.run(CALL);
    expect((await seam(client, 'llm-cache/purge', { runId: source.runId })).body).toEqual({ purged: 1 });
    const replay = await client.fork(source.runId, { mode: 'replay' });
    expect(replay.snapshot).toMatchObject({ status: 'completed', variables: { structuredCall: { valid: false } } });
    expect(sides(source, replay).length).toBeGreaterThan(0);
    expect(ofType(replay, 'replay.divergedAtRefusal')).toEqual([]);
  });

  it.each([
    ['a refusal', [says(true), REFUSAL]],
    ['an answer', [REFUSAL, says(true)]],
  ])('makes a replay ask again: %s instead is reported once, and by nothing else', async (_, program) => {
    const client = testClient();
    await client.stage('structured-call', program);
    const source = await client.run(CALL);
    await seam(client, 'llm-cache/purge', { runId: source.runId });
    const replay = await client.fork(source.runId, { mode: 'replay' });
    const types = ['run.started', 'node.started', 'replay.divergedAtRefusal', 'node.failed', 'run.failed'];
    expect(replay.types).toEqual(types);
    const again = await client.fork(replay.runId, { mode: 'replay' });
    expect(comparable(again)).toEqual(comparable(replay));
  });

  it('purges what fits every member, and nothing of another tenant', async () => {
    const client = testClient();
    const source = await client.run(CALL);
    const cacheKey = member(ofType(source, 'provider.usage')[0]?.['payload'], 'cacheKey');
    const purge = async (body: unknown, key?: string): Promise<unknown> =>
      (await seam(client, 'llm-cache/purge', body, key)).body['purged'];
    expect(await purge({}, 'key-b')).toBe(0);
    expect(await purge({ runId: source.runId, nodeId: 'other' })).toBe(0);
    expect(await purge({ nodeId: 'structured-call', cacheKey })).toBe(1);
    expect(await purge({})).toBe(0);
  });

  it.each([[[]], [{ runId: 7 }], [{ cacheKey: null }]])('refuses %j', async (body) => {
    expect((await seam(testClient(), 'llm-cache/purge', body)).status).toBe(400);
  });
});
