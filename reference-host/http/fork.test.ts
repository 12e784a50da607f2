import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../json.ts';
import { defaultParts } from '../parts.ts';
import { comparable, testClient } from '../../test/reference-client.ts';
import { sampled } from '../../test/sampled.ts';

const DIVERGENCE = 'conformance-phase4-replay-divergence';
const LLM_NODES = 'conformance-determinism-llm-nodes';
const says = (content: unknown): JsonObject => ({ content: JSON.stringify(content), stopReason: 'end_turn' });
const valid = (value: boolean): JsonObject => says({ valid: value });
const REFUSAL = { content: '', stopReason: 'safety', refusalText: 'sk-secret' };

describe('a fork request', () => {
  const client = testClient();

  it('is answered with the members of replay.md, and its URL answers', async () => {
    const source = await client.run('conformance-noop');
    const reply = await client.post(`/v1/runs/${source.runId}:fork`, { mode: 'replay' });
    expect(reply.status).toBe(201);
    const { runId, eventsUrl, ...rest } = reply.body;
    expect(rest).toMatchObject({ sourceRunId: source.runId, fromSeq: 0, mode: 'replay', status: 'running' });
    expect(runId).not.toBe(source.runId);
    expect((await client.get(String(eventsUrl))).status).toBe(200);
  });

  it.each([
    [400, '{}'],
    [400, '{"mode":"other"}'],
    [400, '{"mode":"branch"}'],
    [400, '{"mode":"branch","fromSeq":null}'],
    [400, '{"mode":"branch","fromSeq":1,"runOptionsOverlay":{"inputs":7}}'],
    [400, '{"mode":"branch","fromSeq":1,"runOptionsOverlay":{"tags":[7]}}'],
    [422, '{"mode":"branch","fromSeq":4}'],
    [201, '{"mode":"branch","fromSeq":1}'],
    [400, '{"mode":"replay","fromSeq":-1}'],
    [400, '{"mode":"replay","fromSeq":1.5}'],
    [400, '{"mode":"replay","fromSeq":"1"}'],
    [400, '{"mode":"replay","fromSeq":1e400}'],
    [400, '{"mode":"replay","runOptionsOverlay":{"tags":["x"]}}'],
    [400, '{"mode":"replay","runOptionsOverlay":[]}'],
    [400, '[]'],
    [400, 'null'],
    [400, '{'],
    [422, '{"mode":"replay","fromSeq":4}'],
    [201, '{"mode":"replay","fromSeq":3}'],
    [201, '{"mode":"replay","runOptionsOverlay":{}}'],
  ])('answers %i to %s', async (status, text) => {
    const { runId } = await client.run('conformance-noop');
    expect((await client.post(`/v1/runs/${runId}:fork`, undefined, { text })).status).toBe(status);
  });
});

