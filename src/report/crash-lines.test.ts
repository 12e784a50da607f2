import { describe, expect, it } from 'vitest';
import type { CrashCell, CrashMatrix } from '../contract/crash-matrix.ts';
import { crashLines } from './crash-lines.ts';

function cell(cut: string, more: Partial<CrashCell> = {}): CrashCell {
  return { cut, second: null, window: '1', calls: 1, found: null, outcome: 'completed', cycleMs: 100, ...more };
}

const figures = { cuts: 2, pairs: 3, duplicateCalls: 0, lostEvents: 0, medianCycleMs: 123.4 };

function matrix(cells: readonly CrashCell[], more: Partial<CrashMatrix> = {}): CrashMatrix {
  return { points: [...new Set(cells.map(({ cut }) => cut))], cells, figures, ...more };
}

describe('crashLines', () => {
  it('are none without a matrix', () => {
    expect(crashLines(undefined)).toEqual([]);
  });

  it('are one a cut, its pairs summed beside it, and the figures', () => {
    const found = { stream: 'started', ledger: 'INFLIGHT', effect: true };
    const lines = crashLines(
      matrix([
        cell('before-acquire@1'),
        cell('after-put-effect@1', { window: '3', found }),
        cell('after-put-effect@1', { second: 'before-append-finished@1', calls: 0, outcome: 'failed' }),
        cell('after-put-effect@1', { second: 'after-append-finished@1' }),
        cell('after-put-effect@1', { second: 'before-ledger-commit@1', calls: null }),
      ]),
    );
    expect(lines).toEqual([
      '',
      'crash matrix',
      '  cut                 window  calls  found: stream, ledger, effect  outcome    second crash in recovery',
      '  before-acquire@1    1       1      -                              completed',
      '  after-put-effect@1  3       1      started, INFLIGHT, yes         completed  3: 1 failed, 2 completed; calls 0 to 1',
      '  2 cuts, 3 pairs, 0 duplicate calls, 0 lost events, median 123 ms a cycle',
    ]);
  });

  it('leave nothing out: a pair without its cut, a point that was never cut, calls that nobody counted', () => {
    const text = crashLines(
      matrix([cell('a@1', { second: 'b@1', calls: null })], {
        points: ['a', 'never'],
        figures: { ...figures, medianCycleMs: null },
      }),
    ).join('\n');
    expect(text).toMatch(/^ {2}a@1 +- +- +- +not driven +1: 1 completed; calls -$/mu);
    expect(text).toMatch(/^ {2}never cut: never$/mu);
    expect(text).toMatch(/lost events$/mu);
  });

  it('obey nothing that a host says', () => {
    const found = { stream: '\u001b[2J', ledger: '\u202e', effect: false };
    const hostile = `a\u001b[31m\n${'x'.repeat(5000)}`;
    const text = crashLines(matrix([cell(hostile, { found })], { points: [`${hostile}y`] })).join('\n');
    expect(text).not.toMatch(/[\u001b\u202e]/u);
    expect(text.split('\n')).toHaveLength(6);
    expect(text.length).toBeLessThan(2500);
  });
});
