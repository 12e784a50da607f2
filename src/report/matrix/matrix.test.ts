import { describe, expect, it } from 'vitest';
import { checkReport, GREEN, RED } from '../../../test/sample-reports.ts';
import { type CheckReport, count, type ExitCode, type Report } from '../../contract/report.ts';
import { validate } from '../../contract/validate.ts';
import { renderMatrix as renderPage } from './html.tsx';
import { conclusionOf, matrixOf, redRows, type JudgedTarget } from './matrix.ts';
import { renderMatrix } from './terminal.ts';

const TOOL = GREEN.tool;

function check(id: string, verdict: CheckReport['verdict'], more: Partial<CheckReport> = {}): CheckReport {
  return checkReport(id, verdict, { requirement: id, ...more });
}

function judged(name: string, exitCode: ExitCode, checks: readonly CheckReport[], build = 'host 1'): JudgedTarget {
  const report: Report = {
    ...(exitCode === 0 ? GREEN : RED),
    target: { ...GREEN.target, implementation: build },
    counts: count(['pass', 'fail', 'fail']),
    requirements: checks.map(({ id, level, verdict }) => ({ id, level, verdict, checks: [id] })),
    checks,
  };
  return { name, baseUrl: 'http://h', exitCode, report };
}

const GONE: JudgedTarget = { name: 'gone', baseUrl: 'http://g', exitCode: 4, report: undefined, reason: 'killed' };
const KNOWN = { known: { reason: 'later' } };

describe('hosts × requirements', () => {
  const matrix = matrixOf(
    [
      judged('a', 0, [check('one', 'pass'), check('two', 'fail', KNOWN)]),
      judged('b', 1, [check('two', 'fail'), check('three', 'inconclusive')]),
      GONE,
    ],
    { tool: TOOL },
  );

  it('has a cell for each host that looked at a row, and says what its baseline knows', () => {
    expect(validate('targets#matrix', matrix)).toEqual([]);
    expect(matrix.requirements).toEqual([
      { id: 'one', level: 'MUST', cells: { a: 'pass' } },
      { id: 'two', level: 'MUST', cells: { a: 'known', b: 'fail' } },
      { id: 'three', level: 'MUST', cells: { b: 'inconclusive' } },
    ]);
    expect(redRows(matrix).map(({ id }) => id)).toEqual(['two']);
    expect(conclusionOf(matrix)).toBe('3 hosts: 1 non-conformant, 1 not-judged, 1 conformant');
  });

  it.each<readonly [readonly ExitCode[], ExitCode]>([
    [[0, 0], 0],
    [[0, 3], 3],
    [[3, 1, 0], 1],
    [[1, 4, 3], 4],
    [[4, 130], 130],
  ])('ends with the worst of %j: %i', (codes, worst) => {
    const all = codes.map((code, index) => judged(`h${index}`, code, []));
    expect(matrixOf(all, { tool: TOOL }).exitCode).toBe(worst);
  });

  it('says on a terminal what failed where', () => {
    const page = renderMatrix(matrix, { color: false, page: 'r/index.html' });
    expect(page).toBe(
      [
        '  a     conformant      2 failed, 1 passed',
        '  b     non-conformant  2 failed, 1 passed',
        '  gone  not-judged      killed',
        '',
        'failed:',
        '  two (MUST): a (known), b',
        '',
        'all of it: r/index.html',
        '3 hosts: 1 non-conformant, 1 not-judged, 1 conformant (exit code 4)',
        '',
      ].join('\n'),
    );
  });

  it('keeps what hosts say text, whatever they are called', () => {
    const evil = '</td><script>alert(1)</script>\u202e\u001b[2J';
    const hostile = matrixOf([{ ...judged(evil, 1, [check(evil, 'fail')], evil), baseUrl: `http://h/${evil}` }], {
      tool: TOOL,
    });
    const page = renderPage(hostile);
    expect(page).not.toMatch(/<script|[\u202e\u001b]/u);
    expect(page).toContain('&lt;script&gt;');
    expect(page).toMatch(/default-src &#39;none&#39;|default-src 'none'/u);
    expect(renderMatrix(hostile, { color: false, page: 'p' })).not.toMatch(/[\u202e\u001b]/u);
  });
});
