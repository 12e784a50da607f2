import { afterAll, describe, expect, it } from 'vitest';
import { serveOnceTool } from '../test/once-tool.ts';
import { whenAsked } from '../test/waiting-run.ts';
import { clientOf, CREDENTIALS, sseEvents, type FinishedRun, type TestClient } from '../test/reference-client.ts';
import { createRegions } from './host.ts';
import type { JsonObject } from './json.ts';
import { defaultParts, type HostParts } from './parts.ts';

interface Regions {
  readonly a: TestClient;
  readonly b: TestClient;
}

function regions(parts: Partial<HostParts> = {}): Regions {
  const { first, second } = createRegions({ credentials: CREDENTIALS, enableTestSeams: true, parts });
  return { a: clientOf(first), b: clientOf(second) };
}

/** Regions of which the second one is not conformant. */
function wrong(secondRegion: Partial<HostParts['secondRegion']>): Regions {
  return regions({ secondRegion: { ...defaultParts.secondRegion, ...secondRegion } });
}

function clocks({ events }: FinishedRun): unknown[] {
  return events.map((event) => event['timestamp']);
}

const { a, b } = regions();
afterAll(() => Promise.all([a.host.close(), b.host.close()]));

async function waiting(client: TestClient): Promise<string> {
  const created = await client.post('/v1/runs', { workflowId: 'conformance-determinism-interrupt' });
  const runId = String(created.body['runId']);
  await whenAsked(client, runId);
  return runId;
}

/** What two forks of a run must have in common: everything but identities and clocks. */
function observable({ events, snapshot }: FinishedRun): unknown {
  const { status, variables, channels } = snapshot;
  return [
    status,
    variables,
    channels,
    events.map(({ sequence, type, nodeId, payload }) => [sequence, type, nodeId, payload]),
  ];
}

