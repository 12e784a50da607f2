import { afterEach, describe, expect, it, vi } from 'vitest';
import { testClient, type TestClient } from '../../test/reference-client.ts';
import { member } from '../json.ts';

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