describe('a replay', () => {
  it('is the same from every point of the history, and again from its own replays', async () => {
    const client = testClient();
    const source = await client.run(LLM_NODES, {});
    for (const fromSeq of sampled(source.events.keys())) {
      const replay = await client.fork(source.runId, { mode: 'replay', fromSeq });
      expect(comparable(replay)).toEqual(comparable(source));
      expect(replay.snapshot).toMatchObject({ parentRunId: source.runId, forkMode: 'replay', status: 'completed' });
      expect(replay.snapshot['variables']).toEqual(source.snapshot['variables']);
      const again = await client.fork(replay.runId, { mode: 'replay' });
      expect(comparable(again)).toEqual(comparable(source));
    }
  });

  it('shares no event identity with its source and leaves the source as it was', async () => {
    const client = testClient();
    const source = await client.run(LLM_NODES);
    const before = await client.get(`/v1/runs/${source.runId}/events`);
    const replay = await client.fork(source.runId, { mode: 'replay', fromSeq: 9 });
    const ids = new Set(source.events.map((event) => event['eventId']));
    expect(replay.events.filter((event) => ids.has(event['eventId']) || ids.has(event['causationId']))).toEqual([]);
    expect(new Set(replay.events.map((event) => event['runId']))).toEqual(new Set([replay.runId]));
    expect((await client.get(`/v1/runs/${source.runId}/events`)).text).toBe(before.text);
  });

  it('is served from the cache without a call of the provider', async () => {
    const client = testClient();
    await client.stage('structured-call', [valid(true), valid(false)]);
    const source = await client.run(DIVERGENCE);
    const replay = await client.fork(source.runId, { mode: 'replay' });
    const fresh = await client.run(DIVERGENCE);
    const seen = [source, replay, fresh].map((run) => run.snapshot['variables']);
    expect(seen).toEqual([true, true, false].map((value) => ({ structuredCall: { valid: value } })));
  });

  it('serves every kind of LLM node, whatever its idempotency setting', async () => {
    const client = testClient();
    const definition = await client.get(`/v1/workflows/${LLM_NODES}`);
    const nodes = (definition.body['nodes'] as JsonObject[]).map((node) => String(node['id']));
    for (const node of nodes) await client.stage(node, [says({ answer: 'first' }), says({ answer: 'second' })]);
    const source = await client.run(LLM_NODES);
    const replay = await client.fork(source.runId, { mode: 'replay' });
    expect(replay.snapshot['variables']).toEqual(source.snapshot['variables']);
    const fresh = await client.run(LLM_NODES);
    expect(JSON.stringify(fresh.snapshot['variables']).match(/second/g)).toHaveLength(6);
  });

  it.each([
    ['valid', 'refusal', valid(true), REFUSAL],
    ['refusal', 'valid', REFUSAL, valid(true)],
  ])('fails visibly where the source was %s and the changed provider gives %s', async (from, to, first, second) => {
    const client = testClient();
    await client.stage('structured-call', [first]);
    const source = await client.run(DIVERGENCE);
    await client.stage('structured-call', [second]);
    const replay = await client.fork(source.runId, { mode: 'replay' });
    const types = ['run.started', 'node.started', 'replay.divergedAtRefusal', 'node.failed', 'run.failed'];
    expect(replay.types).toEqual(types);
    const original = source.events.find(
      (event) => event['type'] === (from === 'valid' ? 'node.completed' : 'envelope.refusal'),
    );
    expect(replay.events[2]?.['payload']).toEqual({
      sourceRunId: source.runId,
      atSequence: original?.['sequence'],
      originalEnvelopeKind: from,
      replayEnvelopeKind: to,
      originalEventId: original?.['eventId'],
      nodeId: 'structured-call',
      refusalReason: 'safety',
    });
    expect(replay.snapshot).toMatchObject({ status: 'failed', error: { code: 'replay_diverged_at_refusal' } });
    expect(replay.snapshot['variables']).toEqual({});
    expect(JSON.stringify(replay)).not.toContain('sk-secret');
    const continued = await client.fork(replay.runId, { mode: 'replay', fromSeq: 3 });
    expect(comparable(continued)).toEqual(comparable(replay));
  });

  it.each([
    ['valid', valid(true), valid(true)],
    ['refusal', REFUSAL, REFUSAL],
  ])('raises nothing when a restaged provider stays %s', async (_, first, second) => {
    const client = testClient();
    await client.stage('structured-call', [first]);
    const source = await client.run(DIVERGENCE);
    await client.stage('structured-call', [second]);
    const replay = await client.fork(source.runId, { mode: 'replay' });
    expect(comparable(replay)).toEqual(comparable(source));
  });

  it('never reaches the nodes after a divergence', async () => {
    const client = testClient();
    const source = await client.run(LLM_NODES);
    await client.stage('chat-idempotent', [REFUSAL]);
    const replay = await client.fork(source.runId, { mode: 'replay' });
    const diverged = replay.events.filter((event) => event['type'] === 'replay.divergedAtRefusal');
    expect(diverged.map((event) => event['nodeId'])).toEqual(['chat-idempotent']);
    expect(replay.events.filter((event) => event['nodeId'] === 'chat-plain')).toEqual([]);
  });
});

/** The variables at the end of a run that a given key's owner makes. */
const variablesOf = async (client: ReturnType<typeof testClient>, key: string): Promise<unknown> => {
  const created = await client.post('/v1/runs', { workflowId: DIVERGENCE }, { key });
  const url = String(created.body['statusUrl']);
  await client.get(`${url}/events`, { key });
  return (await client.get(url, { key })).body['variables'];
};

describe('the cache policy', () => {
  it('never serves one tenant the response of another', async () => {
    const client = testClient();
    await client.stage('structured-call', [valid(true), valid(false)]);
    expect(await variablesOf(client, 'key-a')).toEqual({ structuredCall: { valid: true } });
    expect(await variablesOf(client, 'key-b')).toEqual({ structuredCall: { valid: false } });
  });

  it('is a part: one namespace for all and sharing gives a host that does', async () => {
    const llmCache = { ...defaultParts.llmCache, namespace: () => 'all', liveMayShare: () => true };
    const client = testClient({ parts: { llmCache } });
    await client.stage('structured-call', [valid(true), valid(false)]);
    expect(await variablesOf(client, 'key-a')).toEqual({ structuredCall: { valid: true } });
    expect(await variablesOf(client, 'key-b')).toEqual({ structuredCall: { valid: true } });
  });

  it('is a part: a host that asks again on replay shows it', async () => {
    const client = testClient({ parts: { llmCache: { ...defaultParts.llmCache, onReplay: () => 'ask' } } });
    await client.stage('structured-call', [valid(true), valid(false)]);
    const source = await client.run(DIVERGENCE);
    const replay = await client.fork(source.runId, { mode: 'replay' });
    expect(replay.snapshot['variables']).toEqual({ structuredCall: { valid: false } });
  });
});
