import { createHash } from 'node:crypto';
import { describe, expect, it, vi } from 'vitest';
import { CALL, useOnceTools } from '../../test/once-tool.ts';
import { comparable, testClient, type FinishedRun, type TestClient } from '../../test/reference-client.ts';
import { followed } from '../../test/host-lives.ts';
import { whenAsked } from '../../test/waiting-run.ts';
import { member, type JsonObject } from '../json.ts';
import { EVERY_PLACE } from '../../test/sampled.ts';

const ONCE = 'conformance-determinism-once';
const tool = useOnceTools();

async function start(client: TestClient, workflowId: string, more: object): Promise<string> {
  const created = await client.post('/v1/runs', { workflowId, ...more });
  return String(created.body['runId']);
}

async function decisions(client: TestClient, runId: string): Promise<readonly JsonObject[]> {
  const { body } = await client.post('/v1/host/sample/test/invocations', { runId });
  return body['decisions'] as readonly JsonObject[];
}

const payloads = ({ events }: FinishedRun, type: string): unknown[] =>
  events.filter((event) => event['type'] === type).map((event) => event['payload']);

/** What a log is made of, whatever the order: every event once, without what differs from run to run. */
const kinds = ({ events }: FinishedRun): string[] =>
  events.map(({ type, nodeId, payload }) => JSON.stringify([type, nodeId, member(payload, 'name')])).toSorted();

