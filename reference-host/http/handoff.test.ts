import { describe, expect, it } from 'vitest';
import { followed } from '../../test/host-lives.ts';
import { children, decisions, dispatched, handoff, transitions } from '../../test/handoffs.ts';
import { testClient, type TestClient } from '../../test/reference-client.ts';
import { whenAsked } from '../../test/waiting-run.ts';
import { member } from '../json.ts';

const PUBLIC = 'conformance-multi-agent-handoff';
const HARVESTED = [
  ['dispatch.began', 'runOrchestrator.decided'],
  ['dispatch.succeeded', 'dispatch.began'],
  ['child.completed', 'dispatch.succeeded'],
  ['output.harvested', 'child.completed'],
];

const statusOf = async (client: TestClient, runId: string): Promise<unknown> =>
  (await client.get(`/v1/runs/${runId}`)).body['status'];

describe('a handoff', () => {
  it('goes from the decision to the harvest, each transition caused by the one before', async () => {
    const client = testClient();
    const run = await client.run(PUBLIC);
    expect(transitions(run)).toEqual(HARVESTED);
    expect(decisions(run)).toEqual(['next-worker', 'terminate']);
    expect(run.snapshot).toMatchObject({ status: 'completed', variables: { parentResult: 'handoff-complete' } });
    const harvested = run.events.findIndex(({ payload }) => member(payload, 'phase') === 'output.harvested');
    expect(member(run.events[harvested]?.['payload'], 'harvestedKeys')).toEqual(['parentResult']);
    const changed = run.events.findLastIndex(({ type }) => type === 'variable.changed');
    const decided = run.events.findLastIndex(({ type }) => type === 'runOrchestrator.decided');
    expect(changed).toBeLessThan(decided);
  });

  it('makes a run of its own, which its tenant can read and cancel like any other', async () => {
    const client = testClient();
    const run = await client.run(PUBLIC);
    const [child = ''] = children(run);
    const { body } = await client.get(`/v1/runs/${child}`);
    expect(body).toMatchObject({
      workflowId: `${PUBLIC}-child`,
      parentRunId: run.runId,
      parentNodeId: 'dispatch',
      status: 'completed',
    });
    expect((await client.get(`/v1/runs/${child}`, { key: 'key-b' })).status).toBe(404);
    expect((await followed(client, child)).types).toContain('node.completed');
    expect(body).not.toHaveProperty('forkMode');
  });

  it('gives the child the options of its parent, and mapped values over its own defaults', async () => {
    const client = testClient();
    const body = { workflowId: handoff('relay'), inputs: { a: 1 }, configurable: { b: 2 }, tags: ['of the parent'] };
    const run = await client.run('', { body });
    expect(transitions(run)).toEqual([...HARVESTED, ...HARVESTED]);
    expect(run.snapshot['variables']).toEqual({
      shared: 'told-by-the-teller',
      rounds: 0,
      relayed: 'told-by-the-teller',
    });
    const [, echo = ''] = children(run);
    const { events, snapshot } = await followed(client, echo);
    expect(events[0]?.['payload']).toMatchObject({ inputs: { a: 1 }, configurable: { b: 2 }, tags: [] });
    expect(snapshot['variables']).toEqual({ heard: 'told-by-the-teller', turn: 0, echoed: 'told-by-the-teller' });
    const again = await client.fork(echo, { mode: 'replay' });
    expect(again.snapshot['variables']).toEqual(snapshot['variables']);
  });

  it('comes after the other where one decision names two workers', async () => {
    const run = await testClient().run(handoff('pair'));
    expect(transitions(run)).toEqual([...HARVESTED, ...HARVESTED]);
    expect(decisions(run)).toEqual(['next-worker', 'terminate']);
    expect(run.snapshot['variables']).toEqual({ shared: 'told-by-the-teller', relayed: 'told-by-the-teller' });
  });

  it('ends without a harvest where nothing is mapped, or the child has failed', async () => {
    const client = testClient();
    const unmapped = await client.run(handoff('unmapped'));
    expect(transitions(unmapped)).toEqual(HARVESTED.slice(0, 3));
    const failing = await client.run(handoff('failing'));
    expect(transitions(failing)).toEqual([...HARVESTED.slice(0, 2), ['child.failed', 'dispatch.succeeded']]);
    const failed = failing.events.find(({ payload }) => member(payload, 'phase') === 'child.failed');
    expect(member(failed?.['payload'], 'error')).toMatchObject({ code: 'broken_on_purpose' });
    for (const run of [unmapped, failing]) {
      expect(run.snapshot).toMatchObject({ status: 'completed', variables: { shared: 'untouched' } });
      expect(decisions(run)).toEqual(['next-worker', 'terminate']);
    }
  });

  it('fails once, and with it the run, where there is no such worker', async () => {
    const run = await testClient().run(handoff('missing'));
    expect(transitions(run)).toEqual([...HARVESTED.slice(0, 1), ['dispatch.failed', 'dispatch.began']]);
    expect(run.types.slice(-2)).toEqual(['node.failed', 'run.failed']);
    expect(run.snapshot).toMatchObject({ error: { code: 'dispatch_failed' }, variables: { shared: 'untouched' } });
    expect(children(run)).toEqual([]);
  });

  it('may lie within a handoff: each parent has its own chain', async () => {
    const client = testClient();
    const run = await client.run(handoff('nested'));
    expect(transitions(run)).toEqual(HARVESTED);
    expect(run.snapshot['variables']).toEqual({ result: 'handoff-complete' });
    const [inner = ''] = children(run);
    const nested = await followed(client, inner);
    expect(transitions(nested)).toEqual(HARVESTED);
    const parents = nested.events.map(({ payload }) => member(payload, 'parentRunId')).filter((id) => id !== undefined);
    expect(new Set(parents)).toEqual(new Set([inner]));
  });

  it('needs no decision in core.subWorkflow', async () => {
    const run = await testClient().run('conformance-determinism-sub-workflow');
    expect(transitions(run)).toEqual([['dispatch.began', 'node.started'], ...HARVESTED.slice(1)]);
    expect(run.snapshot).toMatchObject({ status: 'completed', variables: { shared: 'told-by-the-teller' } });
  });
});