describe('two regions of one store', () => {
  it('say that they are', async () => {
    for (const client of [a, b]) {
      const { body } = await client.get('/.well-known/openwop');
      expect(body['idempotency']).toMatchObject({ multiRegion: { supported: true } });
      expect(body['eventLog']).toEqual({ crossEngineOrdering: { supported: true } });
      expect(body['capabilities']).toMatchObject({ eventLog: { crossEngineOrdering: { supported: true } } });
    }
  });

  it.each(['replay', 'branch'])('serve the same %s of a run', async (mode) => {
    const source = await a.run('conformance-determinism-three-nodes');
    for (const fromSeq of [0, 4, source.events.length - 1]) {
      const [here, there] = [
        await a.fork(source.runId, { mode, fromSeq }),
        await b.fork(source.runId, { mode, fromSeq }),
      ];
      expect(observable(there)).toEqual(observable(here));
      expect(there.runId).not.toBe(here.runId);
    }
  });

  it('replay the recorded answers of a model that only the other one has asked', async () => {
    await a.stage('structured-call', [{ content: '{"valid":false}', stopReason: 'end_turn' }]);
    const source = await a.run('conformance-phase4-replay-divergence');
    const replay = await b.fork(source.runId, { mode: 'replay' });
    expect(observable(replay)).toEqual(observable(source));
  });

  it('have clocks of their own', async () => {
    const [here, there] = [await a.run('conformance-noop'), await b.run('conformance-noop')];
    const ahead = Date.parse(String(there.snapshot['startedAt'])) - Date.parse(String(here.snapshot['startedAt']));
    expect(ahead).toBeGreaterThan(6 * 60_000);
    expect(there.runId > here.runId).toBe(true);
    const fork = await b.fork(here.runId, { mode: 'replay', fromSeq: 2 });
    expect(clocks(fork).slice(0, 2)).toEqual(clocks(here).slice(0, 2));
    expect(String(clocks(fork)[2]) > String(clocks(here)[2])).toBe(true);
  });

  it('show each other their runs as they go on, and take answers for them', async () => {
    const runId = await waiting(a);
    const following = b.get(`/v1/runs/${runId}/events`);
    const polling = b.get(`/v1/runs/${runId}/events/poll?lastSequence=${String(await lastOf(a, runId))}&timeout=20`);
    const resolved = await b.post(`/v1/runs/${runId}/interrupts/ask`, { resumeValue: { approved: true } });
    expect(resolved.status).toBe(200);
    expect((await polling).body['events']).not.toEqual([]);
    expect(sseEvents((await following).text).at(-1)).toMatchObject({ type: 'run.completed' });
    const again = await a.post(`/v1/runs/${runId}/interrupts/ask`, { resumeValue: 'late' });
    expect(again.status).toBe(409);
    expect((await a.get(`/v1/runs/${runId}`)).body['status']).toBe('completed');
  });

  it('end runs for each other', async () => {
    const runId = await waiting(b);
    const following = b.get(`/v1/runs/${runId}/events`);
    expect((await a.post(`/v1/runs/${runId}/cancel`, {})).body['status']).toBe('cancelled');
    expect(sseEvents((await following).text).at(-1)).toMatchObject({ type: 'run.cancelled' });
  });

  it('tell those who follow a run what is said about it elsewhere', async () => {
    const runId = await waiting(a);
    const url = `http://host/v1/runs/${runId}/events`;
    const following = await b.host.fetch(new Request(url, { headers: { authorization: 'Bearer key-a' } }));
    await a.post(`/v1/runs/${runId}/annotations`, { signal: { kind: 'label', label: 'seen' } });
    await a.post(`/v1/runs/${runId}/cancel`, {});
    expect(await following.text()).toContain('event: run.annotated');
  });

  it('hand over to children of each other’s runs', async () => {
    const workflowId = 'conformance-determinism-handoff-waiting';
    const created = await a.post('/v1/runs', { workflowId });
    const runId = String(created.body['runId']);
    const dispatched = await eventOf(a, runId, 'node.dispatched');
    const child = String((dispatched['payload'] as JsonObject)['childRunId']);
    await whenAsked(a, child);
    const fork = await b.post(`/v1/runs/${runId}:fork`, {
      mode: 'branch',
      fromSeq: dispatched['sequence'],
    });
    const forkId = String(fork.body['runId']);
    const following = [a.get(`/v1/runs/${runId}/events`), b.get(`/v1/runs/${forkId}/events`)];
    await b.post(`/v1/runs/${child}/interrupts/ask`, { resumeValue: { approved: true } });
    for (const stream of following) {
      expect(sseEvents((await stream).text).at(-1)).toMatchObject({ type: 'run.completed' });
    }
    expect((await eventOf(b, forkId, 'node.dispatched'))['payload']).toMatchObject({ childRunId: child });
  });

  it('wait for a call that a worker of the other one has under way', async () => {
    const tool = await serveOnceTool();
    tool.hold();
    const body = { workflowId: 'conformance-determinism-once', inputs: { witnessUrl: tool.url } };
    const source = String((await a.post('/v1/runs', body)).body['runId']);
    await tool.called(1);
    const replay = b.fork(source, { mode: 'replay' });
    // Longer than a lease, which the worker renews.
    await new Promise((resolve) => setTimeout(resolve, 2_500));
    tool.release();
    const { events, snapshot } = await replay;
    expect(snapshot['status']).toBe('completed');
    const original = (await a.get(`/v1/runs/${source}/events`)).text;
    expect(events.map(({ type }) => type)).toEqual(sseEvents(original).map(({ type }) => type));
    expect(tool.calls).toHaveLength(1);
    await tool.close();
  });

  it('know the Idempotency-Keys of each other', async () => {
    const headers = { 'idempotency-key': 'across' };
    const first = await a.post('/v1/runs', { workflowId: 'conformance-noop' }, { headers });
    const second = await b.post('/v1/runs', { workflowId: 'conformance-noop' }, { headers });
    expect(second.body).toEqual(first.body);
    expect(second.headers.get('openwop-idempotent-replay')).toBe('true');
  });

  it('are closed one by one', async () => {
    const two = regions();
    const run = await two.a.run('conformance-noop');
    await two.a.host.close();
    expect((await two.b.fork(run.runId, { mode: 'replay' })).snapshot['status']).toBe('completed');
    await two.b.host.close();
  });
});

describe('the second region', () => {
  it('may know no run of the first', async () => {
    const two = wrong({ servesForks: () => false });
    const run = await two.a.run('conformance-noop');
    expect((await two.b.post(`/v1/runs/${run.runId}:fork`, { mode: 'replay' })).status).toBe(404);
    expect((await two.a.post(`/v1/runs/${run.runId}:fork`, { mode: 'replay' })).status).toBe(201);
  });

  it('may have another history, or show another state', async () => {
    const two = wrong({
      inherited: (history) => history.slice(0, -1),
      snapshotOnWire: (snapshot) => ({ ...snapshot, variables: {} }),
    });
    const run = await two.a.run('conformance-determinism-three-nodes');
    const body = { mode: 'branch', fromSeq: 4 };
    const [here, there] = [await two.a.fork(run.runId, body), await two.b.fork(run.runId, body)];
    expect(there.snapshot['variables']).not.toEqual(here.snapshot['variables']);
    expect(there.events.length).toBeGreaterThan(0);
  });
});

/** A run's first event of a type, once it is there. */
async function eventOf(client: TestClient, runId: string, type: string): Promise<JsonObject> {
  for (let last = -1; ;) {
    await client.get(`/v1/runs/${runId}/events/poll?lastSequence=${last}&timeout=5`);
    const events = (await client.get(`/v1/runs/${runId}/events/poll`)).body['events'] as JsonObject[];
    const found = events.find((event) => event['type'] === type);
    if (found !== undefined) return found;
    last = Number(events.at(-1)?.['sequence']);
  }
}

async function lastOf(client: TestClient, runId: string): Promise<unknown> {
  const { body } = await client.get(`/v1/runs/${runId}/events/poll`);
  return (body['events'] as JsonObject[]).at(-1)?.['sequence'];
}
