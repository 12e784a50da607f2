import { afterAll, beforeAll, describe, expect, it, afterEach, vi } from 'vitest';
import { join } from 'node:path';
import { useFolder } from '../../test/host-lives.ts';
import { comparable, testClient, type FinishedRun, type TestClient } from '../../test/reference-client.ts';
import { serveStagedEffects, type StagedEffects } from '../../test/staged-effects.ts';
import { whenAsked } from '../../test/waiting-run.ts';
import { member } from '../json.ts';
import { governancePolicy, type GovernancePolicy } from '../policies/governance.ts';

const TOOL = 'conformance-determinism-side-effects';

let witness: StagedEffects;
beforeAll(async () => {
  witness = await serveStagedEffects();
});
afterAll(() => witness.close());

const folder = useFolder('expired-');

type Reply = Awaited<ReturnType<TestClient['post']>>;

function expire(client: TestClient, runId: unknown, beforeSeq: unknown): Promise<Reply> {
  return client.post('/v1/host/sample/test/retention/expire', { runId, beforeSeq });
}

function start(client: TestClient, workflowId = TOOL): Promise<FinishedRun> {
  return client.run('', { body: { workflowId, inputs: { witnessUrl: witness.url }, metadata: { a: [1] } } });
}

async function expired(client: TestClient, beforeSeq: number): Promise<FinishedRun> {
  const source = await start(client);
  expect((await expire(client, source.runId, beforeSeq)).status).toBe(200);
  return source;
}

const phaseOf = (payload: unknown): unknown => member(payload, 'phase');

async function left(client: TestClient, runId: string): Promise<unknown[]> {
  const { body } = await client.get(`/v1/runs/${runId}/events/poll`);
  return (body['events'] as { sequence: number }[]).map(({ sequence }) => sequence);
}

