import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../json.ts';
import { comparable, testClient, type FinishedRun, type TestClient } from '../../test/reference-client.ts';

const IDENTITY = 'conformance-determinism-identity';
const CALL = 'conformance-phase4-replay-divergence';
const OPTIONS = {
  inputs: { value: 'in', kept: 1 },
  configurable: { value: 'conf' },
  tags: ['source'],
  metadata: { m: 1 },
};
const OVERLAY = { inputs: { value: 'in 2' }, configurable: { value: 'conf 2' }, tags: ['fork'], metadata: { n: 2 } };
const says = (valid: boolean): JsonObject => ({ content: { valid }, stopReason: 'end_turn' });

const start = (client: TestClient): Promise<FinishedRun> =>
  client.run(IDENTITY, { body: { workflowId: IDENTITY, ...OPTIONS } });

/** The sequence at which a node of the run has ended. */
function endOf({ events }: FinishedRun, nodeId: string): number {
  return Number(events.find((event) => event['type'] === 'node.completed' && event['nodeId'] === nodeId)?.['sequence']);
}

describe('a branch', () => {
  const client = testClient();

  it('inherits the history, keeps its state and runs the rest with the overlay', async () => {
    const source = await start(client);
    const before = await client.get(`/v1/runs/${source.runId}/events`);
    for (let fromSeq = 0; fromSeq < source.events.length; fromSeq += 1) {
      const branch = await client.fork(source.runId, { mode: 'branch', fromSeq, runOptionsOverlay: OVERLAY });
      expect(comparable(branch).slice(0, fromSeq)).toEqual(comparable(source).slice(0, fromSeq));
      expect(branch.types).toEqual(source.types);
      const written = (nodeId: string): boolean => fromSeq >= endOf(source, nodeId);
      expect(branch.snapshot).toMatchObject({
        status: 'completed',
        variables: { input: written('input') ? 'in' : 'in 2', configured: written('configured') ? 'conf' : 'conf 2' },
        tags: ['fork'],
        metadata: { m: 1, n: 2 },
        parentRunId: source.runId,
        forkMode: 'branch',
      });
      const ids = new Set(source.events.map((event) => event['eventId']));
      expect(branch.events.filter((event) => ids.has(event['eventId']))).toEqual([]);
    }
    expect((await client.get(`/v1/runs/${source.runId}/events`)).text).toBe(before.text);
    expect((await client.get(`/v1/runs/${source.runId}`)).body).toEqual(source.snapshot);
  });

  it('is repeated by its replays from every sequence, the change of options included', async () => {
    const source = await start(client);
    const fromSeq = endOf(source, 'input');
    const branch = await client.fork(source.runId, { mode: 'branch', fromSeq, runOptionsOverlay: OVERLAY });
    expect(branch.snapshot['variables']).toEqual({ input: 'in', configured: 'conf 2', copied: 'in' });
    for (let from = 0; from < branch.events.length; from += 1) {
      const replay = await client.fork(branch.runId, { mode: 'replay', fromSeq: from });
      expect(comparable(replay)).toEqual(comparable(branch));
      expect(replay.snapshot).toMatchObject({ tags: ['fork'], forkMode: 'replay', parentRunId: branch.runId });
    }
  });

  it('of a branch lives under both overlays, or only under its own where it leaves before the first', async () => {
    const source = await start(client);
    const first = endOf(source, 'input') + 1;
    const overlay = { metadata: { third: 3 } };
    const branch = await client.fork(source.runId, { mode: 'branch', fromSeq: first, runOptionsOverlay: OVERLAY });
    const later = await client.fork(branch.runId, { mode: 'branch', fromSeq: first + 2, runOptionsOverlay: overlay });
    const earlier = await client.fork(branch.runId, { mode: 'branch', fromSeq: 1, runOptionsOverlay: overlay });
    expect(later.snapshot).toMatchObject({ tags: ['fork'], metadata: { m: 1, n: 2, third: 3 } });
    expect(earlier.snapshot).toMatchObject({ tags: ['source'], variables: { input: 'in', configured: 'conf' } });
    expect(earlier.snapshot['metadata']).toEqual({ m: 1, third: 3 });
  });

  it('asks the provider, under the model that the overlay names, and never reports a divergence', async () => {
    const own = testClient();
    await own.stage('structured-call', [says(true), says(false)]);
    const source = await own.run(CALL);
    const overlay = { configurable: { model: 'mock-other' } };
    const branch = await own.fork(source.runId, { mode: 'branch', fromSeq: 1, runOptionsOverlay: overlay });
    expect(branch.snapshot['variables']).toEqual({ structuredCall: { valid: false } });
    expect(branch.events.find(({ type }) => type === 'provider.usage')?.['payload']).toMatchObject({
      model: 'mock-other',
    });
    expect(branch.types).toEqual(source.types);
    const replay = await own.fork(branch.runId, { mode: 'replay' });
    expect(comparable(replay)).toEqual(comparable(branch));
  });

  it('takes the response of a call that is history', async () => {
    const own = testClient();
    await own.stage('structured-call', [says(true), says(false)]);
    const source = await own.run(CALL);
    const fromSeq = source.types.indexOf('provider.usage') + 1;
    const branch = await own.fork(source.runId, { mode: 'branch', fromSeq });
    expect(comparable(branch)).toEqual(comparable(source));
    const fresh = await own.run(CALL);
    expect(fresh.snapshot['variables']).toEqual({ structuredCall: { valid: false } });
  });

  it('observes anew what is not history', async () => {
    const workflowId = 'conformance-determinism-random';
    const source = await client.run(workflowId);
    const fromSeq = endOf(source, 'random') + 1;
    const branch = await client.fork(source.runId, { mode: 'branch', fromSeq });
    const [was, is] = [source, branch].map((run) => run.snapshot['variables']) as [JsonObject, JsonObject];
    expect(is['random']).toBe(was['random']);
    expect(is['otherRandom']).not.toBe(was['otherRandom']);
  });
});
