import { describe, expect, it } from 'vitest';
import { BEGUN, cellOf, type CellFacts } from '../../test/crash-cells.ts';
import { readCell } from './read-cell.ts';

function outcome(told: CellFacts): string {
  return readCell(cellOf({ cut: 'fp', ...told })).outcome;
}

function call(run: string | null) {
  return { idempotencyKey: run === null ? null : `aetheris:${run}:charge:1` };
}

function counted(created: 'answered' | 'asked again', ...runs: readonly (string | null)[]) {
  const cell = cellOf({ cut: 'fp', more: { created, calls: runs.map(call) } });
  const { calls, othersCalls, unattributed } = readCell(cell);
  return [calls, othersCalls, ...(unattributed ? ['unattributed'] : [])];
}

function decision(attempt: string, name: string, stream: string) {
  const found = { stream, ledger: stream === 'none' ? 'NEW' : 'RECOVERABLE', effect: false };
  return { nodeId: 'charge', attempt, decision: name, found };
}

function foundIn(stream: unknown, ledger: unknown) {
  const decisions = [{ ...decision('2', 'Rejected', 'started'), found: { stream, ledger, effect: true } }] as never;
  return readCell(cellOf({ cut: 'fp', more: { decisions } })).found;
}

describe('readCell', () => {
  it('tells how a run came out', () => {
    expect(outcome({})).toBe('completed');
    expect(outcome({ log: 'run.started run.cancelled' })).toBe('failed');
    expect(outcome({ log: BEGUN, more: { snapshot: { status: 'completed' } } })).toBe('completed');
    expect(outcome({ log: BEGUN, more: { stopped: 'parked', snapshot: null } })).toBe('parked');
    expect(outcome({ log: BEGUN })).toBe('in flight');
    expect(outcome({ log: `${BEGUN} interrupt.requested` })).toBe('parked');
    expect(outcome({ log: `${BEGUN} interrupt.requested interrupt.resolved` })).toBe('in flight');
    expect(outcome({ log: BEGUN, more: { snapshot: { status: 'awaiting-review' } } })).toBe('parked');
    expect(outcome({ log: BEGUN, more: { stopped: 'missing', snapshot: null } })).toBe('missing');
    expect(outcome({ log: BEGUN, more: { stopped: 'aborted' } })).toBe('unknown');
    expect(outcome({ log: '', more: { snapshot: null, log: null } })).toBe('unknown');
  });

  it('takes what was found after the last death, where a host keeps what it found before as well', () => {
    const before = decision('1', 'AllowExecute', 'none');
    const found = (decisions: readonly ReturnType<typeof decision>[], then: number) => {
      const cell = cellOf({ cut: 'fp', more: { decisions, calls: [call('r')] } });
      const deaths = cell.deaths.map((death) => ({ ...death, calls: then }));
      return readCell({ ...cell, deaths }).found?.stream;
    };
    expect(found([before, decision('2', 'Rejected', 'started')], 1)).toBe('started');
    expect(found([before, decision('1', 'Rejected', 'started')], 1)).toBe('started');
    expect(found([before], 1)).toBeUndefined();
    expect(found([before], 0)).toBe('none');
    expect(found([before, decision('2', 'AllowExecute', 'none')], 0)).toBe('none');
    expect(found([decision('2', 'WaitOtherWorker', 'started'), decision('2', 'Rejected', 'started')], 1)).toBe(
      'started',
    );
  });

  it('takes what the first of several workers found after the last death', () => {
    const found = (shown: string, ...decisions: readonly ReturnType<typeof decision>[]) => {
      const cell = cellOf({ cut: 'fp', shown, callsThen: 1, more: { decisions, calls: [call('r')] } });
      return readCell(cell).found?.stream;
    };
    const [gaveUp, later] = [decision('2', 'Rejected', 'started'), decision('3', 'ReturnRecordedResult', 'finished')];
    expect(found(BEGUN, gaveUp, later)).toBe('started');
    expect(found(`${BEGUN} started`, gaveUp, later)).toBe('started');
    expect(found(`${BEGUN} started`, decision('1', 'WaitOtherWorker', 'none'), gaveUp, later)).toBe('started');
  });

  it('knows only what can be found', () => {
    expect(foundIn('STARTED', 'in_flight')).toEqual({ stream: 'started', ledger: 'INFLIGHT', effect: true });
    for (const odd of ['\u001B[31mnone', '__proto__', '', 5, null]) {
      expect(foundIn(odd, 'NEW')).toBeNull();
      expect(foundIn('none', odd)).toBeNull();
    }
  });

  it('counts the calls of the run, and those of another run that the same request made', () => {
    expect(counted('answered', 'r', 'r')).toEqual([2, 0]);
    expect(counted('answered', 'q', 'r')).toEqual([2, 0]);
    expect(counted('asked again', 'q', 'r')).toEqual([1, 1]);
    expect(counted('asked again', 'r', 'r')).toEqual([2, 0]);
    expect(counted('asked again', null, null)).toEqual([1, 1, 'unattributed']);
  });
});
