import { describe, expect, it } from 'vitest';
import type { Report } from '../contract/report.ts';
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
import { github } from './github.ts';
import { renderMarkdown } from './markdown.ts';

const COMMAND = /^::(?<kind>error|warning|notice) title=(?<title>[^:,\r\n]*)::(?<data>[^\r\n]*)$/u;

function annotate(report: Report): string {
  return github.announce?.(report) ?? '';
}

/** What the runner reads of a page of commands: every line has to be one. */
function commandsIn(page: string): readonly { readonly kind: string; readonly title: string; readonly data: string }[] {
  return page
    .trimEnd()
    .split('\n')
    .map((line) => {
      const { kind, title, data } = COMMAND.exec(line)?.groups ?? {};
      if (kind === undefined || title === undefined || data === undefined) throw new Error(`no command: ${line}`);
      return { kind, title: unescaped(title), data: unescaped(data) };
    });
}

function unescaped(text: string): string {
  return text.replace(/%(?<code>[\dA-F]{2})/gu, (_, code: string) => String.fromCodePoint(Number.parseInt(code, 16)));
}

describe('the annotations for GitHub', () => {
  it('show a red run: the verdict, what failed, what is known and what is advice', () => {
    expect(annotate(RED).split('\n')).toEqual([
      '::error title=openwop-conformance 1.2.3%3A non-conformant (exit code 1)::http://127.0.0.1:80%0A1 passed, 1 failed, 1 advice, 1 known, 1 inconclusive, 0 not applicable, 0 errors',
      '::error title=cache-key.lowercase-hex (MUST)::Title of cache-key.lowercase-hex%0Aexpected: 64 lowercase hex characters%0Aactual: "ABC"%0Adiagnosis: uppercase-hex: the key is in upper case%0Areproduce: curl -sS http://h --data-raw \'{}\'%0A1 check rests on this: fix it first',
      '::notice title=fork.unadvertised-mode (SHOULD)::Title of fork.unadvertised-mode%0A201 Created',
      '::notice title=fork.created (MUST)::Title of fork.created%0Aknown: fixed in 2.0 (https://host.example/issues/7): 200',
      '',
    ]);
  });

  it('show a green run', () => {
    expect(annotate(GREEN)).toBe(
      '::notice title=openwop-conformance 1.2.3%3A conformant (exit code 0)::http://127.0.0.1:80%0A2 passed, 0 failed, 0 inconclusive, 1 not applicable, 0 errors\n',
    );
  });

  it('show an inconclusive run: the steps that help, and what no step helps', () => {
    const stuck = checkReport('discovery.shape', 'inconclusive', { reason: 'no answer' });
    const report = { ...INCONCLUSIVE, checks: [...INCONCLUSIVE.checks, stuck] };
    expect(commandsIn(annotate(report)).map(({ kind, title, data }) => [kind, title, data.split('\n')])).toEqual([
      ['warning', 'openwop-conformance 1.2.3: inconclusive (exit code 3)', ['http://127.0.0.1:80', expect.anything()]],
      ['warning', 'not decided', ['expose llm-cache-key: 2 checks', 'cache-key.sorts-tools, cache-key.jcs-numbers']],
      ['warning', 'not decided', ['no answer', 'discovery.shape']],
    ]);
  });

  it('say why nothing was judged', () => {
    const preflight = { code: 'unreachable', message: 'http://h cannot be reached' };
    const checks = [checkReport('discovery.reachable', 'inconclusive', { reason: preflight.message })];
    const [only, ...others] = commandsIn(annotate({ ...INCONCLUSIVE, preflight, checks }));
    expect(others).toEqual([]);
    expect(only?.data.split('\n').slice(1)).toEqual(['unreachable: http://h cannot be reached', 'nothing was judged']);
  });

  it('are ten of a kind at most, the last of which counts the others', () => {
    const failed = Array.from({ length: 30 }, (_, index) => checkReport(`discovery.a${index}`, 'fail'));
    const commands = commandsIn(annotate({ ...MIXED, checks: failed }));
    const errors = commands.filter(({ kind }) => kind === 'error');
    expect(errors).toHaveLength(10);
    expect(errors.at(-1)).toMatchObject({ title: '22 more' });
  });

  it('let no command of a host through, on no line', () => {
    for (const text of [HOSTILE, '%0A::error::x', '%25%0D', 'a,b:c', '::', '\r\n::warning::x']) {
      const page = annotate(hostileReport(text));
      for (const line of page.trimEnd().split('\n')) {
        expect(line).toMatch(COMMAND);
        expect(OBEYED.exec(line.replace(/^::(\w+) title=/u, '').replace('::', ' '))?.[0]).toBeUndefined();
      }
    }
    const [, , failure] = commandsIn(
      annotate({ ...RED, checks: [checkReport('a.b', 'fail', { actual: '100%0A,:' })] }),
    );
    expect(failure).toBeUndefined();
    expect(annotate({ ...RED, checks: [checkReport('a.b', 'fail', { actual: '100%0A' })] })).toContain('100%250A');
  });
});

describe('the summary for GitHub', () => {
  it('is the page in Markdown', () => {
    for (const report of [RED, GREEN, INCONCLUSIVE]) {
      expect(github.render(report, { color: false })).toBe(renderMarkdown(report));
    }
  });

  it.each([
    [0, 'notice'],
    [1, 'error'],
    [3, 'warning'],
  ] as const)('are as red as the exit code %s where there is a baseline: %s', (exitCode, kind) => {
    const problems = [{ kind: 'passes', name: 'fork.modes', message: 'fork.modes passes now' }] as const;
    const page = annotate({
      ...RED,
      exitCode,
      baseline: { known: 1, resting: 0, problems: exitCode === 1 ? problems : [] },
    });
    expect(page).toMatch(new RegExp(`^::${kind} title=openwop-conformance`, 'mu'));
    expect(page.includes('fork.modes passes now')).toBe(exitCode === 1);
  });
});
