import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { closedAfterEach } from '../../test/closing.ts';
import { serveEffects, type Effects } from '../../test/effects.ts';
import { sendJson, serveHttp } from '../../test/local-server.ts';
import { comparable, sseEvents, testClient, type FinishedRun, type TestClient } from '../../test/reference-client.ts';
import { member } from '../json.ts';
import { openSqlite } from '../store/sqlite.ts';
import { sampled } from '../../test/sampled.ts';
import { useFolder } from '../../test/host-lives.ts';

const PARALLEL = 'conformance-determinism-parallel';
const folder = useFolder('parallel-');
const opened = closedAfterEach();

async function answering(...order: readonly string[]): Promise<Effects> {
  return opened(await serveEffects(order.map((branch) => `branch-${branch}`)));
}

const start = (client: TestClient, witnessUrl: string): Promise<FinishedRun> =>
  client.run(PARALLEL, { body: { workflowId: PARALLEL, inputs: { witnessUrl } } });

const ends = ({ events }: FinishedRun): unknown[] =>
  events.filter(({ type }) => type === 'node.completed').map(({ nodeId }) => nodeId);

/** What is in a log, whatever the order. */
const kinds = ({ events }: Pick<FinishedRun, 'events'>): unknown =>
  new Set(events.map(({ nodeId, type, payload }) => JSON.stringify([nodeId, type, member(payload, 'name')])));

describe('nodes that run at the same time', () => {
  it.each([
    ['c', 'a', 'b'],
    ['b', 'c', 'a'],
    ['a', 'b', 'c'],
  ])('write their events as they come: %s, %s, %s', async (...order) => {
    const client = testClient();
    const run = await start(client, (await answering(...order)).url);
    expect(ends(run).filter((id) => String(id).startsWith('branch'))).toEqual(order.map((each) => `branch-${each}`));
    expect(run.types.slice(3, 6)).toEqual(['node.started', 'node.started', 'node.started']);
    expect(ends(run).at(0)).toBe('split');
    expect(ends(run).at(-1)).toBe('join');
    const { variables } = run.snapshot as { variables: Record<string, unknown> };
    for (const each of ['A', 'B', 'C']) expect(variables[`mark${each}`]).toEqual(variables[`result${each}`]);
  });

  it('replay in the recorded order, from every sequence, and again from every replay', async () => {
    const client = testClient();
    const witness = await answering('c', 'a', 'b');
    const source = await start(client, witness.url);
    for (const fromSeq of sampled(source.events.keys())) {
      const replay = await client.fork(source.runId, { mode: 'replay', fromSeq });
      expect(comparable(replay)).toEqual(comparable(source));
      expect(replay.snapshot['nodeStates']).toEqual(source.snapshot['nodeStates']);
      const again = await client.fork(replay.runId, { mode: 'replay', fromSeq: source.events.length - 1 - fromSeq });
      expect(comparable(again)).toEqual(comparable(source));
    }
    expect(witness.calls).toHaveLength(3);
  });

  it('replay in the recorded order when many forks run at the same time', async () => {
    const client = testClient();
    const witness = await answering('b', 'c', 'a');
    const source = await start(client, witness.url);
    const forks = source.events.map((_, fromSeq) => client.fork(source.runId, { mode: 'replay', fromSeq }));
    for (const replay of await Promise.all(forks)) expect(comparable(replay)).toEqual(comparable(source));
    expect(witness.calls).toHaveLength(3);
  });

  it('go on as branches from every sequence, with the history as it was', async () => {
    const client = testClient();
    const source = await start(client, (await answering('c', 'a', 'b')).url);
    for (const fromSeq of sampled(source.events.keys())) {
      const branch = await client.fork(source.runId, { mode: 'branch', fromSeq });
      expect(comparable(branch).slice(0, fromSeq)).toEqual(comparable(source).slice(0, fromSeq));
      expect(branch.snapshot['status']).toBe('completed');
      expect(kinds(branch)).toEqual(kinds(source));
    }
  });

  it('go on after a restart, and replay in the order that came of it', async () => {
    const witness = await answering('c', 'a', 'b');
    for (let kept = 1; kept < 26; kept += 5) {
      const data = join(folder, `${kept}.db`);
      const first = testClient({ data });
      const source = await start(first, witness.url);
      const replay = await first.fork(source.runId, { mode: 'replay' });
      await first.host.close();
      cut(data, source.runId, kept);
      cut(data, replay.runId, kept);
      const second = testClient({ data });
      for (const { runId } of [source, replay]) {
        const events = sseEvents((await second.get(`/v1/runs/${runId}/events`)).text);
        expect(comparable({ ...source, events }).slice(0, kept)).toEqual(comparable(source).slice(0, kept));
        expect(kinds({ events })).toEqual(kinds(source));
      }
      const again = await second.fork(source.runId, { mode: 'replay' });
      expect(again.types).not.toContain('replay.diverged');
      expect(again.snapshot['status']).toBe('completed');
      await second.host.close();
    }
  });
});

describe('the first failure among nodes that run at the same time', () => {
  it('ends the run at once: the others write nothing more, in the run and in its replays', async () => {
    const client = testClient();
    const hold = new AbortController();
    const witness = await serveHttp(({ url }, response) => {
      if (url.endsWith('branch-b')) return sendJson(response, {}, 500);
      const answer = (): void => sendJson(response, { nonce: url });
      // A call that comes when the others have been let go of is not held any more: the host would wait for it.
      if (hold.signal.aborted) answer();
      else hold.signal.addEventListener('abort', answer);
    });
    opened(witness);
    const body = { workflowId: PARALLEL, inputs: { witnessUrl: witness.baseUrl } };
    const source = await client.run(PARALLEL, { body });
    hold.abort();
    expect(source.events.slice(-2).map(({ type, nodeId }) => [type, nodeId])).toEqual([
      ['node.failed', 'branch-b'],
      ['run.failed', undefined],
    ]);
    expect(source.snapshot['nodeStates']).toMatchObject({ 'branch-a': { status: 'running' } });
    for (const fromSeq of sampled(source.events.keys())) {
      const replay = await client.fork(source.runId, { mode: 'replay', fromSeq });
      expect(comparable(replay)).toEqual(comparable(source));
    }
  });
});

function cut(data: string, runId: string, kept: number): void {
  const database = openSqlite(data);
  database.prepare('DELETE FROM events WHERE run_id = ? AND sequence >= ?').run(runId, kept);
  database.close();
}
