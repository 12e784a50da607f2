import { describe, expect, it } from 'vitest';
import { checkReport, GREEN } from '../../test/sample-reports.ts';
import type { CheckReport, Report } from '../contract/report.ts';
import { applyBaseline } from './apply.ts';
import { type Baseline, type BaselineEntry, formatBaseline } from './baseline.ts';
import { makeBaseline, pruneBaseline, updateBaseline, whyNoBaseline } from './make.ts';

const NAMES = {
  checks: ['a.one', 'a.two', 'a.three', 'a.four', 'a.five', 'a.six', 'a.seven'],
  requirements: ['a.one', 'a.two', 'a.three', 'a.four', 'a.five', 'a.six', 'a.seven'],
  diagnoses: [],
};
const WORDS = { reason: 'r', link: 'https://h.example/1', expires: '2027-01-31' };

function reportOf(...checks: readonly CheckReport[]): Report {
  return { ...GREEN, checks };
}

const REPORT = reportOf(
  checkReport('a.one', 'pass'),
  checkReport('a.two', 'fail', { diagnosis: { code: 'd', message: 'm' } }),
  checkReport('a.three', 'inconclusive', { restsOn: 'a.two' }),
  checkReport('a.four', 'inconclusive'),
  checkReport('a.five', 'not-applicable'),
  checkReport('a.six', 'fail', { level: 'SHOULD' }),
);

function baselineOf(known: readonly BaselineEntry[], decided: readonly string[] = []): Baseline {
  return { baselineVersion: 1, known, decided };
}

describe('a baseline that is made', () => {
  it('knows failures that decide and what is undecided of itself, and what was decided', () => {
    expect(makeBaseline(REPORT, 'must')).toEqual({
      baselineVersion: 1,
      known: [
        { check: 'a.two', verdict: 'fail', diagnosis: 'd' },
        { check: 'a.four', verdict: 'inconclusive' },
      ],
      decided: ['a.one', 'a.two', 'a.six'],
    });
  });

  it('knows what is undecided for the sake of advice', () => {
    const report = reportOf(...REPORT.checks, checkReport('a.seven', 'inconclusive', { restsOn: 'a.six' }));
    expect(makeBaseline(report, 'must').known.map(({ check }) => check)).toContain('a.seven');
    expect(makeBaseline(report, 'should').known.map(({ check }) => check)).not.toContain('a.seven');
  });

  it.each(['must', 'should'] as const)('is met by the run that it was made of, at level %s', (level) => {
    const applied = applyBaseline(REPORT, makeBaseline(REPORT, level), { level, allowInconclusive: false });
    expect(applied.baseline?.problems).toEqual([]);
    expect(applied.exitCode).toBe(0);
  });

  it.each<[why: string, report: Report]>([
    ['the harness failed in a.one', reportOf(checkReport('a.one', 'error'))],
    ['the host could not be judged (unreachable)', { ...REPORT, preflight: { code: 'unreachable', message: 'm' } }],
  ])('is not made where %s', (why, report) => {
    expect(whyNoBaseline(report)).toBe(why);
    expect(whyNoBaseline(REPORT)).toBeUndefined();
  });
});

describe('a baseline that is tidied', () => {
  it('loses what passes, does not apply, has another diagnosis or is unknown; the rest stays as it is', () => {
    const stay: readonly BaselineEntry[] = [
      { check: 'a.four', verdict: 'inconclusive', expires: '2020-01-01' },
      { check: 'a.three', verdict: 'fail', reason: 'rests on another failure now' },
      { check: 'a.seven', verdict: 'fail', reason: 'not selected' },
    ];
    const known: readonly BaselineEntry[] = [
      { check: 'a.one', verdict: 'fail' },
      { check: 'a.two', verdict: 'fail', diagnosis: 'other' },
      { requirement: 'a.five', verdict: 'fail' },
      { check: 'gone', verdict: 'fail' },
      ...stay,
    ];
    const pruned = pruneBaseline(baselineOf(known, ['gone', 'a.seven']), REPORT, NAMES);
    expect(pruned.known).toEqual(stay);
    expect(pruned.decided).toEqual(['a.seven', 'a.one', 'a.two']);
  });

  it('is that of the run after an update, with the words of before', () => {
    const known: readonly BaselineEntry[] = [
      { check: 'a.one', verdict: 'fail', ...WORDS },
      { check: 'a.two', verdict: 'fail', diagnosis: 'other', ...WORDS },
      { check: 'a.seven', verdict: 'fail', ...WORDS },
    ];
    expect(
      updateBaseline(baselineOf(known, ['a.four', 'a.seven', 'gone']), REPORT, { level: 'must', names: NAMES }),
    ).toEqual({
      baselineVersion: 1,
      known: [
        { check: 'a.seven', verdict: 'fail', ...WORDS },
        { check: 'a.two', verdict: 'fail', diagnosis: 'd', ...WORDS },
        { check: 'a.four', verdict: 'inconclusive' },
      ],
      decided: ['a.one', 'a.two', 'a.six', 'a.seven'],
    });
  });

  it('keeps the entry of a requirement that covers a failure', () => {
    const entry: BaselineEntry = { requirement: 'a.two', verdict: 'fail', reason: 'r' };
    const { known } = updateBaseline(baselineOf([entry]), REPORT, { level: 'must', names: NAMES });
    expect(known).toEqual([entry, { check: 'a.four', verdict: 'inconclusive' }]);
  });

  it('does not change by a second update', () => {
    const options = { level: 'must', names: NAMES } as const;
    const once = updateBaseline(baselineOf([]), REPORT, options);
    expect(formatBaseline(updateBaseline(once, REPORT, options))).toBe(formatBaseline(once));
  });
});

describe('the file of a baseline', () => {
  it('has an entry and a check on a line each, by name', () => {
    const known: readonly BaselineEntry[] = [
      { verdict: 'inconclusive', requirement: 'b' },
      { reason: 'r', expires: '2027-01-31', link: 'https://h.example/1', diagnosis: 'd', verdict: 'fail', check: 'a' },
    ];
    expect(formatBaseline(baselineOf(known, ['z', 'y', 'z']))).toBe(`{
  "baselineVersion": 1,
  "known": [
    { "check": "a", "verdict": "fail", "diagnosis": "d", "reason": "r", "link": "https://h.example/1", "expires": "2027-01-31" },
    { "requirement": "b", "verdict": "inconclusive" }
  ],
  "decided": [
    "y",
    "z"
  ]
}
`);
    expect(formatBaseline(baselineOf([]))).toBe('{\n  "baselineVersion": 1,\n  "known": [],\n  "decided": []\n}\n');
  });
});
