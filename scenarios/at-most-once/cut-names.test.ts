import { describe, expect, it } from 'vitest';
import { namesEffect, stageOfName, windowOfStage } from './cut-names.ts';

function windowOfName(name: string): string | undefined {
  const stage = stageOfName(name);
  return stage === undefined ? undefined : windowOfStage(stage);
}

describe('names of failpoints', () => {
  it.each([
    ['before-acquire', '1'],
    ['after-acquire', '1'],
    ['before-append-started', '1'],
    ['after-append-started', '2'],
    ['before-execute', '2'],
    ['after-execute', '2'],
    ['before-put-effect', '2'],
    ['after-put-effect', '3'],
    ['before-append-finished', '3'],
    ['after-append-finished', '3'],
    ['before-append-command-committed', '3'],
    ['after-append-command-committed', '4'],
    ['before-ledger-commit', '4'],
    ['after-ledger-commit', '5'],
    ['after_tool_call', '2'],
    ['AfterToolInvocationFinished', '3'],
    ['tool.before.execute', '2'],
    ['after:command_committed', '4'],
    ['beforeCommit', '4'],
  ])('%s lies in window %s', (name, window) => {
    expect(windowOfName(name)).toBe(window);
  });

  it.each([
    'before-create-run',
    'after-append-event',
    'after-store-response',
    'before-node-started',
    'AfterRunFinished',
    'commit',
    'fp-7',
    '',
  ])('%j tells no stage', (name) => {
    expect(stageOfName(name)).toBeUndefined();
  });

  it('tell of an effect store, without which the call is in doubt until it is in the stream', () => {
    expect(['after-put-effect', 'before_effect', 'effect', 'after-execute'].map(namesEffect)).toEqual([
      true,
      true,
      false,
      false,
    ]);
    expect(windowOfStage(3, false)).toBe('2');
    expect(windowOfStage(4, false)).toBe('3');
  });
});
