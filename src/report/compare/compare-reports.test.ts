import { describe, expect, it } from 'vitest';
import { checkReport, GREEN } from '../../../test/sample-reports.ts';
import { type CheckReport, count, type Report } from '../../contract/report.ts';
import { validate } from '../../contract/validate.ts';
import { compareReports, type Change } from './compare-reports.ts';
import { renderComparison as renderHtml } from './html.tsx';
import { renderComparison as renderMarkdown } from './markdown.ts';
import { renderComparison as renderTerminal } from './terminal.ts';

function check(id: string, verdict: CheckReport['verdict'], more: Partial<CheckReport> = {}): CheckReport {
  return checkReport(id, verdict, { requirement: id, scenario: id, durationMs: 30, ...more });
}

function reportOf(checks: readonly CheckReport[], more: Partial<Report> = {}): Report {
  return { ...GREEN, options: { seed: 7, level: 'must' }, counts: count([]), suites: [], checks, ...more };
}

function scenarios(times: readonly number[]): Report {
  return reportOf(times.map((durationMs, index) => check(`c${index}`, 'pass', { durationMs })));
}

function changeOf(before: CheckReport | undefined, after: CheckReport | undefined) {
  const [first, second] = [before, after].map((each) => reportOf(each === undefined ? [] : [each]));
  const { checks, exitCode } = compareReports(first ?? reportOf([]), second ?? reportOf([]));
  return [checks[0]?.change, exitCode];
}

const CAUSE = { diagnosis: { code: 'one', message: 'm' } };
const OTHER = { diagnosis: { code: 'other', message: 'm' } };

describe('two runs compared', () => {
  it.each<readonly [string, CheckReport | undefined, CheckReport | undefined, Change | undefined, 0 | 1]>([
    ['passes and fails', check('a', 'pass'), check('a', 'fail'), 'broken', 1],
    ['was open and fails', check('a', 'inconclusive'), check('a', 'fail'), 'broken', 1],
    ['passes and cannot be judged', check('a', 'pass'), check('a', 'error'), 'broken', 1],
    ['passes and is not decided any more', check('a', 'pass'), check('a', 'inconclusive'), 'coverage-lost', 1],
    ['passes and does not apply any more', check('a', 'pass'), check('a', 'not-applicable'), 'coverage-lost', 1],
    ['fails and is not decided any more', check('a', 'fail'), check('a', 'inconclusive'), 'coverage-lost', 1],
    ['fails and passes', check('a', 'fail'), check('a', 'pass'), 'fixed', 0],
    ['fails by another cause', check('a', 'fail', CAUSE), check('a', 'fail', OTHER), 'other-diagnosis', 0],
    ['fails by the same cause', check('a', 'fail', CAUSE), check('a', 'fail', CAUSE), undefined, 0],
    ['was open and passes', check('a', 'inconclusive'), check('a', 'pass'), 'coverage-gained', 0],
    ['is open, and does not apply', check('a', 'inconclusive'), check('a', 'not-applicable'), undefined, 0],
    ['passes both times', check('a', 'pass'), check('a', 'pass'), undefined, 0],
    ['is new, whatever it says', undefined, check('a', 'fail'), 'new', 0],
    ['is gone', check('a', 'pass'), undefined, 'gone', 0],
    [
      'is advice that broke',
      check('a', 'pass', { level: 'SHOULD' }),
      check('a', 'fail', { level: 'SHOULD' }),
      'broken',
      0,
    ],
  ])('say of a check that it %s', (_, ...[before, after, change, exitCode]) => {
    expect(changeOf(before, after)).toEqual([change, exitCode]);
  });

  it('let advice decide where the second run was asked to', () => {
    const advice = { level: 'SHOULD' } as const;
    const after = reportOf([check('a', 'fail', advice)], { options: { seed: 7, level: 'should' } });
    expect(compareReports(reportOf([check('a', 'pass', advice)]), after).exitCode).toBe(1);
  });

  it('name what was not asked alike', () => {
    const before = reportOf([], { options: { seed: 7, suite: [] } });
    const after = reportOf([], { options: { seed: 8, suite: ['s'] }, tool: { name: 't', version: '2.0.0' } });
    expect(compareReports(before, after).settings).toEqual([
      { name: 'tool', before: '1.2.3', after: '2.0.0' },
      { name: 'seed', before: '7', after: '8' },
      { name: 'suite', before: '-', after: '["s"]' },
    ]);
  });

  it('name first that one of the runs is not whole', () => {
    const part = 'interrupted by SIGINT';
    const whole = reportOf([], { counts: count(['pass']) });
    const after: Report = { ...whole, interrupted: 'SIGINT', tool: { name: 't', version: '2.0.0' } };
    expect(compareReports(whole, after).settings[0]).toEqual({ name: 'run', before: 'whole', after: part });
    expect(compareReports(after, whole).settings[0]).toEqual({ name: 'run', before: part, after: 'whole' });
    expect(compareReports(after, after).settings).toEqual([{ name: 'run', before: part, after: part }]);
  });

  it('find what takes longer beyond the pace of the machine, and leave that to the reader', () => {
    const before = scenarios([100, 200, 300, 400, 500, 600]);
    expect(compareReports(before, scenarios([300, 600, 900, 1200, 1500, 1800])).timings).toEqual([]);
    expect(compareReports(before, scenarios([100, 200, 300, 400, 500, 9000]))).toMatchObject({
      exitCode: 0,
      timings: [{ scenario: 'c5', beforeMs: 600, afterMs: 9000, ratio: 15 }],
    });
    expect(compareReports(before, scenarios([1, 200, 300, 400, 500, 600])).timings).toEqual([]);
  });
});