describe('a parent whose child waits', () => {
  it('runs on, and harvests when the child has been answered', async () => {
    const client = testClient();
    const { runId, child } = await dispatched(client, handoff('waiting'));
    await whenAsked(client, child);
    expect(await statusOf(client, child)).toBe('waiting-approval');
    expect(await statusOf(client, runId)).toBe('running');
    await client.post(`/v1/runs/${child}/interrupts/ask`, { resumeValue: 'yes' });
    const run = await followed(client, runId);
    expect(transitions(run)).toEqual(HARVESTED);
    expect(run.snapshot['variables']).toEqual({ shared: 'told-in-vain' });
  });

  it('harvests nothing when the child is cancelled, and goes on', async () => {
    const client = testClient();
    const { runId, child } = await dispatched(client, handoff('waiting'));
    await whenAsked(client, child);
    await client.post(`/v1/runs/${child}/cancel`, {});
    const run = await followed(client, runId);
    expect(transitions(run)).toEqual([...HARVESTED.slice(0, 2), ['child.cancelled', 'dispatch.succeeded']]);
    expect(decisions(run)).toEqual(['next-worker', 'terminate']);
    expect(run.snapshot).toMatchObject({ status: 'completed', variables: { shared: 'untouched' } });
  });

  it('takes the child along when it is cancelled itself', async () => {
    const client = testClient();
    const { runId, child } = await dispatched(client, handoff('waiting'));
    await whenAsked(client, child);
    expect((await client.post(`/v1/runs/${runId}/cancel`, {})).body['status']).toBe('cancelled');
    expect(await statusOf(client, child)).toBe('cancelled');
    expect(transitions(await followed(client, runId))).toEqual(HARVESTED.slice(0, 2));
    await client.host.close();
  });
});

describe('a decision that somebody has to answer', () => {
  it.each([
    ['clarify', 'waiting-input', 'clarification'],
    ['escalate', 'waiting-approval', 'approval'],
  ])('%s suspends the run, and the loop goes on with the answer', async (kind, status, question) => {
    const client = testClient();
    const created = await client.post('/v1/runs', { workflowId: handoff(kind) });
    const runId = String(created.body['runId']);
    await whenAsked(client, runId);
    expect(await statusOf(client, runId)).toBe(status);
    const answer = await client.post(`/v1/runs/${runId}/interrupts/dispatch`, { resumeValue: 'go on' });
    expect(answer.status).toBe(200);
    const run = await followed(client, runId);
    expect(decisions(run)).toEqual([kind, 'next-worker', 'terminate']);
    const requested = run.events.find(({ type }) => type === 'interrupt.requested');
    expect(requested).toMatchObject({ nodeId: 'dispatch', payload: { kind: question } });
    expect(run.snapshot).toMatchObject({ status: 'completed', variables: { shared: 'told-by-the-teller' } });
    const again = await client.post(`/v1/runs/${runId}/interrupts/dispatch`, { resumeValue: 'go on' });
    expect(again.status).toBe(409);
  });
});
