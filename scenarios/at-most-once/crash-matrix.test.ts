import { describe, expect, it } from 'vitest';
import { CORRECT, otherwise, cellOf, matrixOf } from '../../test/crash-cells.ts';
import { crashMatrix } from './crash-matrix.ts';

const correct = CORRECT.map(cellOf);

describe('crashMatrix', () => {
  it('shows every cell with its window, its calls and what was found', () => {
    const matrix = crashMatrix(matrixOf(correct, { notPassed: ['before-renew-lease'] }));
    expect(matrix?.points.slice(0, 2)).toEqual(['before-append-event', 'after-acquire']);
    expect(matrix?.points.at(-1)).toBe('before-renew-lease');
    expect(matrix?.cells.map(({ window }) => window)).toEqual(['1', '1', '2', '2', '3', '3', '4', '5', null, '3', '2']);
    expect(matrix?.cells[3]).toEqual({
      cut: 'after-execute@1',
      second: null,
      window: '2',
      calls: 1,
      found: { stream: 'started', ledger: 'RECOVERABLE', effect: false },
      outcome: 'failed',
      cycleMs: 100,
    });
    expect(matrix?.figures).toEqual({ cuts: 9, pairs: 2, duplicateCalls: 0, lostEvents: 0, medianCycleMs: 100 });
  });

  it('counts duplicate calls, lost events and cells that were not reached', () => {
    const twice = crashMatrix(matrixOf(otherwise('after-acquire', { calls: 3, shown: 'log.appended' })));
    expect(twice?.figures).toMatchObject({ duplicateCalls: 2, lostEvents: 1 });
    const alive = crashMatrix(matrixOf(otherwise('after-acquire', { more: { deaths: [] } })));
    expect(alive?.cells[1]).toMatchObject({ outcome: 'not reached', window: null });
    const undriven = { notDriven: 'why', deaths: [], log: null, snapshot: null, calls: [], cycleMs: null } as const;
    const none = crashMatrix(matrixOf(otherwise('after-acquire', { more: { ...undriven, stopped: 'nothing' } })));
    expect(none?.cells[1]).toMatchObject({ outcome: 'unknown', calls: null });
  });

  it('is null where no matrix was driven', () => {
    expect(crashMatrix([])).toBeNull();
    expect(crashMatrix(matrixOf(correct, { problem: 'x' }))).toBeNull();
  });
});
