import { afterAll, describe, expect, it } from 'vitest';
import { serveEffects, type Effects } from '../../test/effects.ts';
import { followed } from '../../test/host-lives.ts';
import { children, decisions, dispatched, handoff, repeatable, replayable, transitions } from '../../test/handoffs.ts';
import { testClient, type FinishedRun, type TestClient } from '../../test/reference-client.ts';
import { whenAsked } from '../../test/waiting-run.ts';
import { sampled } from '../../test/sampled.ts';

const effects = serveEffects();
afterAll(async () => (await effects).close());

const tool = async (): Promise<Effects> => effects;
const start = async (client: TestClient, workflowId: string): Promise<FinishedRun> =>
  client.run('', { body: { workflowId, inputs: { witnessUrl: (await tool()).url } } });

const WAYS = [
  'conformance-multi-agent-handoff',
  'conformance-determinism-sub-workflow',
  ...['relay', 'pair', 'unmapped', 'failing', 'missing', 'nested', 'tool'].map(handoff),
];

/** Answers the question of a run's dispatch node, and follows the run to its end. */
async function answered(client: TestClient, runId: string, resumeValue: string): Promise<FinishedRun> {
  await whenAsked(client, runId);
  await client.post(`/v1/runs/${runId}/interrupts/dispatch`, { resumeValue });
  return followed(client, runId);
}

async function startAsking(client: TestClient, kind: string): Promise<string> {
  return String((await client.post('/v1/runs', { workflowId: handoff(kind) })).body['runId']);
}

describe('a replay of a handoff', () => {
  it.each(WAYS)('of %s repeats its source from every sequence, and so do its own replays', async (workflowId) => {
    const client = testClient();
    const source = await start(client, workflowId);
    const calls = (await tool()).calls.length;
    for (const fromSeq of sampled(source.events.keys())) {
      const replay = await client.fork(source.runId, { mode: 'replay', fromSeq });
      expect(replayable(replay)).toEqual(replayable(source));
      expect(replay.snapshot['variables']).toEqual(source.snapshot['variables']);
      expect(children(replay)).toEqual(children(source));
      const again = await client.fork(replay.runId, { mode: 'replay', fromSeq: source.events.length - 1 - fromSeq });
      expect(replayable(again)).toEqual(replayable(source));
      const { body } = await client.get(`/v1/runs/${source.runId}:diff?against=${again.runId}`);
      expect(body).toMatchObject({ divergedAtSeq: null, eventDiffs: [], stateDiff: {} });
    }
    expect((await tool()).calls).toHaveLength(calls);
  });

  it('is the same when many run at the same time', async () => {
    const client = testClient();
    const source = await start(client, handoff('relay'));
    const forks = source.events.map((_, fromSeq) => client.fork(source.runId, { mode: 'replay', fromSeq }));
    for (const replay of await Promise.all(forks)) expect(replayable(replay)).toEqual(replayable(source));
  });

  it.each(['clarify', 'escalate'])('has the recorded answer to %s, and asks nobody', async (kind) => {
    const client = testClient();
    const source = await answered(client, await startAsking(client, kind), 'go on');
    for (const fromSeq of sampled(source.events.keys())) {
      const replay = await client.fork(source.runId, { mode: 'replay', fromSeq });
      expect(replayable(replay)).toEqual(replayable(source));
    }
  });

  it('waits for the child of a source that waits for it, and starts none', async () => {
    const client = testClient();
    const { runId, child } = await dispatched(client, handoff('waiting'));
    await whenAsked(client, child);
    const forked = await client.post(`/v1/runs/${runId}:fork`, { mode: 'replay' });
    const replay = String(forked.body['runId']);
    await client.get(`/v1/runs/${replay}/events/poll?lastSequence=6&timeout=5`);
    await client.post(`/v1/runs/${child}/interrupts/ask`, { resumeValue: 'yes' });
    const [source, repeated] = [await followed(client, runId), await followed(client, replay)];
    expect(replayable(repeated)).toEqual(replayable(source));
    expect(children(repeated)).toEqual([child]);
  });
});

describe('a branch of a handoff', () => {
  it.each(WAYS)('of %s keeps what its history has, and dispatches the rest anew', async (workflowId) => {
    const client = testClient();
    const source = await start(client, workflowId);
    for (const fromSeq of sampled(source.events.keys())) {
      const branch = await client.fork(source.runId, { mode: 'branch', fromSeq });
      const history = source.events.slice(0, fromSeq);
      const kept = transitions({ events: history }).filter(([phase]) => phase === 'dispatch.succeeded').length;
      const [before, after] = [children(branch).slice(0, kept), children(branch).slice(kept)];
      expect(before).toEqual(children(source).slice(0, kept));
      expect(after.filter((child) => children(source).includes(child))).toEqual([]);
      for (const child of after) {
        expect((await client.get(`/v1/runs/${child}`)).body['parentRunId']).toBe(branch.runId);
      }
      expect(transitions(branch)).toEqual(transitions(source));
      const replay = await client.fork(branch.runId, { mode: 'replay', fromSeq: fromSeq >> 1 });
      expect(replayable(replay)).toEqual(replayable(branch));
    }
  });

  it('asks again what its history has not answered', async () => {
    const client = testClient();
    const source = await answered(client, await startAsking(client, 'clarify'), 'go on');
    const resolved = source.types.indexOf('interrupt.resolved');
    const fork = async (fromSeq: number): Promise<string> =>
      String((await client.post(`/v1/runs/${source.runId}:fork`, { mode: 'branch', fromSeq })).body['runId']);
    const asking = await fork(resolved);
    await whenAsked(client, asking);
    expect((await client.get(`/v1/runs/${asking}`)).body['status']).toBe('waiting-input');
    expect(decisions(await answered(client, asking, 'otherwise'))).toEqual(decisions(source));
    expect(decisions(await followed(client, await fork(resolved + 1)))).toEqual(decisions(source));
  });
});

describe('a run that two workers carry out', () => {
  it('dispatches each child once', async () => {
    const client = testClient();
    const alone = await start(client, handoff('relay'));
    for (let round = 0; round < 5; round += 1) {
      const run = await client.run('', { body: { workflowId: handoff('relay'), configurable: { workers: 2 } } });
      expect(transitions(run)).toEqual(transitions(alone));
      expect(repeatable({ ...run, events: run.events.slice(1) })).toEqual(
        repeatable({ ...alone, events: alone.events.slice(1) }),
      );
    }
  });
});

describe('a fork of a handoff whose first events have expired', () => {
  it.each(['replay', 'branch'])('%s has the children of the expired history, and asks nothing again', async (mode) => {
    const client = testClient();
    const relay = await start(client, handoff('relay'));
    const clarified = await answered(client, await startAsking(client, 'clarify'), 'go on');
    for (const source of [relay, clarified]) {
      const kept = source.types.lastIndexOf('runOrchestrator.decided') - 5;
      const expired = await client.post('/v1/host/sample/test/retention/expire', {
        runId: source.runId,
        beforeSeq: kept,
      });
      expect(expired.status).toBe(200);
      for (const fromSeq of sampled([...source.events.keys()].slice(kept))) {
        const fork = await client.fork(source.runId, { mode, fromSeq });
        expect(fork.snapshot).toMatchObject({ status: 'completed', variables: source.snapshot['variables'] });
        const shown = children({ events: source.events.slice(kept, fromSeq) });
        expect(children(fork).slice(0, shown.length)).toEqual(shown);
        expect(transitions(fork).at(-1)?.[0]).toBe('output.harvested');
        expect(fork.types).not.toContain('interrupt.requested');
      }
    }
  });
});
