import { describe, expect, it } from 'vitest';
import { replayCalled, runCalled, say } from '../../test/recorded-runs.ts';
import type { Json } from '../../src/evidence/types.ts';
import { compareFacts } from './happened.ts';

/** How two runs compare of which each says this in an event of the type. */
function compared(type: string, one: Json, other: Json): string {
  const log = (payload: Json) => [say('node.started', {}, 'n'), say(type, payload, 'n'), say('run.completed')];
  return compareFacts(runCalled('src', log(one)), replayCalled('rep', log(other)), []).kind;
}

function asking(one: Json, other: Json): string {
  return compared('interrupt.requested', one, other);
}

function deciding(one: Json, other: Json): string {
  return compared('runOrchestrator.decided', one, other);
}

/** A run that asks, or a replay of the first one, whose events have `seq` in the place of `sequence`. */
function askingBySeq(kind: string, at: number) {
  const log = [say('node.started', {}, 'n'), say('interrupt.requested', { kind }, 'n')];
  const run = at === 0 ? runCalled('src', log) : replayCalled('rep', log);
  const events = run.events.map((event): Json => {
    const { sequence = null, ...rest } = Object(event) as Record<string, Json>;
    return { ...rest, seq: sequence };
  });
  return { ...run, events };
}

describe('what two runs say of a question', () => {
  it.each<readonly [string, Json, Json]>([
    ['kind', { kind: 'approval' }, { kind: 'quiz' }],
    ['key', { key: 'clarify-0' }, { key: 'clarify-1' }],
    ['words', { data: { question: 'Go on?' } }, { data: { question: 'Go back?' } }],
    ['words in a list', { data: { actions: ['accept', 'reject'] } }, { data: { actions: ['accept', 'defer'] } }],
    ['switch', { data: { isUrgent: true } }, { data: { isUrgent: false } }],
  ])('is another %s', (_, one, other) => {
    expect(asking(one, other)).toBe('different');
    expect(asking(one, one)).toBe('same');
  });

  it.each<readonly [string, Json, Json]>([
    ['id', { interruptId: 'a', data: { id: 'q1' } }, { interruptId: 'b', data: { id: 'q2' } }],
    ['key that is the id', { interruptId: 'int-a', key: 'int-a' }, { interruptId: 'int-b', key: 'int-b' }],
    ['key that was made', { key: 'V1StGXR8Z5jdHi6B' }, { key: 'myT4bGXR8Z5jdHiC' }],
    ['link', { data: { see: 'https://a.test/1' } }, { data: { see: 'https://a.test/2' } }],
    ['token', { data: { resumeToken: 'abc' } }, { data: { resumeToken: 'abd' } }],
    ['time', { data: { asked: '2026-01-01T00:00:00Z' } }, { data: { asked: '2026-01-02T00:00:00Z' } }],
    ['expiry', { data: { expires: 'in an hour' } }, { data: { expires: 'soon' } }],
    ['number', { data: { waitedFor: 3 } }, { data: { waitedFor: 4 } }],
    ['member in one alone', { data: { question: 'Go on?' } }, { kind: 'approval', data: null }],
    ['run in its words', { key: 'rep of n', data: { of: 'src' } }, { key: 'rep of n', data: { of: 'rep' } }],
    ['form of its data', { data: { question: 'Go on?' } }, { data: 'Go on?' }],
  ])('may be another %s', (_, one, other) => {
    expect(asking(one, other)).toBe('same');
  });

  it('is compared where events are numbered by seq', () => {
    const [source, same, other] = ['approval', 'approval', 'quiz'].map(askingBySeq);
    expect([same, other].map((replay) => source && replay && compareFacts(source, replay, []).kind)).toEqual([
      'same',
      'different',
    ]);
  });

  it('is not compared where a replay does not ask, or asks elsewhere', () => {
    const log = [say('node.started', {}, 'n'), say('node.completed', {}, 'n')];
    const source = runCalled('src', [...log, say('interrupt.requested', { kind: 'approval' }, 'n')]);
    expect(compareFacts(source, replayCalled('rep', log), []).kind).toBe('same');
    const earlier = [say('interrupt.requested', { kind: 'approval' }, 'n'), ...log];
    expect(compareFacts(source, replayCalled('rep', earlier), []).kind).toBe('same');
  });
});

