import { describe, expect, it } from 'vitest';
import { validate } from '../contract/validate.ts';
import {
  GREEN,
  hostileReport,
  HOSTILE,
  INCONCLUSIVE,
  MIXED as report,
  OBEYED,
  RED,
} from '../../test/sample-reports.ts';
import { renderJson } from './json.ts';

describe('the JSON report', () => {
  it('validates with a crash matrix', () => {
    const found = { stream: 'started', ledger: 'INFLIGHT', effect: false };
    const cell = { cut: 'a@1', second: null, window: '2', calls: 1, found, outcome: 'failed', cycleMs: 1.5 } as const;
    const unseen = { ...cell, second: 'b@1', window: null, calls: null, found: null, cycleMs: null } as const;
    const figures = { cuts: 1, pairs: 1, duplicateCalls: 0, lostEvents: 0, medianCycleMs: null };
    const crashMatrix = { points: ['a'], cells: [cell, unseen], figures };
    expect(validate('report', JSON.parse(renderJson({ ...report, crashMatrix })))).toEqual([]);
  });

  it.each([
    ['red', RED],
    ['green', GREEN],
    ['inconclusive', INCONCLUSIVE],
    ['mixed', report],
  ])('is the whole of a run that is %s', (_, given) => {
    const text = renderJson(given);
    expect(JSON.parse(text)).toEqual(given);
    expect(validate('report', JSON.parse(text))).toEqual([]);
  });

  it('holds nothing raw that a terminal would obey, and keeps every value', () => {
    const text = renderJson(hostileReport(HOSTILE));
    expect(OBEYED.exec(text)?.[0]).toBeUndefined();
    expect(text.isWellFormed()).toBe(true);
    expect(JSON.parse(text)).toEqual(hostileReport(HOSTILE));
  });
});
