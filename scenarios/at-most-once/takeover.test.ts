import { describe, expect, it } from 'vitest';
import type { Json } from '../../src/evidence/types.ts';
import { takeoverIn } from './takeover.ts';

/** Decisions in short: the attempt, then A for AllowExecute or W for WaitOtherWorker. */
function told(text: string): readonly Json[] {
  return text.split(' ').map((each) => ({
    nodeId: 'charge',
    attempt: each.slice(0, -1),
    decision: each.endsWith('A') ? 'AllowExecute' : 'WaitOtherWorker',
  }));
}

describe('takeoverIn', () => {
  it('reads who had the call and who took it over', () => {
    const seen = { stalled: '1', successor: '2', lost: false, awake: false };
    expect(takeoverIn(told('1A 2W 2A'))).toEqual(seen);
    expect(takeoverIn(told('2W 1A 2A'))).toEqual(seen);
    expect(takeoverIn(told('1A 2W 2A 1W'))).toEqual({ ...seen, awake: true });
    expect(takeoverIn(told('1A 2W 2A 2W'))).toEqual({ ...seen, lost: true });
  });

  it('is not misled by a worker that was beaten to the call', () => {
    const seen = { stalled: '1', successor: '2', lost: false, awake: false };
    expect(takeoverIn(told('2A 1A 2W 2A'))).toEqual(seen);
  });

  it('sees none where one worker had the call', () => {
    expect(takeoverIn([])).toBeUndefined();
    expect(takeoverIn(told('1A'))).toBeUndefined();
    expect(takeoverIn(told('1A 2W'))).toBeUndefined();
    expect(takeoverIn(told('2W 1A 1A'))).toBeUndefined();
  });

  it('leaves the decisions about other tools alone', () => {
    const other = { nodeId: 'other', attempt: '3', decision: 'AllowExecute' };
    expect(takeoverIn([other, ...told('1A')])).toBeUndefined();
    expect(takeoverIn([...told('1A 2A'), other])).toMatchObject({ stalled: '1', successor: '2' });
  });
});
