import { describe, expect, it } from 'vitest';
import { whenAsked } from '../../test/waiting-run.ts';
import { type FinishedRun, type TestClient, comparable, testClient } from '../../test/reference-client.ts';
import { member } from '../json.ts';
import { bundledWorkflows } from '../types/workflow.ts';

interface Row {
  readonly body?: object;
  /** The node that asks, what it is answered, one after the other, and the status in which the run waits. */
  readonly node?: string;
  readonly answers?: readonly unknown[];
  readonly waits?: string;
  readonly staged?: readonly unknown[];
  readonly ends?: string;
  readonly variables?: object;
  readonly channels?: object;
  readonly error?: string;
}

const ACCEPT = { action: 'accept' };
const VALID = [{ content: '{"valid":true}', stopReason: 'end_turn' }];

/** What the table of public workflows says of each. */
const PUBLIC: Readonly<Record<string, Row>> = {
  noop: {},
  'multi-node': {},
  idempotent: { body: { inputs: { nonce: 'n' } }, variables: { nonce: 'n' } },
  'version-fold': {},
  'cap-breach': { body: { configurable: { recursionLimit: 3 } }, ends: 'failed', error: 'recursion_limit_exceeded' },
  failure: { ends: 'failed', error: 'failed' },
  identity: { body: { inputs: { payload: { a: 1 } } }, variables: { payload: { a: 1 } } },
  delay: { body: { inputs: { delayMs: 20 } }, variables: { delayMs: 20 } },
  cancellable: { body: { inputs: { delayMs: 5 } } },
  'channel-ttl': { channels: { events: [{ value: 'd' }] } },
  'message-reducer': { channels: { messages: [{ messageId: 'message-1' }] } },
  'conversation-replay': { channels: { conversation: [{ turn: 1 }, { turn: 2 }, { turn: 3 }] } },
  approval: { node: 'gate', answers: [ACCEPT], waits: 'waiting-approval' },
  clarification: { node: 'ask', answers: [{ answers: { q1: 'blue' } }], waits: 'waiting-input' },
  'interrupt-external-event': { node: 'wait-for-external', answers: [{ ok: true }], waits: 'waiting-external' },
  'interrupt-quorum': { node: 'gate', answers: [ACCEPT, ACCEPT, ACCEPT], waits: 'waiting-approval' },
  'subworkflow-parent': { variables: { childOutcome: 'child-completed' } },
  'subworkflow-child': {},
  'subworkflow-input-mapping': { variables: { currentPrdId: 'prd-1' } },
  'subworkflow-input-mapping-no-default': {},
  'multi-agent-handoff': { variables: { parentResult: 'handoff-complete' } },
  'multi-agent-handoff-child': {},
  'dispatch-output-mapping': { variables: { parentResult: 'done' } },
  'dispatch-output-mapping-child': {},
  'dispatch-input-mapping': {},
  'dispatch-input-mapping-no-default': {},
  'dispatch-input-mapping-child': {},
  'dispatch-cross-worker-handoff': { variables: { sharedVar: 'hello' } },
  'dispatch-cross-worker-handoff-child-a': {},
  'dispatch-cross-worker-handoff-child-b': {},
  'dispatch-per-worker-override': {},
  'dispatch-per-worker-override-child-a': {},
  'dispatch-per-worker-override-child-b': {},
  'dispatch-deterministic-fail-child': { ends: 'failed', error: 'hvmap_1b_failed_fixture' },
  'dispatch-loop': {},
  'orchestrator-dispatch': {},
  'orchestrator-terminate': {},
  'orchestrator-low-confidence': { node: 'dispatch', answers: [ACCEPT], waits: 'waiting-approval' },
  'multi-agent-confidence-escalation': { node: 'dispatch', answers: [{ go: 'on' }], waits: 'waiting-input' },
  'phase4-replay-divergence': { staged: VALID },
  'phase4-nondet-tool': { staged: VALID },
  'envelope-refusal': {
    staged: [{ stopReason: 'safety', refusalText: 'no' }],
    ends: 'failed',
    error: 'envelope_refused',
  },
  'envelope-retry-attempted': { staged: VALID },
  'envelope-retry-exhausted': {
    staged: [{ content: '[]', stopReason: 'end_turn' }],
    ends: 'failed',
    error: 'envelope_invalid',
  },
  'envelope-truncated': {
    staged: [{ content: '{"va', stopReason: 'max_tokens' }],
    ends: 'failed',
    error: 'envelope_invalid',
  },
  'envelope-recovery-applied': { staged: VALID },
};

async function finish(client: TestClient, runId: string, { node, answers = [], waits }: Row): Promise<FinishedRun> {
  for (const resumeValue of answers) {
    await whenAsked(client, runId);
    expect((await client.get(`/v1/runs/${runId}`)).body['status']).toBe(waits);
    expect((await client.post(`/v1/runs/${runId}/interrupts/${node}`, { resumeValue })).status).toBe(200);
  }
  return client.finished(runId);
}

/** A run's log as text, without what a replay may say differently. */
function text(run: FinishedRun): string {
  return JSON.stringify(comparable(run)).replaceAll(run.runId, 'the run');
}

describe('the workflows that public hosts have', () => {
  it.each(Object.entries(PUBLIC))('%s', async (name, row) => {
    const client = testClient();
    if (row.staged !== undefined) await client.stage('structured-call', row.staged);
    const created = await client.post('/v1/runs', { workflowId: `conformance-${name}`, ...row.body });
    const run = await finish(client, String(created.body['runId']), row);
    expect(run.snapshot['status']).toBe(row.ends ?? 'completed');
    expect(member(run.snapshot['error'], 'code')).toBe(row.error);
    expect(run.snapshot).toMatchObject({ variables: row.variables ?? {}, channels: row.channels ?? {} });
    // A replay asks nobody, waits for nothing and starts no second child.
    const replay = await client.fork(run.runId, { mode: 'replay', fromSeq: run.events[0]?.['sequence'] });
    expect(text(replay)).toBe(text(run));
    expect(replay.snapshot['variables']).toEqual(run.snapshot['variables']);
    expect(replay.snapshot['channels']).toEqual(run.snapshot['channels']);
  });

  it('leaves none out', () => {
    const ours = /^conformance-determinism-/u;
    const ids = [...bundledWorkflows().keys()].filter((id) => !ours.test(id));
    const cancelled = 'conformance-dispatch-cancellable-child';
    expect(ids.toSorted()).toEqual([...Object.keys(PUBLIC).map((name) => `conformance-${name}`), cancelled].toSorted());
  });

  it('can be cancelled while it waits by the clock', async () => {
    const client = testClient();
    const created = await client.post('/v1/runs', { workflowId: 'conformance-dispatch-cancellable-child' });
    const runId = String(created.body['runId']);
    await client.post(`/v1/runs/${runId}/cancel`, {});
    expect((await client.finished(runId)).snapshot['status']).toBe('cancelled');
    await client.host.close();
  });

  it('closes while a run waits by the clock', async () => {
    const client = testClient();
    await client.post('/v1/runs', { workflowId: 'conformance-cancellable' });
    await expect(client.host.close()).resolves.toBeUndefined();
  });
});