describe('what two runs say of a decision', () => {
  it.each<readonly [string, Json, Json]>([
    ['kind', { decision: { kind: 'terminate' } }, { decision: { kind: 'escalate' } }],
    ['worker', { decision: { nextWorkerIds: ['a'] } }, { decision: { nextWorkerIds: ['b'] } }],
    ['agent', { agentId: 'supervisor' }, { agentId: 'other' }],
  ])('is another %s', (_, one, other) => {
    expect(deciding(one, other)).toBe('different');
  });

  it.each<readonly [string, Json, Json]>([
    ['reason', { decision: { kind: 'clarify', reason: 'one' } }, { decision: { kind: 'clarify', reason: 'other' } }],
    ['agent in one alone', { agentId: 'supervisor', decision: {} }, { decision: {} }],
    ['agent of each run', { agentId: 'agent-1' }, { agentId: 'agent-2' }],
  ])('may be another %s', (_, one, other) => {
    expect(deciding(one, other)).toBe('same');
  });
});

describe('what two runs say of what a call used', () => {
  it.each<readonly [string, Json, Json]>([
    ['provider', { provider: 'mock' }, { provider: 'other' }],
    ['model', { model: 'mini' }, { model: 'maxi' }],
    ['count', { inputTokens: 5, outputTokens: 2 }, { inputTokens: 5, outputTokens: 0, cached: true }],
  ])('is another %s', (_, one, other) => {
    expect(compared('provider.usage', one, other)).toBe('different');
  });

  it.each<readonly [string, Json, Json]>([
    ['duration', { latencyMs: 900, costUsd: 2 }, { latencyMs: 1, costUsd: 0 }],
    ['trace', { traceId: 'a' }, { traceId: 'b' }],
    ['count in one alone', { inputTokens: 5 }, { model: 'mini' }],
  ])('may be another %s', (_, one, other) => {
    expect(compared('provider.usage', one, other)).toBe('same');
  });
});

describe('what two runs say of how they began', () => {
  it.each<readonly [string, Json, Json]>([
    ['workflow', { workflowId: 'a' }, { workflowId: 'b' }],
    ['input', { inputs: { delayMs: 50, more: 1 } }, { inputs: { delayMs: 51 } }],
    ['inputs at all', { inputs: { delayMs: 50 } }, { inputs: { other: 1 } }],
  ])('is another %s', (_, one, other) => {
    expect(compared('run.started', one, other)).toBe('different');
  });

  it('may be less in one of them', () => {
    expect(compared('run.started', { inputs: { delayMs: 50 } }, { inputs: {} })).toBe('same');
    expect(compared('run.started', { inputs: { delayMs: 50, more: 1 } }, { inputs: { delayMs: 50 } })).toBe('same');
    expect(compared('run.started', { workflowId: 'a' }, {})).toBe('same');
  });
});

describe('what nodes put out', () => {
  it('is compared by each of its names, without what it tells of its making', () => {
    for (const name of ['output', 'outputs', 'result']) {
      expect(compared('node.completed', { [name]: { x: 1 } }, { [name]: { x: 2 } })).toBe('different');
      const timed = (latencyMs: number): Json => ({ [name]: { x: 1, latencyMs } });
      expect(compared('node.completed', timed(1), timed(2))).toBe('same');
    }
  });

  it('is called a result of nothing else', () => {
    expect(compared('core.workflowChain.event', { result: 1 }, { result: 2 })).toBe('same');
  });
});
