import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { comparable, sseEvents, testClient, type FinishedRun, type TestClient } from '../../test/reference-client.ts';
import { whenAsked } from '../../test/waiting-run.ts';
import { member, type JsonObject } from '../json.ts';
import { useFolder } from '../../test/host-lives.ts';

const ASK = 'conformance-determinism-interrupt';
const folder = useFolder('interrupts-');

type Reply = ReturnType<TestClient['post']>;
const answer = (client: TestClient, runId: string, resumeValue: unknown): Reply =>
  client.post(`/v1/runs/${runId}/interrupts/ask`, { resumeValue });
const snapshot = async (client: TestClient, runId: string): Promise<JsonObject> =>
  (await client.get(`/v1/runs/${runId}`)).body;

async function finished(client: TestClient, runId: string): Promise<FinishedRun> {
  const events = sseEvents((await client.get(`/v1/runs/${runId}/events`)).text);
  return { runId, events, types: events.map(({ type }) => type), snapshot: await snapshot(client, runId) };
}

async function started(client: TestClient): Promise<string> {
  const created = await client.post('/v1/runs', { workflowId: ASK });
  const runId = String(created.body['runId']);
  await whenAsked(client, runId);
  return runId;
}

async function forked(client: TestClient, runId: string, body: object): Promise<string> {
  return String((await client.post(`/v1/runs/${runId}:fork`, body)).body['runId']);
}

async function answered(client: TestClient, resumeValue: unknown): Promise<FinishedRun> {
  const runId = await started(client);
  await answer(client, runId, resumeValue);
  return finished(client, runId);
}

const payload = ({ events }: Pick<FinishedRun, 'events'>, type: string): unknown =>
  events.find((event) => event['type'] === type)?.['payload'];

/** A run's events for comparison, without its id where they name it. */
const ownRun = (run: FinishedRun): unknown => JSON.parse(JSON.stringify(comparable(run)).replaceAll(run.runId, 'x'));

describe('a node that asks', () => {
  it('waits for the answer and hands it on', async () => {
    const client = testClient();
    const runId = await started(client);
    expect(await snapshot(client, runId)).toMatchObject({
      status: 'waiting-approval',
      currentNodeId: 'ask',
      nodeStates: { ask: { status: 'suspended' } },
    });
    const stream = client.get(`/v1/runs/${runId}/events`);
    const reply = await answer(client, runId, { yes: true });
    expect(reply.status).toBe(200);
    expect(reply.body).toMatchObject({ runId, nodeId: 'ask' });
    const run = await finished(client, runId);
    expect(sseEvents((await stream).text)).toEqual(run.events);
    expect(run.events.filter(({ nodeId }) => nodeId === 'ask').map(({ type }) => type)).toEqual([
      'node.started',
      'interrupt.requested',
      'node.suspended',
      'interrupt.resolved',
      'node.resumed',
      'variable.changed',
      'node.completed',
    ]);
    const requested = payload(run, 'interrupt.requested');
    expect(requested).toEqual({
      runId,
      nodeId: 'ask',
      interruptId: reply.body['interruptId'],
      kind: 'approval',
      key: 'approve-change',
      data: { question: 'Go on?' },
    });
    expect(payload(run, 'interrupt.resolved')).toEqual({ ...(requested as object), resumeValue: { yes: true } });
    expect(run.snapshot).toMatchObject({ status: 'completed', variables: { approvalCopy: { yes: true } } });
  });

  it.each([[null], [false], [''], [{ deep: [1, { two: 2 }] }]])('takes %j for an answer', async (value) => {
    expect((await answered(testClient(), value)).snapshot['variables']).toMatchObject({ approvalCopy: value });
  });

  it('takes one answer, of the right form, from whom it may come', async () => {
    const client = testClient();
    const runId = await started(client);
    const path = `/v1/runs/${runId}/interrupts/ask`;
    const status = async (at: string, body: unknown, key = 'key-a'): Promise<number> =>
      (await client.post(at, body, { key })).status;
    expect(await status(path, {})).toBe(400);
    expect(await status(path, [])).toBe(400);
    expect((await client.post(path, undefined, { text: '{' })).status).toBe(400);
    expect(await status(path, { resumeValue: 1 }, 'key-reader')).toBe(403);
    expect(await status(path, { resumeValue: 1 }, 'key-b')).toBe(404);
    expect(await status(`/v1/runs/${runId}/interrupts/before`, { resumeValue: 1 })).toBe(404);
    expect(await status(`/v1/runs/${runId}/interrupts/nobody`, { resumeValue: 1 })).toBe(404);
    const replies = await Promise.all([1, 2, 3].map((value) => status(path, { resumeValue: value })));
    expect(replies.toSorted((one, other) => one - other)).toEqual([200, 409, 409]);
    await finished(client, runId);
    expect(await status(path, { resumeValue: 1 })).toBe(409);
  });

  it('can be cancelled, and then takes no answer', async () => {
    const client = testClient();
    const runId = await started(client);
    await client.post(`/v1/runs/${runId}/cancel`, {});
    expect((await finished(client, runId)).snapshot['status']).toBe('cancelled');
    const reply = await answer(client, runId, 1);
    expect([reply.status, reply.body['error']]).toEqual([422, 'run_ended']);
  });

  it('waits through a restart of the host', async () => {
    const data = join(folder, 'waiting.db');
    const first = testClient({ data });
    const runId = await started(first);
    await first.host.close();
    const second = testClient({ data });
    expect(await snapshot(second, runId)).toMatchObject({ status: 'waiting-approval' });
    await answer(second, runId, 'later');
    const run = await finished(second, runId);
    expect(run.snapshot['variables']).toMatchObject({ approvalCopy: 'later' });
    await second.host.close();
  });
});

