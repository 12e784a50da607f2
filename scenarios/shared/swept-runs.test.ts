import { describe, expect, it } from 'vitest';
import { replayCalled, runCalled, unfinished } from '../../test/recorded-runs.ts';
import { isOfRows, sweptIn } from './swept-runs.ts';

const SAID = [['run.started'], ['memory.written', {}, 'n'], ['run.completed']] as const;
const source = runCalled('a', SAID, { role: 'source of vendor.flow' });
const replay = replayCalled('a-again', SAID, { of: 'a', from: 1 });
const inSweep = (...runs: readonly (typeof source)[]) => runs.map((run) => ({ ...run, scenario: 'sequence.sweep' }));

describe('what a sweep ran', () => {
  it('is each workflow with its replays', () => {
    const idle = runCalled('b', [['run.started'], ['run.completed']]);
    const again = replayCalled('b-again', [['run.started'], ['run.completed']], { of: 'b' });
    const all = inSweep(source, replay, idle, again);
    expect(sweptIn(all).map((each) => [each.source.runId, each.replays.length])).toEqual([
      ['a', 1],
      ['b', 1],
    ]);
  });

  it('is nothing that was not seen, not replayed, or driven elsewhere', () => {
    expect(sweptIn(inSweep(source))).toEqual([]);
    expect(sweptIn(inSweep(source, unfinished(replay)))).toEqual([]);
    expect(sweptIn(inSweep(unfinished(source), replay))).toEqual([]);
    expect(sweptIn([source, replay].map((run) => ({ ...run, scenario: 'fork.full-replay' })))).toEqual([]);
  });

  it('knows the fixtures that rows drive themselves', () => {
    expect([isOfRows(source), isOfRows({ role: 'source of conformance-noop' })]).toEqual([false, true]);
  });
});