describe('events that have expired', () => {
  it('are gone from every reading, and the run is shown as it was', async () => {
    const client = testClient();
    const source = await start(client);
    const last = source.events.length - 1;
    const reply = await expire(client, source.runId, 4);
    expect([reply.status, reply.body]).toEqual([200, { runId: source.runId, boundary: 4 }]);
    expect(await left(client, source.runId)).toEqual(source.events.slice(4).map(({ sequence }) => sequence));
    expect((await client.get(`/v1/runs/${source.runId}`)).body).toEqual(source.snapshot);
    expect((await client.get(`/v1/runs/${source.runId}/events`)).text).toContain('run.completed');
    expect((await expire(client, source.runId, 2)).body).toEqual({ runId: source.runId, boundary: 4 });
    expect((await expire(client, source.runId, last)).body).toEqual({ runId: source.runId, boundary: last });
    expect(await left(client, source.runId)).toEqual([last]);
    expect((await client.get(`/v1/runs/${source.runId}`)).body).toEqual(source.snapshot);
  });

  it.each(['replay', 'branch'])('are needed by a %s from below the boundary, which is refused', async (mode) => {
    const client = testClient();
    const { runId } = await expired(client, 5);
    for (const fromSeq of [0, 4]) {
      const { status, body } = await client.post(`/v1/runs/${runId}:fork`, { mode, fromSeq });
      const details = { sourceRunId: runId, fromSeq, retentionBoundary: 5 };
      expect([status, body]).toEqual([410, { error: 'event_range_expired', message: expect.any(String), details }]);
    }
    expect((await client.post(`/v1/runs/${runId}:fork`, { mode, fromSeq: 500 })).status).toBe(422);
    expect((await client.post(`/v1/runs/${runId}:fork`, { mode, fromSeq: -1 })).status).toBe(400);
  });

  it('are needed by the default of a replay', async () => {
    const client = testClient();
    const { runId } = await expired(client, 1);
    const { status, body } = await client.post(`/v1/runs/${runId}:fork`, { mode: 'replay' });
    expect([status, body['details']]).toEqual([410, { sourceRunId: runId, fromSeq: 0, retentionBoundary: 1 }]);
  });

  it.each([0, 1])('are not needed from the boundary on, wherever it lies; logs that begin with %i', async (first) => {
    const client = testClient({ parts: { firstSequence: first } });
    const whole = await start(client);
    const calls = witness.calls.length;
    for (let boundary = first + 1; boundary < first + whole.events.length; boundary += 1) {
      const source = await client.fork(whole.runId, { mode: 'replay', fromSeq: first + whole.events.length - 1 });
      expect((await expire(client, source.runId, boundary)).status).toBe(200);
      for (const fromSeq of new Set([boundary, Math.min(boundary + 1, whole.events.length - 1 + first)])) {
        const replay = await client.fork(source.runId, { mode: 'replay', fromSeq });
        expect(replay.types).toEqual(whole.types.slice(boundary - first));
        expect(replay.events[0]?.['sequence']).toBe(boundary);
        expect(replay.snapshot['variables']).toEqual(whole.snapshot['variables']);
        expect(replay.snapshot['channels']).toEqual(whole.snapshot['channels']);
        const again = await client.fork(replay.runId, { mode: 'replay', fromSeq });
        expect(comparable(again)).toEqual(comparable(replay));
        const below = await client.post(`/v1/runs/${replay.runId}:fork`, { mode: 'replay' });
        expect(below.status).toBe(410);
      }
    }
    expect(witness.calls).toHaveLength(calls);
  });

  it('are remembered as far as forks have to know what has happened: nobody is asked or dispatched again', async () => {
    const client = testClient();
    const whole = await start(client, 'conformance-determinism-handoff-tool');
    const created = whole.events.findIndex(({ payload }) => phaseOf(payload) === 'dispatch.succeeded');
    for (let boundary = created + 1; boundary < whole.events.length; boundary += 1) {
      const source = await client.fork(whole.runId, { mode: 'replay' });
      await expire(client, source.runId, boundary);
      const calls = witness.calls.length;
      for (const mode of ['replay', 'branch']) {
        const fork = await client.fork(source.runId, { mode, fromSeq: boundary });
        expect([mode, boundary, fork.types]).toEqual([mode, boundary, whole.types.slice(boundary)]);
        expect(fork.snapshot).toMatchObject({ status: 'completed', variables: whole.snapshot['variables'] });
      }
      expect(witness.calls).toHaveLength(calls);
    }
  });

  it('are not needed to harvest from a child that has ended', async () => {
    const client = testClient();
    const whole = await start(client, 'conformance-determinism-handoff-tool');
    const created = whole.events.findIndex(({ payload }) => phaseOf(payload) === 'dispatch.succeeded');
    const child = String(member(whole.events[created]?.['payload'], 'childRunId'));
    const last = (await left(client, child)).at(-1);
    expect((await expire(client, child, last)).status).toBe(200);
    const branch = await client.fork(whole.runId, { mode: 'branch', fromSeq: created + 1 });
    expect(branch.snapshot['variables']).toEqual(whole.snapshot['variables']);
  });

  it('stay gone, and the rest stays sound, when the host comes back', async () => {
    const data = join(folder, 'host.db');
    const before = testClient({ data });
    const source = await expired(before, 3);
    const replay = await before.fork(source.runId, { mode: 'replay', fromSeq: 3 });
    await before.host.close();
    const after = testClient({ data });
    expect(await left(after, source.runId)).toEqual(source.events.slice(3).map(({ sequence }) => sequence));
    expect((await after.get(`/v1/runs/${source.runId}`)).body).toEqual(source.snapshot);
    expect((await after.get(`/v1/runs/${replay.runId}`)).body).toEqual(replay.snapshot);
    expect((await after.post(`/v1/runs/${source.runId}:fork`, { mode: 'replay' })).status).toBe(410);
    await after.host.close();
  });

  it('still tell what is a secret in the rest', async () => {
    witness.stage('secrets', { token: 'told once, by name', echo: '' });
    const client = testClient();
    const workflowId = 'conformance-determinism-secret-error';
    const source = await start(client, workflowId);
    const failed = source.types.indexOf('node.failed');
    await expire(client, source.runId, failed);
    const { text } = await client.get(`/v1/runs/${source.runId}/events`);
    expect(text).toContain('[REDACTED]');
    expect(text).not.toContain('told once');
  });
});

