import { describe, expect, it } from 'vitest';
import {
  checkReport,
  GREEN,
  hostileReport,
  HOSTILE,
  INCONCLUSIVE,
  MIXED,
  OBEYED,
  RED,
} from '../../test/sample-reports.ts';
import { renderMarkdown } from './markdown.ts';

/** What of a page is no code: fenced blocks and spans end where as many backticks stand as began them. */
function outsideCode(page: string): string {
  const unfenced = page.replaceAll('\\`', '').replace(/^(?<marks>`{3,})\w*\n[^]*?\n\k<marks>$/gmu, '');
  return unfenced.replace(/(?<!`)(?<marks>`+)(?!`)[^]*?(?<!`)\k<marks>(?!`)/gu, '');
}

describe('the page in Markdown', () => {
  it('shows a red run: failures with their causes and what rests on them, then what is known and advice', () => {
    expect(renderMarkdown(RED).split('\n')).toEqual([
      '# openwop-conformance 1.2.3: non-conformant (exit code 1)',
      '',
      '`http://127.0.0.1:80` · `host 1` · execution model 4 · recipe advertised `spec-rfc-0041` · recipe observed `rfc-0150`',
      '',
      '1 passed, 1 failed, 1 advice, 1 known, 1 inconclusive, 0 not applicable, 0 errors',
      '',
      '| suite | verdict | passed | failed | inconclusive | not applicable | errors | why not judged |',
      '| --- | --- | ---: | ---: | ---: | ---: | ---: | --- |',
      '| `discovery` | conformant | 1 | 0 | 0 | 0 | 0 |  |',
      '| `cache-key-portable` | non-conformant | 0 | 1 | 1 | 0 | 0 |  |',
      '| `fork-contract` | non-conformant | 0 | 2 | 0 | 0 | 0 |  |',
      '',
      '## Failed: 1',
      '',
      '### `cache-key.lowercase-hex` (MUST)',
      '',
      'Title of cache-key.lowercase-hex',
      '',
      '```text',
      'clause:     64 lowercase hex characters [replay §B.4]',
      'expected:   64 lowercase hex characters',
      'actual:     "ABC"',
      'diagnosis:  uppercase-hex: the key is in upper case',
      'evidence:   o1 o2 o3 o4 o5 o6 o7',
      '```',
      '',
      'Fix it first: 1 check rests on it: `cache-key.sorts-tools`',
      '',
      '```sh',
      "curl -sS http://h --data-raw '{}'",
      '```',
      '',
      '<details><summary>Known failures: 1</summary>',
      '',
      '- `fork.created` (MUST): `known: fixed in 2.0 (https://host.example/issues/7): 200`',
      '',
      '</details>',
      '',
      '<details><summary>Advice: 1</summary>',
      '',
      '- `fork.unadvertised-mode` (SHOULD): `201 Created`',
      '',
      '</details>',
      '',
    ]);
  });

  it('counts what rests on a check that says what the host lacks', () => {
    const checks = [
      checkReport('run.cancel', 'inconclusive', { reason: 'it is answered with 404' }),
      checkReport('handoff.payloads.cancelled', 'inconclusive', { reason: 'no child ended', restsOn: 'run.cancel' }),
    ];
    const page = renderMarkdown({ ...INCONCLUSIVE, checks });
    expect(page).toContain('- `it is answered with 404`: `run.cancel`; 1 check rests on it');
  });

  it('shows a green run', () => {
    const page = renderMarkdown(GREEN);
    expect(page).toContain('# openwop-conformance 1.2.3: conformant (exit code 0)\n');
    expect(page.split('\n').slice(-2)).toEqual(['| `discovery` | conformant | 2 | 0 | 0 | 1 | 0 |  |', '']);
  });

  it('shows an inconclusive run: what to do next, and what is not decided by its reason', () => {
    const page = renderMarkdown(INCONCLUSIVE);
    expect(page).toContain('# openwop-conformance 1.2.3: inconclusive (exit code 3)\n');
    expect(page).toContain('\n## Next steps\n\n1. `expose llm-cache-key`: 2 checks\n');
    expect(page).toContain('- `the seam is missing`: `cache-key.sorts-tools`, `cache-key.jcs-numbers`, ');
    expect(page).not.toContain('## Failed');
  });

  it("says which failures are the harness's own", () => {
    expect(renderMarkdown(MIXED)).toContain('### `cache-key.deterministic` (MUST, error of the harness)\n');
  });

  it('says why nothing was judged, and what has to be decided and was not', () => {
    const preflight = { code: 'unreachable', message: 'http://h cannot be reached' };
    const checks = [checkReport('discovery.reachable', 'inconclusive', { reason: preflight.message })];
    expect(renderMarkdown({ ...INCONCLUSIVE, preflight, checks })).toMatch(
      /\n\*\*unreachable\*\*: `http:\/\/h cannot be reached`\n\nNothing was judged\.\n$/u,
    );
    const unmet = [{ id: 'fork-contract', reason: 'not advertised' }];
    expect(renderMarkdown({ ...GREEN, unmet })).toContain(
      '\n`--require fork-contract`: nothing of it was decided: `not advertised`\n',
    );
  });

  it('holds what a host sent in code only, and nothing that is hidden or obeyed', () => {
    const page = renderMarkdown(hostileReport(HOSTILE));
    expect(OBEYED.exec(page)?.[0]).toBeUndefined();
    expect(page.isWellFormed()).toBe(true);
    expect(page).toContain('<script>');
    expect(outsideCode(page)).not.toMatch(/(?<!\\)<script|(?<!\\)\]\(|(?<!\\)!\[|^# heading|(?<!\\)@someone/mu);
    expect(outsideCode(page)).toContain('Failed: 2');
  });

  it('keeps a table a table and code code, whatever a host sends', () => {
    for (const text of ['a|b`c``d', 'a\\|b\\\\|c``d']) {
      const table = renderMarkdown(hostileReport(text))
        .split('\n')
        .find((line) => line.startsWith('| ``` '));
      // Readers of tables take a backslash with what stands behind it.
      expect(table?.replaceAll(/\\./gu, '').match(/\|/gu)).toHaveLength(9);
    }
    expect(outsideCode(renderMarkdown(hostileReport('a ```` b')))).not.toContain('` b');
  });

  it('is at most 1 MB long, next steps first, and says what is left out', () => {
    const long = { expected: 'é'.repeat(10_000), actual: '\u{1f600}'.repeat(10_000), reproduce: 'x'.repeat(10_000) };
    const checks = Array.from({ length: 300 }, (_, index) => checkReport(`discovery.a${index}`, 'fail', long));
    const page = renderMarkdown({ ...MIXED, checks });
    expect(Buffer.byteLength(page)).toBeLessThanOrEqual(1_000_000);
    expect(Buffer.byteLength(page)).toBeGreaterThan(900_000);
    expect(page).toContain('## Next steps');
    expect(page).toMatch(/\n\d+ more parts are left out: the JSON report has them\.\n$/u);
  });
});
