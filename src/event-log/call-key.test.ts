import { describe, expect, it } from 'vitest';
import { event, log, type WireEvent } from '../../test/event-logs.ts';
import { compareEvents } from './diff.ts';

/** The events of two calls, under these keys. */
function calls(runId: string, keys: readonly string[], member = 'idempotency_key'): readonly WireEvent[] {
  const [a, b, c = b] = keys;
  return log(
    [
      event('tool_invocation_started', 'n', { [member]: a, arguments: { n: 1 } }),
      event('tool.invocation.finished', 'n', { [member]: b, outcome: 'success' }),
      event('tool_invocation_started', 'm', { [member]: c }),
    ],
    runId,
  );
}

function differing(
  keys: readonly string[],
  { callKeys, member }: { readonly callKeys?: 'exact'; readonly member?: string } = {},
): string | undefined {
  const source = calls('run-s', ['k', 'k', 'l'], member);
  const result = compareEvents(source, calls('run-r', keys, member), callKeys && { callKeys });
  return result.ok ? result.diff.first?.pointer : result.message;
}

describe('keys of tool calls', () => {
  it('are the source’s, or the run’s own, one for one', () => {
    expect(differing(['k', 'k', 'l'])).toBeUndefined();
    expect(differing(['r', 'r', 's'])).toBeUndefined();
    expect(differing(['r', 'r', 'l'])).toBeUndefined();
    expect(differing(['r', 'r', 's'], { member: 'idempotencyKey' })).toBeUndefined();
  });

  it('are those of no other call, and stay what they are', () => {
    expect(differing(['r', 's', 't'])).toBe('/payload/idempotency_key');
    expect(differing(['r', 'k', 's'])).toBe('/payload/idempotency_key');
    expect(differing(['r', 'r', 'r'])).toBe('/payload/idempotency_key');
    expect(differing(['k', 'k', 'k'])).toBe('/payload/idempotency_key');
  });

  it('may become the run’s own where the call began in fixed history', () => {
    expect(differing(['k', 'r', 's'])).toBeUndefined();
  });

  it('are the source’s in fixed history', () => {
    expect(differing(['k', 'k', 'l'], { callKeys: 'exact' })).toBeUndefined();
    expect(differing(['r', 'r', 's'], { callKeys: 'exact' })).toBe('/payload/idempotency_key');
  });

  it('are no other member, and no other event’s', () => {
    expect(differing(['r', 'r', 's'], { member: 'key' })).toBe('/payload/key');
    const [a, b] = ['k', 'r'].map((key) => log([event('node.started', 'n', { idempotency_key: key })], `run-${key}`));
    const result = compareEvents(a ?? [], b ?? []);
    expect(result.ok && result.diff.first?.pointer).toBe('/payload/idempotency_key');
  });

  it('are told as masked where they are others', () => {
    const result = compareEvents(calls('run-s', ['k', 'k', 'l']), calls('run-r', ['r', 'r', 'l']));
    expect(result.ok && result.diff.masks).toContain('/payload/idempotency_key');
  });
});
