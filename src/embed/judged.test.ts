import { describe, expect, it } from 'vitest';
import type { CheckReport } from '../contract/report.ts';
import { checkReport, GREEN, INCONCLUSIVE, RED } from '../../test/sample-reports.ts';
import { outdatedAmong, whyUnjudged } from './judged.ts';

/** What is said of a check that is known to fail. */
function outdated(check: CheckReport, others: readonly CheckReport[] = []): readonly string[] {
  const report = { ...GREEN, checks: [check, ...others] };
  return [...outdatedAmong([check.id], report, { level: 'must', allowInconclusive: false }).values()];
}

describe('why a run says too little', () => {
  it('is nothing where something was decided, whatever it was', () => {
    expect([GREEN, RED].map(whyUnjudged)).toEqual([undefined, undefined]);
  });

  it('is what hindered it, or that nothing was decided', () => {
    const preflight = { code: 'unreachable', message: 'nobody is there' };
    expect(whyUnjudged({ ...GREEN, preflight })).toBe('nobody is there');
    expect(whyUnjudged({ ...GREEN, hostStopped: { afterRequests: 3, checksNotReached: 1 } })).toBe(
      'the host stopped answering',
    );
    expect(whyUnjudged({ ...GREEN, interrupted: 'SIGINT' })).toContain('interrupted');
    expect(whyUnjudged({ ...GREEN, lost: ['the evidence: e'] })).toBe('lost: the evidence: e');
    const counts = { ...INCONCLUSIVE.counts, pass: 0, fail: 0 };
    const checks = ['a', 'b'].map((reason) => checkReport('discovery.shape', 'inconclusive', { reason }));
    expect(whyUnjudged({ ...INCONCLUSIVE, counts, checks })).toBe('nothing was decided: a; b');
  });
});

describe('what is known to fail', () => {
  it('is outdated where it does anything else', () => {
    expect(outdated(checkReport('fork.created', 'fail'))).toEqual([]);
    expect(outdated(checkReport('fork.created', 'pass'))).toEqual(['fork.created passes now: take it out of known']);
    for (const verdict of ['inconclusive', 'not-applicable', 'error'] as const) {
      expect(outdated(checkReport('fork.created', verdict, { reason: 'r' }))).toEqual([
        `fork.created is ${verdict}, and known has it as failing: r`,
      ]);
    }
  });

  it('is not where it rests on a failure that is told for itself', () => {
    const resting = checkReport('fork.created', 'inconclusive', { restsOn: 'discovery.reachable' });
    expect(outdated(resting, [checkReport('discovery.reachable', 'fail')])).toEqual([]);
  });
});
