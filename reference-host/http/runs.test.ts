import { Ajv2020 } from 'ajv/dist/2020.js';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { member } from '../json.ts';
import { packageFile } from '../package-files.ts';
import { testClient } from '../../test/reference-client.ts';

const client = testClient();

function schema(name: string): (value: unknown) => unknown {
  const ajv = new Ajv2020({ strict: false });
  ajv.addSchema(JSON.parse(readFileSync(packageFile('schemas/wire.schema.json'), 'utf8')) as object, 'wire');
  return (value) => ajv.validate(`wire#/$defs/${name}`, value);
}

describe('runs', () => {
  it('runs one node to the end', async () => {
    const run = await client.run('conformance-noop');
    expect(run.types).toEqual(['run.started', 'node.started', 'node.completed', 'run.completed']);
    expect(run.snapshot).toMatchObject({ runId: run.runId, workflowId: 'conformance-noop', status: 'completed' });
  });

  it('carries a variable from its default through the node that sets it', async () => {
    const run = await client.run('conformance-determinism-three-nodes');
    const changes = run.events.filter((event) => event['type'] === 'variable.changed');
    expect(changes.map((event) => event['payload'])).toEqual([
      { name: 'greeting', value: '' },
      { name: 'greeting', value: 'hello' },
    ]);
    expect(run.snapshot['variables']).toEqual({ greeting: 'hello' });
  });

  it('shows every LLM node output in node.completed and in its variable', async () => {
    const run = await client.run('conformance-determinism-llm-nodes');
    const outputs = run.events
      .filter((event) => event['type'] === 'node.completed')
      .map((event) => member(event['payload'], 'output'));
    expect(outputs).toHaveLength(6);
    expect(Object.values(run.snapshot['variables'] ?? {})).toEqual(outputs);
  });

  it('numbers events from 0 without gaps, each caused by the one before', async () => {
    const { events } = await client.run('conformance-determinism-three-nodes');
    expect(events.map((event) => event['sequence'])).toEqual(events.map((_, index) => index));
    expect(events.slice(1).map((event) => event['causationId'])).toEqual(
      events.slice(0, -1).map((event) => event['eventId']),
    );
    expect(events[0]).not.toHaveProperty('causationId');
  });

  it('writes events and snapshots that fit the schemas', async () => {
    await client.stage('structured-call', [{ content: '', stopReason: 'safety', refusalText: 'no' }]);
    const runs = [
      await client.run('conformance-determinism-three-nodes'),
      await client.run('conformance-phase4-replay-divergence'),
    ];
    expect(runs.flatMap((run) => run.events).every(schema('run-event'))).toBe(true);
    expect(runs.map((run) => run.snapshot).every(schema('run-snapshot'))).toBe(true);
  });

  it('keeps what a run was created with', async () => {
    const text =
      '{"workflowId":"conformance-noop","tags":["t"],"metadata":{"m":1},"inputs":{"__proto__":{"x":"\\u0000"}}}';
    const created = await client.post('/v1/runs', undefined, { text });
    expect(created.status).toBe(201);
    const snapshot = await client.get(String(created.body['statusUrl']));
    expect(snapshot.body).toMatchObject({ tags: ['t'], metadata: { m: 1 } });
    const events = await client.get(String(created.body['eventsUrl']));
    expect(events.text).toContain('"inputs":{"__proto__":{"x":"\\u0000"}}');
  });

  it.each([
    [400, 'validation_error', '[]'],
    [400, 'validation_error', '{}'],
    [400, 'validation_error', '{"workflowId":7}'],
    [400, 'validation_error', '{"workflowId":"conformance-noop","inputs":[]}'],
    [400, 'validation_error', '{"workflowId":"conformance-noop","tags":[1]}'],
    [400, 'validation_error', '{"workflowId":'],
    [403, 'forbidden', '{"workflowId":"conformance-noop","tenantId":"b"}'],
    [404, 'workflow_not_found', '{"workflowId":"nope"}'],
    [404, 'workflow_not_found', '{"workflowId":"__proto__"}'],
    [413, 'payload_too_large', `{"workflowId":"${'x'.repeat(1_048_576)}"}`],
  ])('answers %i %s to a bad create body', async (status, error, text) => {
    const reply = await client.post('/v1/runs', undefined, { text });
    expect([reply.status, reply.body['error']]).toEqual([status, error]);
    expect(schema('error-envelope')(reply.body)).toBe(true);
  });

  it('fails the run when the provider refuses, without repeating the provider', async () => {
    await client.stage('structured-call', [{ mode: 'refusal', refusalReason: 'sk-secret' }]);
    const run = await client.run('conformance-phase4-replay-divergence');
    expect(run.types.slice(-3)).toEqual(['envelope.refusal', 'node.failed', 'run.failed']);
    expect(run.snapshot).toMatchObject({ status: 'failed', error: { code: 'envelope_refused' } });
    expect(JSON.stringify(run)).not.toContain('sk-secret');
  });

  it('fails the run when the answer does not fit the output schema', async () => {
    await client.stage('structured-call', [{ content: '{"valid":"yes"}', stopReason: 'end_turn' }]);
    const run = await client.run('conformance-phase4-replay-divergence');
    expect(run.snapshot).toMatchObject({ status: 'failed', error: { code: 'envelope_invalid' } });
  });

  it('answers a staged program entry by entry and repeats the last one', async () => {
    await client.stage('structured-call', [
      { content: '{"valid":true}', stopReason: 'end_turn' },
      { mode: 'envelope', envelope: { valid: false } },
    ]);
    const seen = [];
    for (let index = 0; index < 3; index += 1) {
      seen.push((await client.run('conformance-phase4-replay-divergence')).snapshot['variables']);
    }
    expect(seen).toEqual([true, false, false].map((valid) => ({ structuredCall: { valid } })));
  });

  it('forgets programs on reset', async () => {
    await client.stage('structured-call', [{ content: '{"valid":false}', stopReason: 'end_turn' }]);
    expect((await client.post('/v1/host/sample/test/reset', {})).status).toBe(200);
    const run = await client.run('conformance-phase4-replay-divergence');
    expect(run.snapshot['variables']).toEqual({ structuredCall: { valid: true } });
  });

  it.each([
    ['no node', { program: [{ content: 'x' }] }],
    ['no entries', { nodeId: 'n', program: [] }],
    ['an unknown stop reason', { nodeId: 'n', program: [{ content: 'x', stopReason: 'bored' }] }],
    ['an entry without content', { nodeId: 'n', program: [{ stopReason: 'end_turn' }] }],
    ['an unknown mode', { nodeId: 'n', program: [{ mode: 'other' }] }],
  ])('refuses a program with %s', async (_, body) => {
    expect((await client.post('/v1/host/sample/test/mock-ai/program', body)).status).toBe(400);
  });

  it('cancels a run that has not ended, once, and leaves an ended one as it is', async () => {
    const created = await client.post('/v1/runs', { workflowId: 'conformance-determinism-three-nodes' });
    const url = String(created.body['statusUrl']);
    const runId = created.body['runId'];
    expect((await client.post(`${url}/cancel`, {})).body).toEqual({ runId, status: 'cancelled' });
    expect((await client.post(`${url}/cancel`, {})).body).toEqual({ runId, status: 'cancelled' });
    const events = await client.get(`${url}/events`, { headers: { accept: 'application/json' } });
    expect(events.text.match(/"type":"run\.(?:completed|failed|cancelled)"/g)).toHaveLength(1);
    const done = await client.run('conformance-noop');
    expect((await client.post(`/v1/runs/${done.runId}/cancel`, {})).body['status']).toBe('completed');
  });
});
