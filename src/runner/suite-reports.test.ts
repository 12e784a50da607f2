import { describe, expect, it } from 'vitest';
import type { CheckReport } from '../contract/report.ts';
import { reportSuites, unmetAmong } from './suite-reports.ts';

type More = Partial<CheckReport>;

function check(suite: string, verdict: CheckReport['verdict'], more: More = {}): CheckReport {
  const names = { id: `${suite}.a`, suite, scenario: 's', requirement: `${suite}.a`, title: 't' };
  return { ...names, level: 'MUST', verdict, evidence: [], durationMs: 0, ...more };
}

function isNever(): boolean {
  return false;
}

const advice: More = { level: 'SHOULD' };

describe('a suite', () => {
  it.each<[verdict: string, checks: readonly CheckReport[]]>([
    ['conformant', [check('u', 'pass'), check('u', 'not-applicable')]],
    ['conformant', [check('u', 'pass', advice), check('u', 'fail', advice), check('u', 'not-applicable')]],
    ['inconclusive', [check('u', 'pass'), check('u', 'inconclusive')]],
    ['inconclusive', [check('u', 'fail', advice)]],
    ['non-conformant', [check('u', 'fail'), check('u', 'inconclusive')]],
    ['error', [check('u', 'error'), check('u', 'fail')]],
    ['error', [check('u', 'pass'), check('u', 'error', advice)]],
    ['not-judged', [check('u', 'inconclusive'), check('u', 'not-applicable')]],
  ])('is %s', (verdict, checks) => {
    expect(reportSuites(checks, 'must', isNever)).toMatchObject([{ id: 'u', verdict }]);
  });

  it('is not conformant where a check of any level is open as the run ended', () => {
    const checks = [check('u', 'pass'), check('u', 'inconclusive', advice), check('v', 'pass'), check('w', 'fail')];
    const cut = reportSuites(checks, 'must', ({ verdict }) => verdict !== 'pass');
    expect(cut.map(({ verdict }) => verdict)).toEqual(['inconclusive', 'conformant', 'non-conformant']);
    expect(reportSuites(checks, 'must', isNever)[0]?.verdict).toBe('conformant');
  });

  it('that was not judged says why: what most checks say, those that apply first', () => {
    const closed = check('u', 'not-applicable', { reason: 'not advertised' });
    const open = (reason: string) => check('u', 'inconclusive', { reason });
    expect(reportSuites([closed, closed], 'must', isNever)).toMatchObject([{ reason: 'not advertised' }]);
    expect(
      reportSuites([closed, closed, closed, open('no'), open('seam'), open('seam')], 'must', isNever),
    ).toMatchObject([{ reason: 'seam' }]);
    expect(reportSuites([check('u', 'pass', { reason: 'noted' })], 'must', isNever)[0]).not.toHaveProperty('reason');
  });
});

describe('what has to be decided', () => {
  const checks = [check('u', 'pass'), check('v', 'not-applicable', { reason: 'not advertised' }), check('w', 'error')];

  it('is met by a suite or a requirement of which something was, or that failed in the harness', () => {
    expect(unmetAmong(['u', 'u.a', 'w'], checks)).toEqual([]);
  });

  it('is not met by what does not apply, nor by what was not selected; each is named once', () => {
    expect(unmetAmong(['v', 'v', 'v.a', 'x'], checks)).toEqual([
      { id: 'v', reason: 'not advertised' },
      { id: 'v.a', reason: 'not advertised' },
      { id: 'x', reason: 'not selected' },
    ]);
  });
});
