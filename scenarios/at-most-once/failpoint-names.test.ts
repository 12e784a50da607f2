import { describe, expect, it } from 'vitest';
import {
  contradictionIn,
  disorderIn,
  isDoneAt,
  namesEffect,
  passedOnce,
  stageOfName,
  windowOfStage,
  writeOfName,
} from './failpoint-names.ts';

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
    ['before-side-effect', '2'],
    ['after-side-effect', '2'],
    ['afterExternalEffect', '2'],
    ['pay.append_started:pre', '1'],
    ['pay.execute:post', '2'],
    ['pay.append_command_committed:post', '4'],
    ['pre-ledger-commit', '4'],
    ['pay.ledger_commit:post', '5'],
    ['after-record-side-effect', '3'],
    ['after-side-effect-recorded', '3'],
  ])('%s lies in window %s', (name, window) => {
    expect(windowOfName(name)).toBe(window);
  });

  it.each([
    'before-create-run',
    'after-append-event',
    'after-store-response',
    'before-node-started',
    'AfterRunFinished',
    'after-acquire-commit',
    'AfterCheckpointCommit',
    'after-node-commit',
    'before-tx-commit',
    'commit',
    'fp-7',
    'call-post-tool',
    '',
  ])('%j tells no stage', (name) => {
    expect(stageOfName(name)).toBeUndefined();
  });

  it('tell of an effect store, without which the call is in doubt until it is in the stream', () => {
    expect(['after-put-effect', 'before_effect', 'after-record-side-effect'].map(namesEffect)).not.toContain(false);
    expect(['effect', 'after-execute', 'after-side-effect', 'AFTER_EXTERNAL_EFFECT'].map(namesEffect)).not.toContain(
      true,
    );
    expect(windowOfStage(3, false)).toBe('2');
    expect(windowOfStage(4, false)).toBe('3');
  });
});

describe('writeOfName', () => {
  it.each([
    ['after-put-effect', 'after effect'],
    ['beforeAppendFinished', 'before finished'],
    ['after_append_tool_invocation_finished', 'after finished'],
    ['before-append-command-committed', 'before committed'],
    ['after-ledger-commit', 'after ledger'],
    ['before-commit', 'before ledger'],
  ])('reads %s', (name, told) => {
    const { side, write } = writeOfName(name) ?? {};
    expect(`${side} ${write}`).toBe(told);
  });

  it.each(['before-commit-run', 'after-run-finished', 'after-tool-finished', 'put-effect', 'after-execute', 'p7'])(
    'leaves %s open',
    (name) => {
      expect(writeOfName(name)).toBeUndefined();
    },
  );
});

const RIGHT = ['after-execute', 'after-put-effect', 'before-append-finished', 'after-append-finished', 'before-commit'];

describe('passedOnce', () => {
  it('leaves out what came again', () => {
    expect(passedOnce(['a', 'b', 'a', 'c', 'a'])).toEqual(['b', 'c']);
    expect(passedOnce([])).toEqual([]);
  });
});

describe('contradictionIn', () => {
  it('finds none in the write order, and none among names that say nothing', () => {
    expect(contradictionIn(RIGHT)).toBeUndefined();
    expect(contradictionIn(['p2', 'p1'])).toBeUndefined();
  });

  it('finds a commit before the append', () => {
    const passes = ['after-put-effect', 'before-commit', 'after-commit', 'before-append-finished'];
    expect(contradictionIn(passes)).toEqual(['after-commit', 'before-append-finished']);
  });

  it('says nothing of names that are passed more than once', () => {
    expect(contradictionIn(['after-commit', 'before-append-finished', 'after-commit'])).toBeUndefined();
  });
});

describe('disorderIn', () => {
  it('finds points that are passed the other way round, whatever lies between them', () => {
    expect(disorderIn(RIGHT)).toBeUndefined();
    expect(disorderIn(['before-node-started', 'after-node-started', 'before-acquire'])).toBeUndefined();
    const passes = ['after-put-effect', 'after-ledger-commit', 'after-append-finished'];
    expect(disorderIn(passes)).toEqual(['after-ledger-commit', 'after-append-finished']);
    expect(contradictionIn(passes)).toBeUndefined();
  });
});

describe('isDoneAt', () => {
  it('goes by the own name and by those before it', () => {
    expect(isDoneAt('after-put-effect', 'effect', [])).toBe(true);
    expect(isDoneAt('before-append-finished', 'effect', RIGHT)).toBe(true);
    expect(isDoneAt('after-execute', 'effect', RIGHT)).toBe(false);
    expect(isDoneAt('before-append-finished', 'effect', [])).toBe(false);
  });
});
