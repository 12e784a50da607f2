import { describe, expect, it } from 'vitest';
import { checkReport as check, GREEN } from '../../test/sample-reports.ts';
import type { CheckReport, Report } from '../contract/report.ts';
import { applyBaseline } from './apply.ts';
import type { Baseline, BaselineEntry } from './baseline.ts';

const MUST = { level: 'must', allowInconclusive: false } as const;
const PASSED = check('discovery.reachable', 'pass');
const FAILED = check('fork.created', 'fail', { diagnosis: { code: 'own-id', message: 'm' } });
const KNOWN: BaselineEntry = { check: 'fork.created', verdict: 'fail' };

function reportOf(checks: readonly CheckReport[], more: Partial<Report> = {}): Report {
  const startedAt = '2026-06-15T23:59:59.000Z';
  return { ...GREEN, verdict: 'non-conformant', exitCode: 1, startedAt, checks: [PASSED, ...checks], ...more };
}

function baselineOf(known: readonly BaselineEntry[], decided: readonly string[] = []): Baseline {
  return { baselineVersion: 1, known, decided };
}

function applied(report: Report, baseline: Baseline, deciding = {}): Report {
  return applyBaseline(report, baseline, { ...MUST, ...deciding });
}

describe('a run with a baseline', () => {
  it.each<[name: string, checks: readonly CheckReport[], entry: BaselineEntry]>([
    ['a failure, by its check', [FAILED], KNOWN],
    ['a failure, by its requirement', [FAILED], { requirement: 'fork.created', verdict: 'fail' }],
    ['a failure with its diagnosis', [FAILED], { ...KNOWN, diagnosis: 'own-id' }],
    ['a failure on the last day of its entry', [FAILED], { ...KNOWN, expires: '2026-06-15' }],
    ['an undecided check', [check('fork.created', 'inconclusive')], { ...KNOWN, verdict: 'inconclusive' }],
    [
      'what rests on a known failure',
      [FAILED, check('fork.modes', 'inconclusive', { restsOn: 'fork.created' })],
      { ...KNOWN, reason: 'r' },
    ],
    [
      'one check of a requirement, while another one passes',
      [FAILED, check('fork.created.other', 'pass')],
      { requirement: 'fork.created', verdict: 'fail' },
    ],
  ])('accepts %s', (_, checks, entry) => {
    const report = applied(reportOf(checks), baselineOf([entry], ['fork.created']));
    expect(report.baseline?.problems).toEqual([]);
    expect(report.exitCode).toBe(0);
    expect(report.verdict).toBe('non-conformant');
    const { reason = 'in the baseline', expires } = entry;
    expect(report.checks[1]?.known).toEqual({ reason, ...(expires === undefined ? {} : { expires }) });
  });

  it.each<[kind: string, checks: readonly CheckReport[], entry: BaselineEntry, says: string]>([
    ['expired', [FAILED], { ...KNOWN, expires: '2026-06-14' }, 'expired on 2026-06-14'],
    ['passes', [check('fork.created', 'pass')], KNOWN, 'fork.created passes now'],
    ['passes', [check('fork.created', 'pass')], { ...KNOWN, verdict: 'inconclusive' }, 'fork.created passes now'],
    ['passes', [check('fork.created', 'pass')], { ...KNOWN, expires: '2020-01-01' }, 'fork.created passes now'],
    [
      'passes',
      [check('fork.created.other', 'pass', { requirement: 'fork.created' })],
      { requirement: 'fork.created', verdict: 'fail' },
      'fork.created (fork.created.other) passes now',
    ],
    ['other-diagnosis', [FAILED], { ...KNOWN, diagnosis: 'second-call' }, 'with the diagnosis own-id'],
    ['fails', [FAILED], { ...KNOWN, verdict: 'inconclusive' }, 'knows it as inconclusive only'],
    ['not-applicable', [check('fork.created', 'not-applicable')], KNOWN, 'does not apply any more'],
    ['undecided', [check('fork.created', 'inconclusive', { reason: 'no seam' })], KNOWN, ': no seam'],
  ])('is red where an entry holds no longer: %s', (kind, checks, entry, says) => {
    const report = applied(reportOf(checks), baselineOf([entry], ['fork.created']));
    expect(report.baseline?.problems.map((problem) => problem.kind)).toEqual([kind]);
    expect(report.baseline?.problems[0]?.message).toContain(says);
    expect(report.exitCode).toBe(1);
    expect(report.checks[1]?.known).toBeUndefined();
  });

  it('does not accept a failure that no entry is about', () => {
    const report = applied(reportOf([FAILED, check('fork.modes', 'fail')]), baselineOf([KNOWN]));
    expect(report.exitCode).toBe(1);
    expect(report.baseline).toEqual({ known: 1, resting: 0, problems: [] });
  });

  it('prefers the entry of a check to that of its requirement', () => {
    const entries: readonly BaselineEntry[] = [
      { requirement: 'fork.created', verdict: 'fail', reason: 'the row' },
      { ...KNOWN, diagnosis: 'another' },
    ];
    const report = applied(reportOf([FAILED]), baselineOf(entries));
    expect(report.checks[1]?.known).toBeUndefined();
    expect(report.baseline?.problems.map(({ kind }) => kind)).toEqual(['other-diagnosis']);
  });

  it.each<[name: string, lost: CheckReport, problems: readonly string[], exitCode: number]>([
    ['undecided', check('fork.modes', 'inconclusive'), ['no-longer-decided'], 1],
    ['not applicable', check('fork.modes', 'not-applicable'), ['no-longer-decided'], 1],
    ['undecided and only advice', check('fork.modes', 'inconclusive', { level: 'SHOULD' }), [], 0],
    [
      'undecided by a known failure, which leaves more open than it did',
      check('fork.modes', 'inconclusive', { restsOn: 'fork.created' }),
      ['no-longer-decided'],
      1,
    ],
    ['decided still', check('fork.modes', 'pass'), [], 0],
  ])('a check that was decided and is %s', (_, lost, problems, exitCode) => {
    const report = applied(reportOf([FAILED, lost]), baselineOf([KNOWN], ['fork.modes']));
    expect(report.baseline?.problems.map(({ kind }) => kind)).toEqual(problems);
    expect(report.exitCode).toBe(exitCode);
  });

  it('tells in one line what a known failure leaves open now', () => {
    const resting = ['fork.modes', 'fork.bodies'].map((id) => check(id, 'inconclusive', { restsOn: 'fork.created' }));
    const report = applied(reportOf([FAILED, ...resting]), baselineOf([KNOWN], ['fork.modes', 'fork.bodies']));
    expect(report.baseline?.problems.map(({ message }) => message)).toEqual([
      'fork.created is known, but now it leaves open what was decided when the baseline was made: fork.modes, fork.bodies',
    ]);
    const entries: readonly BaselineEntry[] = [KNOWN, { check: 'fork.modes', verdict: 'fail' }];
    const undecided = applied(reportOf([FAILED, ...resting]), baselineOf(entries));
    expect(undecided.baseline?.problems.map(({ kind, name }) => [kind, name])).toEqual([['undecided', 'fork.modes']]);
  });

  it('tells what rests on a new failure once', () => {
    const resting = check('fork.modes', 'inconclusive', { restsOn: 'fork.created' });
    const entry: BaselineEntry = { check: 'fork.modes', verdict: 'fail' };
    const report = applied(reportOf([FAILED, resting]), baselineOf([entry], ['fork.modes']));
    expect(report.baseline?.problems).toEqual([]);
    expect(report.exitCode).toBe(1);
  });

  it('leaves what was undecided before as it is: 3, or 0 where that is allowed', () => {
    const checks = [FAILED, check('fork.modes', 'inconclusive')];
    expect(applied(reportOf(checks), baselineOf([KNOWN])).exitCode).toBe(3);
    expect(applied(reportOf(checks), baselineOf([KNOWN]), { allowInconclusive: true }).exitCode).toBe(0);
  });

  it('does not compare what was not selected', () => {
    const entry: BaselineEntry = { check: 'cache-key.deterministic', verdict: 'fail', expires: '2020-01-01' };
    const report = applied(reportOf([]), baselineOf([entry], ['cache-key.lowercase-hex']));
    expect(report.exitCode).toBe(0);
    expect(report.baseline?.problems).toEqual([]);
  });

  it.each<[name: string, more: Partial<Report>, exitCode: number]>([
    ['an interrupted run', { interrupted: 'SIGINT' }, 3],
    ['an unreachable host', { preflight: { code: 'unreachable', message: 'm' } }, 3],
    ['a host that stopped answering', { hostStopped: { afterRequests: 3, checksNotReached: 1 } }, 3],
    ['evidence that ends early', { endsEarly: true }, 3],
    ['a run that was out of time', { ranOutOf: 'time' }, 3],
    ['a run that was stopped', { stoppedAfter: { failures: 1, checksNotReached: 1 } }, 3],
    ['a run in which --require was not met', { unmet: [{ id: 'fork.modes', reason: 'r' }] }, 3],
  ])('does not excuse %s', (_, more, exitCode) => {
    const entries: readonly BaselineEntry[] = [
      { check: 'fork.modes', verdict: 'inconclusive' },
      { check: 'discovery.reachable', verdict: 'fail' },
    ];
    const left = check('fork.modes', 'inconclusive');
    const known = 'unmet' in more ? entries.slice(0, 1) : entries;
    const report = applied(reportOf([left], more), baselineOf(known, ['fork.modes']));
    expect(report.exitCode).toBe(exitCode);
    expect(report.baseline?.problems).toEqual([]);
  });

  it('still counts a known failure as known where the run was cut short', () => {
    const report = applied(reportOf([FAILED], { interrupted: 'SIGTERM' }), baselineOf([KNOWN]));
    expect(report.checks[1]?.known).toBeDefined();
    expect(report.exitCode).toBe(3);
    expect(report.baseline?.uncompared).toContain('SIGTERM');
  });

  it('ends with 4 for an error of the harness in a row that does not decide', () => {
    const broken = check('fork.modes', 'error', { level: 'SHOULD' });
    expect(applied(reportOf([broken]), baselineOf([])).exitCode).toBe(4);
  });

  it('never excuses an error of the harness', () => {
    const entries: readonly BaselineEntry[] = [KNOWN, { check: 'discovery.reachable', verdict: 'fail' }];
    const report = applied(reportOf([check('fork.created', 'error')]), baselineOf(entries, ['fork.created']));
    expect(report.exitCode).toBe(4);
  });

  it('is not green where nothing passed', () => {
    const report = applied({ ...reportOf([]), checks: [FAILED] }, baselineOf([KNOWN]));
    expect(report.exitCode).toBe(3);
  });

  it('compares anew what was compared before', () => {
    const before = applied(reportOf([FAILED]), baselineOf([KNOWN]));
    expect(applied(before, baselineOf([])).checks[1]?.known).toBeUndefined();
  });

  it('accepts advice, too, where an entry is about it', () => {
    const advice = check('fork.modes', 'fail', { level: 'SHOULD' });
    const report = applied(reportOf([advice]), baselineOf([{ check: 'fork.modes', verdict: 'fail' }]));
    expect(report.checks[1]?.known).toBeDefined();
    expect(report.exitCode).toBe(0);
  });
});