describe('a fork of a run that has asked', () => {
  it('asks nobody again when it is a replay, from any sequence, and again for replays of it', async () => {
    const client = testClient();
    const source = await answered(client, { yes: 1 });
    for (let fromSeq = 0; fromSeq < source.events.length; fromSeq += 1) {
      const replay = await client.fork(source.runId, { mode: 'replay', fromSeq });
      expect(replay.snapshot['status']).toBe('completed');
      expect(member(payload(replay, 'interrupt.requested'), 'runId')).toBe(replay.runId);
      expect(ownRun(replay)).toEqual(ownRun(source));
      const again = await client.fork(replay.runId, { mode: 'replay', fromSeq: source.events.length - 1 - fromSeq });
      expect(ownRun(again)).toEqual(ownRun(source));
    }
  });

  it('asks anew when it is a branch, unless the answer is history', async () => {
    const client = testClient();
    const source = await answered(client, 'yes');
    for (let fromSeq = 0; fromSeq < source.events.length; fromSeq += 1) {
      const runId = await forked(client, source.runId, { mode: 'branch', fromSeq });
      const isHistory = fromSeq > source.types.indexOf('interrupt.resolved');
      await whenAsked(client, runId);
      const reply = isHistory ? undefined : await answer(client, runId, 'no');
      expect(reply?.status).toBe(isHistory ? undefined : 200);
      const branch = await finished(client, runId);
      expect(branch.types).toEqual(source.types);
      expect(branch.snapshot['variables']).toMatchObject({ approvalCopy: isHistory ? 'yes' : 'no' });
      const inherited = fromSeq > source.types.indexOf('interrupt.requested');
      const ids = [source, branch].map((run) => member(payload(run, 'interrupt.requested'), 'interruptId'));
      expect(ids[0] === ids[1]).toBe(inherited);
      const replay = await client.fork(runId, { mode: 'replay' });
      expect(replay.snapshot['variables']).toEqual(branch.snapshot['variables']);
    }
  });

  it.each(['replay', 'branch'])('waits as a %s of a run that waits, and can be answered by itself', async (mode) => {
    const client = testClient();
    const source = await started(client);
    const runId = await forked(client, source, { mode, fromSeq: 6 });
    await whenAsked(client, runId);
    expect(await snapshot(client, runId)).toMatchObject({ status: 'waiting-approval' });
    expect((await answer(client, runId, 2)).status).toBe(200);
    expect((await finished(client, runId)).snapshot['variables']).toMatchObject({ approvalCopy: 2 });
    expect(await snapshot(client, source)).toMatchObject({ status: 'waiting-approval' });
  });
});

describe('the diff of a run that has asked and its replay', () => {
  it('is empty: each names its own run', async () => {
    const client = testClient();
    const source = await answered(client, 'yes');
    const replay = await client.fork(source.runId, { mode: 'replay' });
    const { body } = await client.get(`/v1/runs/${source.runId}:diff?against=${replay.runId}`);
    expect(body).toMatchObject({ divergedAtSeq: null, eventDiffs: [] });
  });
});
