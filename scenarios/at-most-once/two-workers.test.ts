import { describe, expect, it } from 'vitest';
import type { Json } from '../../src/evidence/types.ts';
import { readDecisions, takeoverIn } from './two-workers.ts';

/** Decisions in short: the attempt, then A for AllowExecute or W for WaitOtherWorker. */
function logged(text: string): readonly Json[] {
  return text.split(' ').map((each) => ({
    nodeId: 'charge',
    attempt: each.slice(0, -1),
    decision: each.endsWith('A') ? 'AllowExecute' : 'WaitOtherWorker',
  }));
}

const takeoverOf = (decisions: readonly Json[]) => takeoverIn(readDecisions(decisions));

describe('takeoverIn', () => {
  it('reads who had the call and who took it over', () => {
    const seen = { stalled: '1', shared: false, successor: '2', lost: false, awake: false };
    expect(takeoverOf(logged('1A 2W 2A'))).toEqual(seen);
    expect(takeoverOf(logged('2W 1A 2A'))).toEqual(seen);
    expect(takeoverOf(logged('1A 2W 2A 1W'))).toEqual({ ...seen, awake: true });
    expect(takeoverOf(logged('1A 2W 2A 2W'))).toEqual({ ...seen, lost: true });
  });

  it('is not misled by a worker that was beaten to the call', () => {
    const seen = { stalled: '1', shared: false, successor: '2', lost: false, awake: false };
    expect(takeoverOf(logged('2A 1A 2W 2A'))).toEqual(seen);
  });

  it('sees none where one worker had the call', () => {
    expect(takeoverOf([])).toBeUndefined();
    expect(takeoverOf(logged('1A'))).toBeUndefined();
    expect(takeoverOf(logged('1A 2W'))).toBeUndefined();
    expect(takeoverOf(logged('2W 1A 1A'))).toBeUndefined();
  });

  it('leaves the decisions about other tools alone', () => {
    const other = { nodeId: 'other', attempt: '3', decision: 'AllowExecute' };
    expect(takeoverOf([other, ...logged('1A')])).toBeUndefined();
    expect(takeoverOf([...logged('1A 2A'), other])).toMatchObject({ stalled: '1', successor: '2' });
  });
});