describe.each([2, 8])('%i workers at one run', (workers) => {
  const configurable = { workers };

  it('call the tool once and leave one set of events, each time', async () => {
    const client = testClient();
    const witness = await tool();
    for (let time = 1; time <= TIMES; time += 1) {
      const inputs = { witnessUrl: witness.url, toolArgs: { time } };
      const run = await followed(client, await start(client, ONCE, { inputs, configurable }));
      expect(run.snapshot['status']).toBe('completed');
      expect(witness.calls).toHaveLength(time);
      expect(run.types).toEqual([
        'run.started',
        'node.started',
        ...CALL,
        'variable.changed',
        'node.completed',
        'run.completed',
      ]);
      expect(run.events.map(({ sequence }) => sequence)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
      const decided = (await decisions(client, run.runId)).map(({ decision }) => decision);
      expect(decided.filter((each) => each === 'AllowExecute')).toHaveLength(1);
      expect(new Set(decided)).toContain('WaitOtherWorker');
    }
  });

  it.each([
    ['conformance-determinism-parallel', 3],
    ['conformance-determinism-once-twice', 2],
    ['conformance-determinism-llm-nodes', 0],
    ['conformance-determinism-random', 0],
    ['conformance-determinism-clock', 0],
    ['conformance-determinism-memory-write', 0],
  ])('observe the same in %s, and write it once', async (workflowId, calls) => {
    const client = testClient();
    const witness = await tool();
    const inputs = { witnessUrl: witness.url };
    const alone = await followed(client, await start(client, workflowId, { inputs }));
    for (let time = 1; time <= TIMES; time += 1) {
      const run = await followed(client, await start(client, workflowId, { inputs, configurable }));
      expect(run.snapshot['status']).toBe('completed');
      expect(kinds(run)).toEqual(kinds(alone));
      expect(witness.calls).toHaveLength(calls * (time + 1));
      const decided = await decisions(client, run.runId);
      expect(decided.filter(({ decision }) => decision === 'AllowExecute')).toHaveLength(calls);
    }
    const source = await followed(client, await start(client, workflowId, { inputs, configurable }));
    const replay = await client.fork(source.runId, { mode: 'replay' });
    expect(comparable(replay)).toEqual(comparable(source));
  });

  it('ask one question and take one answer', async () => {
    const client = testClient();
    for (let time = 1; time <= TIMES; time += 1) {
      const runId = await start(client, 'conformance-determinism-interrupt', { configurable });
      await whenAsked(client, runId);
      await client.post(`/v1/runs/${runId}/interrupts/ask`, { resumeValue: time });
      const run = await followed(client, runId);
      expect(run.snapshot).toMatchObject({ status: 'completed', variables: { approval: time, approvalCopy: time } });
      for (const type of ['interrupt.requested', 'node.suspended', 'interrupt.resolved', 'node.resumed']) {
        expect(payloads(run, type)).toHaveLength(1);
      }
    }
  });
});

/** How often workers are let run at once: each time they may meet otherwise. */
const TIMES = EVERY_PLACE ? 20 : 5;

describe('a worker that stands still after it has acquired the call', () => {
  it('loses it to another one when its lease is over, and writes nothing more', async () => {
    const client = testClient({ leaseMs: 500 });
    const witness = await tool();
    witness.hold();
    await client.post('/v1/host/sample/test/failpoint', { name: 'after-acquire', action: 'stall', milliseconds: 1000 });
    const inputs = { witnessUrl: witness.url };
    const runId = await start(client, ONCE, { inputs, configurable: { workers: 2 } });
    await witness.called(1);
    const before = await decisions(client, runId);
    expect(before).toMatchObject([
      { decision: 'AllowExecute', found: { stream: 'none', ledger: 'NEW' } },
      { decision: 'WaitOtherWorker', found: { stream: 'none', ledger: 'INFLIGHT' } },
      { decision: 'AllowExecute', found: { stream: 'none', ledger: 'RECOVERABLE' } },
    ]);
    // It wakes up, finds that others have written, and waits for them.
    await vi.waitFor(async () => expect(await decisions(client, runId)).toHaveLength(4), { timeout: 60_000 });
    const [stalled, , successor, woken] = await decisions(client, runId);
    expect(woken).toMatchObject({ attempt: stalled?.['attempt'], decision: 'WaitOtherWorker' });
    witness.release();
    const run = await followed(client, runId);
    expect(run.types.filter((type) => CALL.includes(String(type)))).toEqual(CALL);
    expect(run.snapshot['status']).toBe('completed');
    const attempt = String(successor?.['attempt']);
    expect(attempt).not.toBe(stalled?.['attempt']);
    expect(payloads(run, 'tool_invocation_started')).toMatchObject([{ attempt_id: attempt }]);
    expect(witness.calls.map(({ headers }) => headers['idempotency-key'])).toEqual([
      `aetheris:${runId}:charge:${attempt}`,
    ]);
  });
});

describe('a worker that has slept over its lease', () => {
  it('goes on where nobody else has come, under a new one', async () => {
    const client = testClient({ leaseMs: 500 });
    const witness = await tool();
    await client.post('/v1/host/sample/test/failpoint', { name: 'after-acquire', action: 'stall', milliseconds: 550 });
    const run = await followed(client, await start(client, ONCE, { inputs: { witnessUrl: witness.url } }));
    expect(run.snapshot['status']).toBe('completed');
    const { body } = await client.post('/v1/host/sample/test/failpoint/passed', {});
    const passed = body['passed'] as readonly string[];
    const renewed = passed.indexOf('after-renew-lease');
    expect(renewed).toBeGreaterThan(passed.indexOf('after-acquire'));
    expect(renewed).toBeLessThan(passed.indexOf('before-append-started'));
    expect(witness.calls).toHaveLength(1);
  });
});

describe('the idempotency key', () => {
  it.each([
    ['{"b":1,"a":{"d":[3,1],"c":null}}', '{"a":{"c":null,"d":[3,1]},"b":1}'],
    ['{"zero":-0,"large":1e21,"small":1e-7,"one":1.0}', '{"large":1e+21,"one":1,"small":1e-7,"zero":0}'],
    [
      '{"\\u00e9":"\\u20ac","a\\u0301":"\\ud83d\\ude00","\\ufb33":1}',
      '{"a\u0301":"\u{1f600}","\u00e9":"\u20ac","\ufb33":1}',
    ],
    ['{"__proto__":{"constructor":1},"":""}', '{"":"","__proto__":{"constructor":1}}'],
    ['{"line":"\\u2028\\u000f\\n\\"/\\u007f"}', '{"line":"\u2028\\u000f\\n\\"/\u007f"}'],
    ['{}', '{}'],
  ])('of %s is made from its canonical form', async (text, canonical) => {
    const client = testClient();
    const witness = await tool();
    const body = `{"workflowId":"${ONCE}","inputs":{"witnessUrl":"${witness.url}","toolArgs":${text}}}`;
    const run = await client.run(ONCE, { text: body });
    const key = createHash('sha256').update([run.runId, 'charge', 'charge-card', canonical].join('\0')).digest('hex');
    const sent: unknown = JSON.parse(canonical);
    expect(payloads(run, 'tool_invocation_started')).toEqual([
      { tool_name: 'charge-card', arguments: sent, idempotency_key: key, attempt_id: '1' },
    ]);
    expect(payloads(run, 'tool_invocation_finished')).toMatchObject([{ idempotency_key: key, outcome: 'success' }]);
    expect(payloads(run, 'command_committed')).toEqual([{ idempotency_key: key }]);
    expect(witness.calls.map((call) => JSON.parse(call.body) as unknown)).toEqual([sent]);
  });

  it('is that of empty arguments where there are none', async () => {
    const client = testClient();
    const witness = await tool();
    const run = await followed(client, await start(client, ONCE, { inputs: { witnessUrl: witness.url } }));
    const key = createHash('sha256').update([run.runId, 'charge', 'charge-card', '{}'].join('\0')).digest('hex');
    expect(payloads(run, 'command_committed')).toEqual([{ idempotency_key: key }]);
  });

  it('cannot be made from half a character: the run fails before anything is called, and says so', async () => {
    const client = testClient();
    const witness = await tool();
    const text = `{"workflowId":"${ONCE}","inputs":{"witnessUrl":"${witness.url}","toolArgs":{"name":"\\ud800"}}}`;
    const run = await client.run(ONCE, { text });
    expect(run.snapshot).toMatchObject({ status: 'failed', error: { code: 'no_idempotency_key' } });
    expect(run.types).toEqual(['run.started', 'node.started', 'node.failed', 'run.failed']);
    expect(witness.calls).toEqual([]);
    const replay = await client.fork(run.runId, { mode: 'replay' });
    expect(comparable(replay)).toEqual(comparable(run));
  });
});
