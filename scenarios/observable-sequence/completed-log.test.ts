import { describe, expect, it } from 'vitest';
import { replayCalled, runCalled, say, type Said } from '../../test/recorded-runs.ts';
import { compareLogs } from '../shared/compare-runs.ts';
import { completedLog } from './completed-log.ts';

const ENDS = [say('node.completed', {}, 'a'), say('run.completed')];
const source = runCalled('run', [say('run.started'), say('node.started', {}, 'a'), ...ENDS]);

function endless(said: readonly Said[], status = 'completed') {
  const replay = replayCalled('replay', said, { of: 'run', problem: 'no end', snapshot: { status } });
  const completed = completedLog(source, replay);
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

  it('is left as it is where its snapshot shows another end, or it has one', () => {
    expect(endless([say('run.started')], 'failed')).toBeUndefined();
    expect(endless([say('run.started'), ...ENDS])).toBeUndefined();
    expect(completedLog(source, source)).toBeUndefined();
  });
});
