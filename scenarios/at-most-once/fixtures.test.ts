import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { packageFile } from '../../src/contract/package-root.ts';
import { CHARGE, FIRST, ONCE, SECOND, TWICE } from './fixtures.ts';

function nodesOf(workflowId: string): readonly unknown[] {
  const text = readFileSync(packageFile('fixtures', 'workflows', `${workflowId}.json`), 'utf8');
  return (JSON.parse(text) as { nodes: readonly unknown[] }).nodes;
}

describe('the tools', () => {
  it('are those of the fixtures', () => {
    expect(nodesOf(ONCE)).toMatchObject([
      {
        id: CHARGE.nodeId,
        config: {
          tool: CHARGE.toolName,
          path: `/effects/${CHARGE.effect}`,
          argsInput: 'toolArgs',
          callsInput: 'toolCalls',
        },
      },
    ]);
    expect(nodesOf(TWICE).slice(0, 2)).toMatchObject(
      [FIRST, SECOND].map(({ nodeId, toolName, effect, args }) => ({
        id: nodeId,
        config: { tool: toolName, path: `/effects/${effect}`, args: JSON.parse(args) as unknown },
      })),
    );
  });
});
