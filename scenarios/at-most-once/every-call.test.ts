import { describe, expect, it } from 'vitest';
import { runCalled, type Said, say, verdictOf } from '../../test/recorded-runs.ts';
import { TWICE } from './fixtures.ts';
import { idempotencyKey } from './idempotency-key.ts';
import { toolCall } from './tool-call.ts';

const [ORDER, KEY] = ['once.write-order.every-run', 'once.idempotency-key.every-run'] as const;
const PARTS = { runId: 'r', nodeId: 'second', toolName: 'second-tool', args: '{"step":2,"note":"second"}' };
const RIGHT = idempotencyKey(PARTS) ?? '';

const started = (idempotency_key: string = RIGHT): Said =>
  say('tool_invocation_started', { idempotency_key }, 'second');
const finished = (payload: object = {}): Said =>
  say('tool_invocation_finished', { idempotency_key: RIGHT, outcome: 'success', ...payload }, 'second');
const committed = say('command_committed', { idempotency_key: RIGHT }, 'second');
const end = [say('node.completed', {}, 'second'), say('run.completed')];

function verdict(check: string, said: readonly Said[], scenario = 'once.external-key', workflowId = TWICE): string {
  return verdictOf(toolCall, check, [], [{ ...runCalled('r', said, { workflowId }), scenario }]);
}

function branch(said: readonly Said[], fromSeq: number): string {
  const fork = { sourceRunId: 'src', mode: 'branch', fromSeq, advertised: true } as const;
  return verdictOf(toolCall, ORDER, [], [{ ...runCalled('b', said, { fork }), scenario: 'fork.branch' }]);
}

/** A call of the child that a handoff dispatches, whose tool has no name in the definition. */
function callOfChild(idempotency_key: string, more: object): string {
  const said = [
    say('tool_invocation_started', { idempotency_key, ...more }, 'call'),
    say('tool_invocation_finished', { idempotency_key }, 'call'),
  ];
  return verdict(KEY, said, 'handoff.replays', 'conformance-determinism-handoff-tool-child');
}

describe('the calls of every run', () => {
  it('pass with one key and in order', () => {
    for (const check of [ORDER, KEY]) {
      expect(verdict(check, [started(), finished(), committed, ...end])).toBe('pass');
      expect(verdict(check, [started(), finished(), committed, ...end], 'sequence.sweep', 'vendor.flow')).toBe('pass');
    }
  });

  it('fail without the key, with another one, and with one that is not that of the formula', () => {
    const bare = say('tool_invocation_finished', { outcome: 'success' }, 'second');
    expect(verdict(KEY, [started(), bare, committed, ...end])).toBe('fail key-in-one-only');
    const other = finished({ idempotency_key: 'k' });
    expect(verdict(KEY, [started(), other, committed, ...end])).toBe('fail key-changes');
    expect(verdict(KEY, [started(), other, say('run.failed')], 'once.failed-call')).toBe('fail key-changes');
    const both = [started('k'), finished({ idempotency_key: 'k' }), committed, ...end];
    expect(verdict(KEY, both)).toBe('fail unknown-key');
    expect(verdict(KEY, both, 'sequence.sweep', 'vendor.flow')).toBe('pass');
  });

  it('fail where a commit holds another key than its call, though others hold theirs', () => {
    const calls = [started(), finished(), say('command_committed', { idempotency_key: 'c' }, 'second'), ...end];
    const judged = (...more: readonly Said[][]) =>
      verdictOf(
        toolCall,
        KEY,
        [],
        [calls, ...more].map((said) => ({
          ...runCalled('r', said, { workflowId: TWICE }),
          scenario: 'once.external-key',
        })),
      );
    expect(judged()).toBe('pass');
    expect(judged([started(), finished(), committed, ...end])).toBe('fail key-changes');
  });

  it('fail with another key than that of the tool and the arguments that a start names, where a definition names none', () => {
    const parts = { runId: 'r', nodeId: 'call', toolName: 'http', args: '{"a":1}' };
    const named = { tool_name: 'http', arguments: { a: 1 } };
    expect(callOfChild(idempotencyKey(parts) ?? '', named)).toBe('pass');
    expect(callOfChild(idempotencyKey({ ...parts, toolName: 'core.tool.http', args: '{}' }) ?? '', named)).toBe('pass');
    expect(callOfChild('k', named)).toBe('fail unknown-key');
    expect(callOfChild('k', { tool_name: 'http' })).toBe('pass');
  });

  it('fail where the commit comes first, or a call that succeeded is said to have failed', () => {
    expect(verdict(ORDER, [started(), committed, finished(), ...end])).toBe('fail wrong-order');
    const failure = finished({ outcome: 'failure' });
    expect(verdict(ORDER, [started(), failure, committed, ...end])).toBe('fail outcome-not-success');
    expect(verdict(ORDER, [started(), failure, say('run.failed')])).toBe('pass');
  });

  it('fail where the run completed and the call was never committed, in children too', () => {
    const calls = [started(), finished(), ...end];
    expect(verdict(ORDER, calls)).toBe('fail missing-event');
    expect(verdict(ORDER, [started(), finished(), say('run.completed')])).toBe('pass');
    expect(verdict(ORDER, [started(), finished({ outcome: 'failure' }), ...end])).toBe('pass');
    expect(verdict(ORDER, [started(), finished(), say('command_committed'), ...end])).toBe('pass');
    const child = { ...runCalled('r', calls), type: 'child', parent: 'source', scenario: 'handoff.replays' };
    expect(verdictOf(toolCall, ORDER, [], [child])).toBe('fail missing-event');
  });

  it('are asked of what a branch wrote itself, and not of its history', () => {
    expect(branch([started(), finished(), committed, ...end], 0)).toBe('pass');
    expect(branch([started(), finished(), ...end], 0)).toBe('fail missing-event');
    expect(branch([started(), finished({ outcome: 'failure' }), committed, ...end], 0)).toBe(
      'fail outcome-not-success',
    );
    expect(branch([started(), finished(), ...end], 1)).toBe('not-applicable');
    expect(branch([started(), started(), finished(), ...end], 1)).toBe('fail missing-event');
  });

  it('ask nothing of a host that shows no calls elsewhere, or tries them again', () => {
    expect(verdict(KEY, end)).toBe('not-applicable');
    expect(verdict(ORDER, [started(), finished(), started(), finished(), committed, ...end])).toBe('not-applicable');
    expect(verdict(ORDER, [started(), committed, finished(), ...end], 'once.single-owner')).toBe('not-applicable');
  });
});
