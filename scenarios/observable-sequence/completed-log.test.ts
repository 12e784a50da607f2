import { describe, expect, it } from 'vitest';
import { replayCalled, runCalled, type Said, say } from '../../test/recorded-runs.ts';
import { compareLogs } from '../shared/compare-runs.ts';
import { completedLog } from './source-history.ts';

const ENDS = [say('node.completed', {}, 'a'), say('run.completed')];
const source = runCalled('run', [say('run.started'), say('node.started', {}, 'a'), ...ENDS]);

function endless(
  said: readonly Said[],
  status = 'completed',
  how: Parameters<typeof completedLog>[2] = 'as its source',
) {
  const replay = replayCalled('replay', said, { of: 'run', problem: 'no end', snapshot: { status } });
  const completed = completedLog(source, replay, how);
  return completed && compareLogs(source, { ...replay, ...completed });
}

describe('the log of a replay that has no end', () => {
  it('is like its source where it shows the same events as far as it goes', () => {
    expect(endless([say('run.started'), say('node.started', {}, 'a')])).toEqual({ kind: 'same' });
    expect(endless([say('run.started'), say('node.started', {}, 'a'), say('node.completed', {}, 'a')])).toEqual({
      kind: 'same',
    });
  });

  it('is like it where an event of a type of its own stands for the end', () => {
    const ended = [
      say('run.started'),
      say('node.started', {}, 'a'),
      say('node.completed', {}, 'a'),
      say('run.complete'),
    ];
    expect(endless(ended)).toEqual({ kind: 'same' });
  });

  it('differs by the events that it shows', () => {
    expect(endless([say('run.started'), say('node.started', {}, 'b')])).toMatchObject({ kind: 'different' });
    expect(endless([say('run.started'), say('node.started', { x: 1 }, 'a'), ...ENDS.slice(0, 1)])).toMatchObject({
      kind: 'different',
    });
  });

  it('may have ended at once, too: what it lacks shows then', () => {
    const begun = [say('run.started'), say('node.started', {}, 'a')];
    expect(endless(begun, 'completed', 'at once')).toMatchObject({ kind: 'different' });
    expect(endless([...begun, say('node.completed', {}, 'a')], 'completed', 'at once')).toEqual({ kind: 'same' });
  });

  it('is left as it is where it did not complete, has an end, or waits', () => {
    expect(endless([say('run.started')], 'failed')).toBeUndefined();
    expect(endless([say('run.started'), ...ENDS])).toBeUndefined();
    expect(endless([say('run.started'), say('interrupt.requested', {}, 'a')])).toBeUndefined();
    expect(completedLog(source, source, 'at once')).toBeUndefined();
  });
});