describe('a comparison is shown', () => {
  const before = reportOf([
    check('kept', 'pass'),
    check('broken', 'pass'),
    check('lost', 'pass'),
    check('fixed', 'fail', CAUSE),
    check('other', 'fail', CAUSE),
    check('found', 'inconclusive', { reason: 'no seam' }),
    check('gone', 'pass'),
  ]);
  const after = reportOf(
    [
      check('kept', 'pass'),
      check('broken', 'fail', { actual: '::error::a\u202Eb<script>|`' }),
      check('lost', 'inconclusive', { reason: 'r', restsOn: 'broken' }),
      check('fixed', 'pass'),
      check('other', 'fail', OTHER),
      check('found', 'pass'),
      check('new', 'pass'),
    ],
    { options: { seed: 8, level: 'must' }, exitCode: 1, verdict: 'non-conformant' },
  );
  const comparison = compareReports(before, after);

  it('as JSON of its schema', () => {
    expect(validate('comparison', comparison)).toEqual([]);
    expect(comparison.counts).toEqual({
      broken: 1,
      'coverage-lost': 1,
      fixed: 1,
      'other-diagnosis': 1,
      'coverage-gained': 1,
      new: 1,
      gone: 1,
      same: 1,
    });
  });

  it('on a terminal, what was lost under its cause', () => {
    expect(renderTerminal(comparison, { color: false }))
      .toBe(`before  http://127.0.0.1:80 · host 1 · conformant · 2026-01-01T00:00:00.000Z · openwop-conformance 1.2.3
after   http://127.0.0.1:80 · host 1 · non-conformant · 2026-01-01T00:00:00.000Z · openwop-conformance 1.2.3
not the same: seed was 7, is 8

broken:
  broken (MUST)
    before: pass
    after:  fail: :\\u{3a}error:\\u{3a}a\\u{202e}b<script>|\`
    rests on it: lost

fixed:
  fixed (MUST)
    before: fail: one: m
    after:  pass

fails by another cause:
  other (MUST)
    before: fail: one: m
    after:  fail: other: m

decided now, and passes:
  found (MUST)
    before: inconclusive: no seam
    after:  pass

only in the second run:
  new (MUST)
    after:  pass

only in the first run:
  gone (MUST)
    before: pass

2 checks are worse: 1 broken, 1 not decided any more, 1 fixed, 1 by another cause, 1 decided now, 1 new, 1 gone, 1 as before (exit code 1)
`);
    expect(renderTerminal(comparison, { color: true })).toContain('\u001B[31m');
  });

  it('with a word where both are cut alike', () => {
    const [one, other] = [before, after].map((each): Report => ({ ...each, ranOutOf: 'time' })) as [Report, Report];
    const page = compareReports(one, other);
    expect(renderTerminal(page, { color: false })).toContain('\nneither run is whole: out of time\n');
    expect(renderMarkdown(page)).toContain('Neither run is whole: `out of time`.');
    expect(renderHtml(page)).toContain('neither run is whole: ');
  });

  it('in Markdown, in which nothing of a host is markup', () => {
    const page = renderMarkdown(comparison);
    expect(page).toContain('# 2 checks are worse');
    expect(page).toContain(
      String.raw`| \`broken\`, 1 rest on it | MUST | \`pass\` | \`\` fail: :\u{3a}error:\u{3a}a\u{202e}b<script>\|\` \`\` |`.replaceAll(
        '\\`',
        '`',
      ),
    );
    expect(page).toContain('Not the same: seed was `7`, is `8`.');
  });

  it('as a page, in which nothing of a host is markup', () => {
    const page = renderHtml(comparison);
    expect(page).toContain('2 checks are worse');
    expect(page).toContain('id="check=broken"');
    expect(page).toContain('&lt;script&gt;');
    expect(page).not.toMatch(/<script|\u202E/u);
  });

  it('as good news where there are no others', () => {
    const same = compareReports(before, before);
    expect(renderTerminal(same, { color: false })).toContain('nothing is worse: 0 broken');
    expect(renderHtml(same)).toContain('✓');
  });
});
