import { describe, expect, it } from 'vitest';
import { closedAfterEach } from '../../test/closing.ts';
import { serveEffects, type Effects } from '../../test/effects.ts';
import { comparable, testClient, type FinishedRun, type TestClient } from '../../test/reference-client.ts';
import { whenAsked } from '../../test/waiting-run.ts';
import { member } from '../json.ts';
import { asDefined } from '../mutants/observable-sequence/sequences.ts';
import { copied } from '../mutants/shared/replay-parts.ts';
import type { HostParts } from '../parts.ts';
import { replayPolicy, type ReplayPolicy } from '../policies/replay.ts';

const TOOL = 'conformance-determinism-side-effects';
const PARALLEL = 'conformance-determinism-parallel';
const WALL_CLOCK = 'conformance-determinism-wall-clock';
const CHAIN = 'conformance-determinism-llm-nodes';

const opened = closedAfterEach();

async function answering(...order: readonly string[]): Promise<Effects> {
  return opened(await serveEffects(order));
}

const host = (parts: Partial<HostParts>): TestClient => testClient({ parts });
const replaying = (policy: Partial<ReplayPolicy>): TestClient => host({ replay: { ...replayPolicy, ...policy } });
const start = (client: TestClient, workflowId: string, witnessUrl?: string): Promise<FinishedRun> =>
  client.run(workflowId, { body: { workflowId, inputs: witnessUrl === undefined ? {} : { witnessUrl } } });
const reports = ({ types }: FinishedRun): number => types.filter((type) => type === 'replay.diverged').length;

describe('a host with another part', () => {
  it('copies: code that would diverge does not', async () => {
    const client = replaying({ carryOut: copied });
    const source = await start(client, WALL_CLOCK);
    for (const fromSeq of [0, 2, source.events.length - 1]) {
      expect(comparable(await client.fork(source.runId, { mode: 'replay', fromSeq }))).toEqual(comparable(source));
    }
  });

  it('performs recorded acts again', async () => {
    const witness = await answering();
    const client = replaying({ observation: () => undefined });
    const source = await start(client, TOOL, witness.url);
    const replay = await client.fork(source.runId, { mode: 'replay' });
    expect(witness.calls).toHaveLength(2);
    expect(reports(replay)).toBeGreaterThan(0);
  });

  it('shows only a part of a record', async () => {
    const client = replaying({ observation: (recorded) => ({ ...recorded, events: [] }) });
    const source = await start(client, TOOL, (await answering()).url);
    const replay = await client.fork(source.runId, { mode: 'replay' });
    expect(replay.snapshot['channels']).toEqual({});
    expect(source.snapshot['channels']).not.toEqual({});
  });

  it.each([
    [1, 'branch-a', 'branch-b', 'branch-c'],
    [-1, 'branch-c', 'branch-b', 'branch-a'],
  ] as const)('takes parallel nodes in the order of the definition: %s', async (direction, ...expected) => {
    const client = replaying({ order: (_, workflow) => asDefined(workflow, direction) });
    const source = await start(client, PARALLEL, (await answering('branch-b', 'branch-a', 'branch-c')).url);
    const replay = await client.fork(source.runId, { mode: 'replay' });
    const ends = replay.events.filter(({ type }) => type === 'node.completed').map(({ nodeId }) => nodeId);
    expect(ends.filter((id) => String(id).startsWith('branch'))).toEqual(expected);
    expect(replay.snapshot['variables']).toEqual(source.snapshot['variables']);
  });

  it('inherits something else', async () => {
    const client = replaying({ inherited: (history) => history.slice(0, -1) });
    const source = await start(client, WALL_CLOCK);
    const fromSeq = source.types.lastIndexOf('variable.changed') + 1;
    expect(reports(await client.fork(source.runId, { mode: 'replay', fromSeq }))).toBeGreaterThan(0);
  });

  it('says something else about a divergence, or ends the run with it', async () => {
    const diverged: readonly ReplayPolicy['diverged'][] = [
      () => [],
      (report) => [report, report],
      (report) => [report, { type: 'run.failed', payload: { error: { code: 'diverged', message: '' } } }],
    ];
    const seen: unknown[] = [];
    for (const each of diverged) {
      const client = replaying({ diverged: each });
      const source = await start(client, WALL_CLOCK);
      const replay = await client.fork(source.runId, { mode: 'replay' });
      seen.push([reports(replay), replay.snapshot['status']]);
    }
    expect(seen).toEqual([
      [0, 'completed'],
      [4, 'completed'],
      [1, 'failed'],
    ]);
  });

  it('asks again about an interrupt', async () => {
    const client = replaying({ observation: (recorded, act) => (isAnswer(act.request) ? undefined : recorded) });
    const workflowId = 'conformance-determinism-interrupt';
    const { body } = await client.post('/v1/runs', { workflowId });
    const source = String(body['runId']);
    const answer = async (runId: string): Promise<number> =>
      (await client.post(`/v1/runs/${runId}/interrupts/ask`, { resumeValue: 1 })).status;
    await whenAsked(client, source);
    expect(await answer(source)).toBe(200);
    await client.get(`/v1/runs/${source}/events`);
    const fork = await client.post(`/v1/runs/${source}:fork`, { mode: 'replay' });
    const replay = String(fork.body['runId']);
    await whenAsked(client, replay);
    expect((await client.get(`/v1/runs/${replay}`)).body['status']).toBe('waiting-approval');
    expect(await answer(replay)).toBe(200);
  });

  it('writes more or less than a run does, and shows another snapshot', async () => {
    const client = host({
      written: (draft, { run }) => {
        if (draft.type === 'channel.written') return [];
        return draft.type === 'run.started' && run.fork !== undefined ? [draft, draft] : [draft];
      },
      snapshotOnWire: ({ status }) => ({ status }),
    });
    const source = await start(client, TOOL, (await answering()).url);
    expect(source.types).not.toContain('channel.written');
    expect(source.snapshot).toEqual({ status: 'completed' });
    const replay = await client.fork(source.runId, { mode: 'replay' });
    expect(replay.types.filter((type) => type === 'run.started')).toHaveLength(2);
  });

  it('names records by the place of the act in the log, and loses them when the code changes', async () => {
    const client = host({ actKey: (_, { logLength }) => String(logLength()) });
    const witness = await answering();
    const source = await start(client, TOOL, witness.url);
    await client.fork(source.runId, { mode: 'replay' });
    expect(witness.calls).toHaveLength(1);
    await client.post('/v1/host/sample/test/workflow-revision', { workflowId: TOOL, revision: '2.0.0' });
    await client.fork(source.runId, { mode: 'replay' });
    expect(witness.calls).toHaveLength(2);
  });

  it('goes on after a failure', async () => {
    const client = host({ endsRun: ({ code }) => code !== 'replay_diverged_at_refusal' });
    const source = await start(client, CHAIN);
    await client.stage('chat-idempotent', [{ content: '', stopReason: 'safety', refusalText: 'no' }]);
    const replay = await client.fork(source.runId, { mode: 'replay' });
    expect(replay.snapshot).toMatchObject({ status: 'failed', error: { code: 'replay_diverged_at_refusal' } });
    expect(member(replay.snapshot['nodeStates'], 'chat-plain')).toEqual({ status: 'completed' });
  });
});

function isAnswer(request: unknown): boolean {
  return member(request, 'kind') === 'core.interrupt.answer';
}
