import { describe, expect, it } from 'vitest';
import { nodeKinds } from '../engine/nodes/index.ts';
import { bundledWorkflows, executionOrder, revisionsOf, structuralProblem, type Workflow } from './workflow.ts';

/** A workflow from its nodes' letters and its edges' pairs of letters. */
const graph = (nodes: string, edges: string): Workflow => ({
  id: 'w',
  name: 'w',
  version: '1',
  triggers: [],
  variables: [],
  settings: {},
  nodes: nodes.split('').map((id) => ({ id, typeId: 'core.noop', name: id, config: {}, inputs: {} })),
  edges: edges
    .split(' ')
    .filter(Boolean)
    .map((pair) => ({ id: pair, sourceNodeId: pair.charAt(0), targetNodeId: pair.charAt(1) })),
});
const revised = (version: string, edges: string): Workflow => ({
  ...graph('ab', 'ab'),
  revisions: [{ version, edges: graph('ab', edges).edges }],
});
const order = (nodes: string, edges: string): string | undefined =>
  executionOrder(graph(nodes, edges))
    ?.map(({ id }) => id)
    .join('');

describe('workflows', () => {
  it('ships the fixtures, each with nodes that this host executes', () => {
    expect([...bundledWorkflows().keys()].filter((id) => id.startsWith('conformance-determinism-')).toSorted()).toEqual(
      [
        'conformance-determinism-channel-write',
        'conformance-determinism-clock',
        'conformance-determinism-constant',
        'conformance-determinism-handoff-asker',
        'conformance-determinism-handoff-broken',
        'conformance-determinism-handoff-clarify',
        'conformance-determinism-handoff-echo',
        'conformance-determinism-handoff-escalate',
        'conformance-determinism-handoff-failing',
        'conformance-determinism-handoff-missing',
        'conformance-determinism-handoff-nested',
        'conformance-determinism-handoff-pair',
        'conformance-determinism-handoff-relay',
        'conformance-determinism-handoff-teller',
        'conformance-determinism-handoff-tool',
        'conformance-determinism-handoff-tool-child',
        'conformance-determinism-handoff-unmapped',
        'conformance-determinism-handoff-waiting',
        'conformance-determinism-identity',
        'conformance-determinism-interrupt',
        'conformance-determinism-llm-chain',
        'conformance-determinism-llm-gate',
        'conformance-determinism-llm-keys',
        'conformance-determinism-llm-nodes',
        'conformance-determinism-llm-provider',
        'conformance-determinism-llm-retry',
        'conformance-determinism-long',
        'conformance-determinism-memory-write',
        'conformance-determinism-once',
        'conformance-determinism-once-twice',
        'conformance-determinism-parallel',
        'conformance-determinism-personal-data',
        'conformance-determinism-random',
        'conformance-determinism-secret-error',
        'conformance-determinism-secrets',
        'conformance-determinism-side-effects',
        'conformance-determinism-sub-workflow',
        'conformance-determinism-three-nodes',
        'conformance-determinism-two-constants',
        'conformance-determinism-variable-write',
        'conformance-determinism-verify-human',
        'conformance-determinism-verify-strict',
        'conformance-determinism-verify-warn',
        'conformance-determinism-version-pin',
        'conformance-determinism-wall-clock',
      ],
    );
    for (const { nodes } of [...bundledWorkflows().values()].flatMap(revisionsOf)) {
      expect(nodes.filter(({ typeId }) => !nodeKinds.has(typeId))).toEqual([]);
    }
  });

  it('are sound', () => {
    expect([...bundledWorkflows().values()].map(structuralProblem).filter((problem) => problem !== undefined)).toEqual(
      [],
    );
  });

  it('orders nodes by their edges, and by the definition where several are ready', () => {
    expect(order('abc', '')).toBe('abc');
    expect(order('cba', 'ab bc')).toBe('abc');
    expect(order('abcd', 'ac ab cd bd')).toBe('abcd');
    expect(order('ab', 'ab ba')).toBeUndefined();
  });

  it.each([
    ['two nodes have the same id', 'aa', ''],
    ['edge ax names a node that does not exist', 'a', 'ax'],
    ['the edges form a cycle', 'ab', 'ab ba'],
    ['the edges form a cycle', 'a', 'aa'],
    [undefined, 'ab', 'ab'],
  ])('says %j', (problem, nodes, edges) => {
    expect(structuralProblem(graph(nodes, edges))).toBe(problem);
  });

  it('looks at revisions as well', () => {
    expect(structuralProblem(revised('2', 'ba'))).toBeUndefined();
    expect(structuralProblem(revised('2', 'ab ba'))).toBe('the edges form a cycle');
    expect(structuralProblem(revised('1', 'ab'))).toBe('two revisions have the same version');
  });
});
