import { describe, expect, it } from 'vitest';
import { member } from '../json.ts';
import { comparable, testClient } from '../../test/reference-client.ts';
import { sampled } from '../../test/sampled.ts';

const KINDS = [
  'constant',
  'identity',
  'variable-write',
  'channel-write',
  'clock',
  'random',
  'version-pin',
  'memory-write',
  'llm-nodes',
  'llm-chain',
  'llm-gate',
];
const options = { inputs: { value: { a: [1] } }, configurable: { value: 'c' }, tags: ['t'] };

describe('a replay of every kind of node', () => {
  const client = testClient();

  it.each(KINDS)('%s: is the same from every sequence, and so are its own replays', async (kind) => {
    const workflowId = `conformance-determinism-${kind}`;
    const source = await client.run(workflowId, { body: { workflowId, ...options } });
    expect(source.snapshot['status']).toBe('completed');
    for (const fromSeq of sampled(source.events.keys())) {
      const replay = await client.fork(source.runId, { mode: 'replay', fromSeq });
      expect(comparable(replay)).toEqual(comparable(source));
      for (const part of ['status', 'variables', 'channels', 'tags', 'nodeStates']) {
        expect(replay.snapshot[part]).toEqual(source.snapshot[part]);
      }
      const again = await client.fork(replay.runId, { mode: 'replay', fromSeq: source.events.length - 1 - fromSeq });
      expect(comparable(again)).toEqual(comparable(source));
    }
  });
});

describe('what the kinds observe', () => {
  const client = testClient();
  const variables = async (kind: string, body = {}): Promise<unknown> => {
    const workflowId = `conformance-determinism-${kind}`;
    return (await client.run(workflowId, { body: { workflowId, ...body } })).snapshot['variables'];
  };

  it.each(['random', 'memory-write'])('%s: two runs do not see the same', async (kind) => {
    const first = await variables(kind);
    expect(await variables(kind)).not.toEqual(first);
  });

  it('reads run options, variables and channels', async () => {
    expect(await variables('identity', options)).toEqual({ input: { a: [1] }, configured: 'c', copied: { a: [1] } });
    expect(await variables('identity')).toEqual({ input: null, configured: null, copied: null });
    expect(await variables('variable-write')).toEqual({ counter: 2, before: 1 });
    const run = await client.run('conformance-determinism-channel-write');
    expect(run.snapshot).toMatchObject({ channels: { news: { count: 2 } }, variables: { before: { count: 1 } } });
  });

  it('shows a memory as a fact without its content', async () => {
    const { events } = await client.run('conformance-determinism-memory-write');
    const facts = events.filter(({ type }) => type === 'memory.written').map(({ payload }) => payload);
    expect(facts).toMatchObject([{ key: 'greeting' }, { key: 'farewell' }]);
    expect(new Set(facts.map((fact) => member(fact, 'memoryId'))).size).toBe(2);
  });
});

const PIN = 'conformance-determinism-version-pin';
const version = (value: number, other = value): object => ({
  version: value,
  otherVersion: other,
  sameVersion: value,
  sameOther: other,
});

describe('version pins', () => {
  it('are kept by a replay under newer code, and made anew by new runs and by branches from before them', async () => {
    const client = testClient();
    const source = await client.run(PIN);
    await client.post('/v1/host/sample/test/workflow-revision', { workflowId: PIN, revision: '2.0.0' });
    const replay = await client.fork(source.runId, { mode: 'replay' });
    expect(comparable(replay)).toEqual(comparable(source));
    const before = await client.fork(source.runId, { mode: 'branch', fromSeq: 1 });
    const after = await client.fork(source.runId, {
      mode: 'branch',
      fromSeq: source.types.indexOf('variable.changed'),
    });
    const fresh = await client.run(PIN);
    const pins = [source, before, after, fresh].map((run) => run.snapshot['variables']);
    expect(pins).toEqual([version(1), version(2), version(1, 2), version(2)]);
    expect(fresh.types.filter((type) => type === 'version.pinned')).toHaveLength(2);
  });

  it('fail a run whose code no longer has the version', async () => {
    const client = testClient();
    const revise = (revision: string): unknown =>
      client.post('/v1/host/sample/test/workflow-revision', { workflowId: PIN, revision });
    await revise('2.0.0');
    const source = await client.run(PIN);
    await revise('1.0.0');
    const replay = await client.fork(source.runId, { mode: 'replay' });
    expect(replay.snapshot).toMatchObject({ status: 'failed', error: { code: 'version_not_supported' } });
    expect(replay.types.filter((type) => type === 'replay.diverged')).toHaveLength(1);
  });
});