describe('the seam', () => {
  it.each([
    [400, -1],
    [400, 1.5],
    [400, '2'],
    [400, undefined],
    [400, 500],
    [200, 0],
  ])('answers %i to %s', async (status, beforeSeq) => {
    const client = testClient();
    const { runId } = await client.run('conformance-noop');
    expect((await expire(client, runId, beforeSeq)).status).toBe(status);
  });

  it('knows no run of another tenant, and none that does not exist', async () => {
    const client = testClient();
    const { runId } = await client.run('conformance-noop');
    const foreign = { key: 'key-b' };
    const asOther = await client.post('/v1/host/sample/test/retention/expire', { runId, beforeSeq: 1 }, foreign);
    expect([asOther.status, (await expire(client, 'run_1', 1)).status]).toEqual([404, 404]);
    expect((await expire(client, 7, 1)).status).toBe(400);
  });

  it('lets nothing expire of a run that is not over, nor of the source of one', async () => {
    const client = testClient();
    const workflowId = 'conformance-determinism-interrupt';
    const created = await client.post('/v1/runs', { workflowId });
    const runId = String(created.body['runId']);
    await whenAsked(client, runId);
    expect((await expire(client, runId, 1)).status).toBe(409);
    await client.post(`/v1/runs/${runId}/interrupts/ask`, { resumeValue: 1 });
    await client.get(`/v1/runs/${runId}/events`);
    const branch = await client.post(`/v1/runs/${runId}:fork`, { mode: 'branch', fromSeq: 1 });
    await whenAsked(client, String(branch.body['runId']));
    expect((await expire(client, runId, 1)).status).toBe(409);
    await client.post(`/v1/runs/${String(branch.body['runId'])}/cancel`, {});
    expect((await expire(client, runId, 1)).status).toBe(200);
  });
});

describe('a host that serves expired forks', () => {
  it.each<[string, GovernancePolicy['expiredFork'], object[]]>([
    ['where fromSeq is the default', (fork) => refuse(fork.isExplicit), [{ mode: 'replay' }]],
    ['of one mode', (fork) => refuse(fork.mode === 'replay'), [{ mode: 'branch', fromSeq: 0 }]],
    [
      'whatever is asked',
      () => undefined,
      [
        { mode: 'replay', fromSeq: 2 },
        { mode: 'branch', fromSeq: 3 },
      ],
    ],
  ])('%s', async (_, expiredFork, forks) => {
    const client = testClient({ parts: { governance: { ...governancePolicy, expiredFork } } });
    const { runId } = await expired(client, 5);
    for (const fork of forks) {
      expect((await client.post(`/v1/runs/${runId}:fork`, fork)).status).toBe(201);
      expect((await client.fork(runId, fork)).snapshot['status']).toBe('completed');
    }
  });
});

function refuse(whether: boolean): ReturnType<GovernancePolicy['expiredFork']> {
  return whether ? { status: 410, body: { error: 'event_range_expired', message: 'Gone.' } } : undefined;
}

afterEach(() => {
  vi.useRealTimers();
});

const DAY = 86_400;

function later(seconds: number): void {
  const at = Date.now() + seconds * 1000;
  vi.useFakeTimers({ toFake: ['Date'] });
  vi.setSystemTime(at);
}

async function shown(client: TestClient, runId: string): Promise<number> {
  const { body } = await client.get(`/v1/runs/${runId}/events/poll`);
  return (body['events'] as unknown[]).length;
}

describe('events of a host with a time of retention', () => {
  it('are kept until the time is over', async () => {
    const client = testClient({ retentionSeconds: DAY });
    const run = await client.run('conformance-multi-node');
    later(DAY - 60);
    expect(await shown(client, run.runId)).toBe(run.events.length);
    expect((await client.post(`/v1/runs/${run.runId}:fork`, { mode: 'replay' })).status).toBe(201);
  });

  it('expire then, but for the last: the run is shown as it was, and a fork from below is refused', async () => {
    const client = testClient({ retentionSeconds: DAY });
    const run = await client.run('conformance-multi-node');
    later(DAY + 60);
    const boundary = run.events.at(-1)?.['sequence'];
    const reply = await client.post(`/v1/runs/${run.runId}:fork`, { mode: 'replay' });
    expect([reply.status, reply.body['error']]).toEqual([410, 'event_range_expired']);
    expect(reply.body['details']).toEqual({ sourceRunId: run.runId, fromSeq: 0, retentionBoundary: boundary });
    expect(await shown(client, run.runId)).toBe(1);
    expect((await client.get(`/v1/runs/${run.runId}`)).body).toEqual(run.snapshot);
  });

  it('never expire where no time is given', async () => {
    const client = testClient();
    const run = await client.run('conformance-multi-node');
    later(1000 * DAY);
    expect(await shown(client, run.runId)).toBe(run.events.length);
  });

  it('are announced with their time', async () => {
    const { body } = await testClient({ retentionSeconds: DAY }).get('/.well-known/openwop');
    const retention = member(body['replay'], 'retention');
    expect(member(retention, 'windowSeconds')).toBe(DAY);
    expect(member(retention, 'description')).toContain('86400 seconds');
    const unbounded = await testClient().get('/.well-known/openwop');
    expect(member(member(unbounded.body['replay'], 'retention'), 'windowSeconds')).toBeUndefined();
  });
});
