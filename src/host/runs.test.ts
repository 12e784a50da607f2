import { describe, expect, it } from 'vitest';
import { answered, handleOf, unanswered } from '../../test/answers.ts';
import type { HostRequest, HostHandle } from './client.ts';
import { createRun, forkRun } from './runs.ts';

function answering(status: number, text: string): { readonly handle: HostHandle; readonly sent: HostRequest[] } {
  const sent: HostRequest[] = [];
  const handle = handleOf(async (request) => {
    sent.push(request);
    return answered(status, text);
  });
  return { handle, sent };
}

function start(status: number, text: string) {
  return createRun(answering(status, text).handle, { workflowId: 'w' });
}

describe('createRun', () => {
  it('posts the workflow and its inputs', async () => {
    const { handle, sent } = answering(201, '{"runId":"r"}');
    const run = await createRun(handle, { workflowId: 'w', inputs: { a: 1 } });
    expect(run).toEqual({ kind: 'started', runId: 'r', status: 201, body: { runId: 'r' }, exchange: 'x1' });
    const body = '{"workflowId":"w","inputs":{"a":1}}';
    expect(sent).toEqual([{ method: 'POST', path: '/v1/runs', body, headers: {} }]);
  });

  it('posts a text as it is', async () => {
    const { handle, sent } = answering(201, '{"runId":"r"}');
    await createRun(handle, '{"inputs":{"n":-0},"workflowId":"w"}');
    expect(sent).toMatchObject([{ path: '/v1/runs', body: '{"inputs":{"n":-0},"workflowId":"w"}' }]);
  });

  it.each([200, 201, 202])('takes %i for a started run', async (status) => {
    expect(await start(status, '{"runId":"r","extra":1}')).toMatchObject({ kind: 'started' });
  });

  it.each([301, 400, 401, 404, 422, 500])('takes %i for a refusal', async (status) => {
    expect(await start(status, '{"runId":"r"}')).toEqual({ kind: 'refused', status, exchange: 'x1' });
  });

  it("keeps the code of a refusal's envelope", async () => {
    expect(await start(410, '{"error":"run_expired","message":"m"}')).toMatchObject({
      code: 'run_expired',
      message: 'm',
    });
    expect(await start(410, '{"error":{"code":"run_expired"}}')).not.toHaveProperty('code');
  });

  it('gives no status where the answer goes beyond what is read, as nobody knows what it names', async () => {
    const deep = `{"runId":"r","deep":${'['.repeat(400)}${']'.repeat(400)}}`;
    const failed = await start(201, deep);
    expect(failed).toMatchObject({ kind: 'failed', failure: 'body-too-large' });
    expect(failed).not.toHaveProperty('status');
    expect(failed.kind === 'failed' && failed.reason).toContain('nests deeper than 256 levels');
    expect(await start(422, deep)).toEqual({ kind: 'refused', status: 422, exchange: 'x1' });
  });

  it.each([
    '',
    'null',
    '[]',
    '{}',
    '{"runId":7}',
    '{"runId":""}',
    String.raw`{"runId":"\ud800"}`,
    '{"runId":".."}',
    '{"runId":"."}',
    '{"__proto__":{"runId":"r"}}',
  ])('takes a 201 with %s for no run', async (text) => {
    expect(await start(201, text)).toMatchObject({ kind: 'failed', exchange: 'x1' });
  });

  it('gives no status where the runId is longer than one that is asked for, as nobody bounds it', async () => {
    const failed = await start(201, JSON.stringify({ runId: 'r'.repeat(1025) }));
    expect(failed).not.toHaveProperty('status');
    expect(failed.kind === 'failed' && failed.reason).toContain('the runId is longer than 1024 characters');
    expect(await start(201, '{"runId":".."}')).toMatchObject({
      status: 201,
      reason: 'the runId cannot stand in a URL',
    });
  });

  it('passes a transport failure on', async () => {
    const handle = handleOf(async () => unanswered('timeout'));
    const failed = { kind: 'failed', reason: 'timeout (m)', failure: 'timeout', exchange: 'x1' };
    expect(await createRun(handle, { workflowId: 'w' })).toEqual(failed);
  });
});

describe('forkRun', () => {
  it('posts below the run, whose id is encoded', async () => {
    const { handle, sent } = answering(201, '{"runId":"r"}');
    const headers = { 'idempotency-key': 'k' };
    await forkRun(handle, 'a/b?c', { mode: 'replay' }, headers);
    expect(sent).toEqual([{ method: 'POST', path: '/v1/runs/a%2Fb%3Fc:fork', body: '{"mode":"replay"}', headers }]);
  });
});
