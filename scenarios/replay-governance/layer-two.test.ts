import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Json } from '../../src/evidence/types.ts';
import { event, fork, recorded, run, short } from '../../test/fork-observations.ts';
import { OPTIONS } from '../../test/recorded-runs.ts';
import { invocationIdOf, type InvocationsObservation } from './invocations.ts';
import { layerTwo } from './layer-two.ts';

const LOG: readonly Json[] = [
  event(0, 'run.started'),
  event(1, 'node.started', { nodeId: 'ask' }),
  event(2, 'run.completed'),
];
const CALL = { nodeId: 'ask', attempt: '1', providerKey: 'k' };
const sha = (text: string, algorithm = 'sha256'): string => createHash(algorithm).update(text).digest('hex');

const invocation = (invocationId: Json, more: object = {}): Json => ({ ...CALL, ...more, invocationId });
const right = (runId: string): Json => invocation(invocationIdOf({ runId, ...CALL }));

function listed(of: string, invocations: readonly Json[], problem: string | null = null): InvocationsObservation {
  return { type: 'invocations', of, problem, invocations, exchanges: ['x2'] };
}

function judged(own: InvocationsObservation, again = listed('replay', [])): string {
  const source = run('source', { events: LOG });
  const replay = fork('replay', 'run_b', { events: LOG });
  const [judgement] = layerTwo.judge(recorded(source, own, replay, again), OPTIONS);
  return judgement === undefined ? 'none' : short(judgement);
}

describe('Layer-2 ids', () => {
  it('pass by the formula, of a replay by its own run or by its source', () => {
    expect(invocationIdOf({ runId: 'r', nodeId: 'n', attempt: '1', providerKey: 'k' })).toBe(sha('r:n:1:k'));
    expect(judged(listed('source', [right('run_a')]))).toBe('pass');
    expect(judged(listed('source', [invocation(sha('run_a:ask:1:k'), { attempt: 1, more: true })]))).toBe('pass');
    expect(judged(listed('source', [right('run_a')]), listed('replay', [right('run_b'), right('run_a')]))).toBe('pass');
    expect(judged(listed('source', [right('run_a')]), listed('replay', [], 'answered 404'))).toBe('pass');
  });

  it.each([
    ['layer-two-without-attempt', sha('run_a:ask:k')],
    ['layer-two-without-run', sha('ask:1:k')],
    ['layer-two-without-node', sha('run_a:1:k')],
    ['layer-two-without-provider-key', sha('run_a:ask:1')],
    ['layer-two-other-separator', sha('run_a|ask|1|k')],
    ['layer-two-other-separator', sha('run_aask1k')],
    ['layer-two-upper-case', sha('run_a:ask:1:k').toUpperCase()],
    ['layer-two-attempt-from-zero', sha('run_a:ask:0:k')],
    ['layer-two-provider-key-first', sha('run_a:ask:k:1')],
    ['layer-two-node-first', sha('ask:run_a:1:k')],
    ['layer-two-truncated', sha('run_a:ask:1:k').slice(0, 32)],
    ['layer-two-algorithm-prefix', `sha256:${sha('run_a:ask:1:k')}`],
    ['layer-two-other-hash', sha('run_a:ask:1:k', 'sha1')],
  ])('fail by name: %s', (code, id) => {
    expect(judged(listed('source', [invocation(id)]))).toBe(`fail ${code}`);
  });

  it('fail without a name, of a node that there is not, and of another run', () => {
    expect(judged(listed('source', [right('run_a'), invocation('x')]))).toBe('fail other-layer-two-id');
    expect(judged(listed('source', [invocation(7)]))).toBe('fail other-layer-two-id');
    expect(judged(listed('source', [{ invocationId: 'x' }, invocation('x')]))).toBe('fail other-layer-two-id');
    const elsewhere = { ...CALL, nodeId: 'nowhere' };
    const id = invocationIdOf({ runId: 'run_a', ...elsewhere });
    expect(judged(listed('source', [{ ...elsewhere, invocationId: id }]))).toBe('fail other-layer-two-id');
    expect(judged(listed('source', [right('run_b')]))).toBe('fail other-layer-two-id');
    expect(judged(listed('source', [right('run_a')]), listed('replay', [right('run_c')]))).toBe(
      'fail other-layer-two-id',
    );
  });

  it('say what to seed where no workflow was run that calls a model', () => {
    const refused = run('source', { runId: null, answered: 404, problem: 'answered with 404', events: [] });
    const other = run('source', { workflowId: 'conformance-noop', events: LOG });
    const models = 'seed conformance-determinism-llm-nodes or conformance-phase4-replay-divergence';
    for (const seen of [[refused], [other, listed('source', [])]]) {
      expect(layerTwo.judge(recorded(...seen), OPTIONS)).toMatchObject([
        { verdict: 'inconclusive', reason: expect.stringContaining(models) as string },
      ]);
    }
    expect(layerTwo.judge(recorded(other, listed('source', [right('run_a')])), OPTIONS).map(short)).toEqual(['pass']);
  });

  it('are undecided where none is listed, or the seam or the run could not be seen', () => {
    expect(judged(listed('source', []))).toBe('inconclusive');
    expect(judged(listed('source', [{ invocationId: 'x' }]))).toBe('inconclusive');
    expect(judged(listed('source', [CALL, null, 7]))).toBe('inconclusive');
    expect(judged(listed('source', [null, right('run_a')]))).toBe('pass');
    expect(judged(listed('source', [], 'answered 500'))).toBe('inconclusive');
    expect(layerTwo.judge([], OPTIONS).map(short)).toEqual(['inconclusive']);
    expect(layerTwo.judge(recorded(run('source', { events: LOG })), OPTIONS).map(short)).toEqual(['inconclusive']);
  });
});
