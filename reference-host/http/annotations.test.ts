import { describe, expect, it } from 'vitest';
import { whenAsked } from '../../test/waiting-run.ts';
import type { JsonObject } from '../json.ts';
import { testClient } from '../../test/reference-client.ts';
import { defects } from '../mutants/replay-governance/annotations.ts';
import { defaultParts } from '../parts.ts';

const client = testClient();
const LABEL = { signal: { kind: 'label', label: 'good' }, note: 'well done' };
const pathOf = (runId: string): string => `/v1/runs/${runId}/annotations`;
const listed = async (runId: string): Promise<JsonObject[]> =>
  (await client.get(pathOf(runId))).body['annotations'] as JsonObject[];

describe('annotations', () => {
  it('are kept beside the log of a run', async () => {
    const run = await client.run('conformance-noop');
    expect(await listed(run.runId)).toEqual([]);
    const made = await client.post(pathOf(run.runId), LABEL);
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({ ...LABEL, runId: run.runId });
    expect(await listed(run.runId)).toEqual([made.body]);
    expect((await client.get(`/v1/runs/${run.runId}/events/poll`)).body['events']).toEqual(run.events);
  });

  it.each(['replay', 'branch'])('are not inherited by a %s', async (mode) => {
    const run = await client.run('conformance-determinism-three-nodes');
    await client.post(pathOf(run.runId), LABEL);
    const fork = await client.fork(run.runId, { mode, fromSeq: 3 });
    expect(await listed(fork.runId)).toEqual([]);
    await client.post(pathOf(fork.runId), { signal: { kind: 'rating', value: 1 } });
    expect(await listed(run.runId)).toHaveLength(1);
  });

  it.each([[{}], [{ signal: 'label' }], [{ signal: [] }], [{ signal: {}, note: 1 }], [[]], ['x']])(
    'refuse %j',
    async (body) => {
      const run = await client.run('conformance-noop');
      expect((await client.post(pathOf(run.runId), body)).status).toBe(400);
      expect(await listed(run.runId)).toEqual([]);
    },
  );

  it('are of no run that the caller cannot see', async () => {
    const run = await client.run('conformance-noop');
    for (const path of [pathOf(run.runId), pathOf('run_unknown')]) {
      expect((await client.post(path, LABEL, { key: 'key-b' })).status).toBe(404);
      expect((await client.get(path, { key: 'key-b' })).status).toBe(404);
    }
    expect((await client.post(pathOf(run.runId), LABEL, { key: 'none' })).status).toBe(401);
  });

  it('are told to those who follow a run, without a number, and to nobody later', async () => {
    const created = await client.post('/v1/runs', { workflowId: 'conformance-determinism-interrupt' });
    const runId = String(created.body['runId']);
    await whenAsked(client, runId);
    await client.post(pathOf(runId), { signal: { kind: 'label', label: 'before' } });
    const url = `http://host/v1/runs/${runId}/events`;
    const stream = await client.host.fetch(new Request(url, { headers: { authorization: 'Bearer key-a' } }));
    const reader = (stream.body as ReadableStream<Uint8Array>).getReader();
    const { value } = await reader.read();
    expect(new TextDecoder().decode(value)).not.toContain('run.annotated');
    const next = reader.read();
    const made = await client.post(pathOf(runId), LABEL);
    const [frame] = new TextDecoder().decode((await next).value).split('\n\n');
    const [name, data, ...more] = (frame ?? '').split('\n');
    expect([name, more]).toEqual(['event: run.annotated', []]);
    expect(JSON.parse((data ?? '').slice('data: '.length))).toMatchObject({ runId, payload: made.body });
    await reader.cancel();
    expect((await client.get(`/v1/runs/${runId}/events/poll`)).text).not.toContain('run.annotated');
  });

  it('show no secret of their run', async () => {
    const body = { workflowId: 'conformance-determinism-interrupt', inputs: { apiKey: 'sk-canary-77' } };
    const runId = String((await client.post('/v1/runs', body)).body['runId']);
    await whenAsked(client, runId);
    const url = `http://host/v1/runs/${runId}/events`;
    const stream = await client.host.fetch(new Request(url, { headers: { authorization: 'Bearer key-a' } }));
    const made = await client.post(pathOf(runId), {
      signal: { kind: 'label', label: 'sk-canary-77' },
      note: 'saw sk-canary-77',
    });
    await client.post(`/v1/runs/${runId}/cancel`, {});
    expect(made.body).toMatchObject({ signal: { label: '[REDACTED]' }, note: 'saw [REDACTED]' });
    expect(await listed(runId)).toEqual([made.body]);
    const told = await stream.text();
    expect(told).toContain('event: run.annotated');
    expect(told).not.toContain('canary');
  });

  it('may be logged and inherited by a host with that defect', async () => {
    const sideResources = {
      ...defaultParts.sideResources,
      logged: () => [{ type: 'run.annotated', payload: {} } as const],
    };
    const inheriting = defects['branches-inherit-annotations']?.parts(defaultParts);
    const wrong = testClient({ parts: { ...inheriting, sideResources } });
    const created = await wrong.post('/v1/runs', { workflowId: 'conformance-determinism-interrupt' });
    const runId = String(created.body['runId']);
    await whenAsked(wrong, runId);
    const made = await wrong.post(pathOf(runId), LABEL);
    const { events } = (await wrong.get(`/v1/runs/${runId}/events/poll`)).body;
    expect((events as JsonObject[]).at(-1)).toMatchObject({ type: 'run.annotated' });
    const fork = await wrong.post(`/v1/runs/${runId}:fork`, { mode: 'branch', fromSeq: 1 });
    const copies = (await wrong.get(pathOf(String(fork.body['runId'])))).body['annotations'];
    expect(copies).toMatchObject([{ signal: made.body['signal'], runId: fork.body['runId'] }]);
  });
});
