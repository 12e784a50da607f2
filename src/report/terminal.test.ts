import { describe, expect, it } from 'vitest';
import type { Report } from '../contract/report.ts';
import {
  checkReport as check,
  GREEN,
  hostileReport,
  HOSTILE,
  INCONCLUSIVE,
  MIXED as report,
  OBEYED,
  RED,
} from '../../test/sample-reports.ts';
import { renderTerminal } from './terminal.ts';
import { columnsOf } from './wrap.ts';

function render(given: Report, color = false, verbose = false): string {
  return renderTerminal(given, { color, verbose });
}

/** What stands first below the heading. */
function headlines(more: Partial<Report>): readonly string[] {
  return render({ ...report, ...more })
    .split('\n')
    .slice(2, 5);
}

/** Texts as long as hosts send them, of all widths, and a table. */
function longReport(): Report {
  const found = { stream: 'started', ledger: 'RECOVERABLE', effect: false };
  const cell = { cut: 'before-append-command-committed@1', second: null, window: '2', calls: 1, found } as const;
  const pair = { ...cell, second: 'after-claim@1' } as const;
  const figures = { cuts: 1, pairs: 1, duplicateCalls: 0, lostEvents: 0, medianCycleMs: 12 };
  const [first, failed, ...others] = RED.checks;
  if (first === undefined || failed === undefined) throw new Error('no sample');
  return {
    ...RED,
    crashMatrix: {
      points: ['before-append-command-committed', 'after-claim'],
      cells: [
        { ...cell, outcome: 'failed', cycleMs: 1 },
        { ...pair, outcome: 'completed', cycleMs: 1 },
      ],
      figures,
    },
    nextSteps: [
      { steps: ['advertise failpoints', 'expose failpoint'], untested: 'what survives a crash', checks: ['a', 'b'] },
    ],
    checks: [
      first,
      {
        ...failed,
        title:
          'The key of every request, whatever its members are and however they are spelled, is lowercase hexadecimal',
        expected: `sequence 5, variable.changed of node call-tool, in the source run_01M7Z9Z773Q5SYGGCMTSZ652QM /payload/value/nonce: "c3b8bd6a-1af1-4869-9a49-2ef82c080291"`,
        actual: `{"text":"${'春の潮は月に従う。'.repeat(2)} ${'é'.repeat(30)} e\u0301"} and ${'x'.repeat(90)} behind it`,
        reproduce: `curl -sS -i -X POST http://127.0.0.1:8080/v1/host/sample/test/llm-cache-key -H 'content-type: application/json' --data-raw '{}'`,
      },
      check('cache-key.deterministic', 'inconclusive', {
        reason:
          'mock model, conformance-determinism-llm-gate: POST /v1/host/sample/test/mock-ai/program answered 404: the host has to expose it to this credential',
      }),
      ...others,
    ],
  };
}

function words(page: string): readonly string[] {
  return page.replaceAll(/\u001b\[\d+m/gu, '').split(/\s+/u);
}

function quiet(given: Report): readonly string[] {
  return renderTerminal(given, { color: false, quiet: true }).split('\n');
}

describe('the terminal page of a width', () => {
  it('is at most so many columns wide, commands and long words excepted', async () => {
    const page = renderTerminal(longReport(), { color: false, width: 80 });
    await expect(page).toMatchFileSnapshot('snapshots/terminal-80.txt');
    const wide = page.split('\n').filter((line) => columnsOf(line) > 80);
    expect(wide.filter((line) => !/^ {2}reproduce: |^ *x{90}$/u.test(line))).toEqual([]);
  });

  it('holds the same words as one of no width, in any colour', () => {
    for (const color of [false, true]) {
      expect(words(renderTerminal(longReport(), { color, width: 80 }))).toEqual(words(render(longReport())));
    }
  });

  it('counts no colour, and stays readable where a terminal is very narrow', () => {
    const plain = renderTerminal(longReport(), { color: false, width: 60 });
    const painted = renderTerminal(longReport(), { color: true, width: 60 });
    expect(painted).toContain('\u001b[31m');
    expect(painted.replaceAll(/\u001b\[\d+m/gu, '')).toBe(plain);
    expect(renderTerminal(longReport(), { color: false, width: 3 })).toBe(
      renderTerminal(longReport(), { color: false, width: 40 }),
    );
  });

  it('lets nothing of a host through at the place of a break', () => {
    const page = renderTerminal(hostileReport(`${HOSTILE} `.repeat(3)), { color: false, width: 60 });
    expect(OBEYED.exec(page)?.[0]).toBeUndefined();
  });
});

describe('the terminal page that is quiet', () => {
  it('shows of a red run what is red, and the verdict', () => {
    expect(quiet(RED)).toEqual([
      'FAIL cache-key.lowercase-hex (MUST)',
      '  Title of cache-key.lowercase-hex',
      '  clause:     64 lowercase hex characters [replay §B.4]',
      '  expected:   64 lowercase hex characters',
      '  actual:     "ABC"',
      '  diagnosis:  uppercase-hex: the key is in upper case',
      '  evidence:   o1 o2 o3 o4 o5 o6 … (7)',
      "  reproduce:  curl -sS http://h --data-raw '{}'",
      '  1 check rests on this: fix it first',
      '',
      '1 passed, 1 failed, 1 advice, 1 known, 1 inconclusive, 0 not applicable, 0 errors',
      'non-conformant (exit code 1) in cache-key-portable, fork-contract; conformant in discovery · 1.2 s',
      '',
    ]);
  });

  it('shows of a green run and of an inconclusive one the verdict, and why nothing was judged', () => {
    expect(quiet(GREEN)).toEqual([
      '2 passed, 0 failed, 0 inconclusive, 1 not applicable, 0 errors',
      'conformant (exit code 0) in discovery · 1.2 s',
      '',
    ]);
    expect(quiet(INCONCLUSIVE)).toEqual([
      '1 passed, 0 failed, 3 inconclusive, 0 not applicable, 0 errors',
      'inconclusive (exit code 3) in cache-key-portable; conformant in discovery · 1.2 s',
      '',
    ]);
    const preflight = { code: 'unreachable', message: 'http://h cannot be reached' };
    const checks = [check('discovery.reachable', 'inconclusive', { reason: preflight.message })];
    expect(quiet({ ...INCONCLUSIVE, preflight, checks })).toEqual([
      'unreachable: http://h cannot be reached',
      'inconclusive (exit code 3): nothing was judged · 1.2 s',
      '',
    ]);
  });
});

describe('the terminal page', () => {
  it('says who was tested, what failed and how to see it again, what is undecided, totals last', () => {
    expect(render(report).split('\n')).toEqual([
      'openwop-conformance 1.2.3  http://127.0.0.1:80',
      '  host 1 · execution model 4 · recipe advertised spec-rfc-0041 · recipe observed rfc-0150',
      '',
      '  discovery           2 pass, 1 not applicable',
      '  cache-key-portable  1 FAIL, 2 inconclusive, 1 ERROR',
      '',
      'not applicable: 1, noted: 1 (--verbose lists them)',
      '',
      'inconclusive: the seam is missing',
      '  cache-key.sorts-tools, cache-key.jcs-numbers',
      '',
      'FAIL cache-key.lowercase-hex (MUST)',
      '  Title of cache-key.lowercase-hex',
      '  clause:     64 lowercase hex characters [replay §B.4]',
      '  expected:   64 lowercase hex characters',
      '  actual:     "ABC"',
      '  diagnosis:  uppercase-hex: the key is in upper case',
      '  evidence:   o1 o2 o3 o4 o5 o6 … (7)',
      "  reproduce:  curl -sS http://h --data-raw '{}'",
      '',
      'ERROR cache-key.deterministic (MUST)',
      '  Title of cache-key.deterministic',
      '  clause:     the same request gives the same key, whenever and however often it is asked [0041 §E]',
      '  reason:     the judge failed',
      '',
      'next, most first (docs/seams.md, docs/fixtures.md):',
      '  expose llm-cache-key: 2 checks',
      '',
      '2 passed, 1 failed, 2 inconclusive, 1 not applicable, 1 errors',
      'error (exit code 4) in cache-key-portable; conformant in discovery · 1.2 s',
      '',
    ]);
  });

  it('shows a green run and an inconclusive one', () => {
    expect(render(GREEN).split('\n').slice(2)).toEqual([
      '',
      '  discovery  2 pass, 1 not applicable',
      '',
      'not applicable: 1, noted: 1 (--verbose lists them)',
      '',
      '2 passed, 0 failed, 0 inconclusive, 1 not applicable, 0 errors',
      'conformant (exit code 0) in discovery · 1.2 s',
      '',
    ]);
    expect(render(INCONCLUSIVE).split('\n').slice(3)).toEqual([
      '  discovery           1 pass',
      '  cache-key-portable  3 inconclusive',
      '',
      'inconclusive: the seam is missing',
      '  cache-key.sorts-tools, cache-key.jcs-numbers, cache-key.canonical-reported',
      '',
      'next, most first (docs/seams.md, docs/fixtures.md):',
      '  expose llm-cache-key: 2 checks',
      '',
      '1 passed, 0 failed, 3 inconclusive, 0 not applicable, 0 errors',
      'inconclusive (exit code 3) in cache-key-portable; conformant in discovery · 1.2 s',
      '',
    ]);
  });

  it('lists each check, what does not apply and what is noted where all is wanted', () => {
    const page = render(report, false, true);
    expect(page).toContain(
      '\n  discovery           2 pass, 1 not applicable\n    pass            discovery.reachable\n',
    );
    expect(page).toContain('\n    FAIL            cache-key.lowercase-hex\n');
    expect(page).toContain('\nnot applicable: no vendor recipe\n  discovery.vendor-recipe-documented\n');
    expect(page).toContain('\nnoted:\n  discovery.shape: the root and its mirror differ\n');
    expect(page).not.toContain('--verbose');
  });

  it('lists a dozen things to do, says what is untested until then, and counts the rest', () => {
    const nextSteps = Array.from({ length: 14 }, (_, index) => ({
      steps: [`seed w${index}`, 'x'],
      checks: ['a', 'b'],
    }));
    const untested = { steps: ['give --tenant-b-key-env'], checks: ['a'], untested: 'access across tenants' };
    const given = { ...report, nextSteps: [untested, ...nextSteps] };
    const page = render(given);
    expect(page).toContain('\n  give --tenant-b-key-env: 1 check, access across tenants is untested\n');
    expect(page).toContain('\n  seed w0 and x: 2 checks\n');
    expect(page).toContain('\n  3 more: 6 checks (--verbose lists them)\n');
    expect(render(given, false, true)).toContain('  seed w13 and x: 2 checks');
    expect(render({ ...report, nextSteps: [] })).not.toContain('next,');
  });

  it('says in the verdict’s line what was not judged and why, suites of one reason together', () => {
    const counts = { pass: 0, fail: 0, inconclusive: 0, notApplicable: 1, error: 0 };
    const silent = (id: string, reason: string) => ({ id, verdict: 'not-judged', counts, reason }) as const;
    const suites = [
      ...report.suites,
      silent('a', 'not advertised'),
      silent('b', 'no seam'),
      silent('c', 'not advertised'),
    ];
    const lines = render({ ...report, suites, verdict: 'conformant', exitCode: 0 }).split('\n');
    expect(lines.at(-2)).toBe(
      'conformant (exit code 0) in discovery; error in cache-key-portable; not judged: a, c (not advertised), b (no seam) · 1.2 s',
    );
  });

  it('says first what keeps the host from being judged, or since when it does not answer', () => {
    const preflight = { code: 'credential', message: 'POST /v1/runs answered 401: set OPENWOP_API_KEY' };
    expect(headlines({ preflight })).toEqual(['', `credential: ${preflight.message}`, '']);
    expect(headlines({ hostStopped: { afterRequests: 7, checksNotReached: 1 } })).toEqual([
      '',
      'the host stopped answering after 7 requests, 1 check was not reached',
      '',
    ]);
  });

  it('does not tell again of each check and suite what the headline says', () => {
    const preflight = { code: 'credential', message: 'POST /v1/runs answered 401' };
    const [discovery, other] = report.suites.map((suite, index) =>
      index === 0 ? suite : { ...suite, verdict: 'not-judged' as const, reason: preflight.message },
    );
    const checks = [
      check('discovery.reachable', 'pass'),
      check('cache-key.sorts-tools', 'inconclusive', { reason: preflight.message }),
    ];
    const suites = [discovery, other].filter((suite) => suite !== undefined);
    const page = render({ ...report, verdict: 'inconclusive', exitCode: 3, preflight, checks, suites });
    expect(page.match(/answered 401/gu)).toHaveLength(1);
    expect(page).toContain('; not judged: cache-key-portable (credential) · ');
  });

  it('is a few lines where nothing was judged', () => {
    const preflight = { code: 'unreachable', message: 'http://h cannot be reached' };
    const checks = report.checks.map(({ id }) => check(id, 'inconclusive', { reason: preflight.message }));
    const page = render({ ...report, verdict: 'inconclusive', exitCode: 3, preflight, checks });
    expect(page.split('\n').slice(2)).toEqual([
      '',
      'unreachable: http://h cannot be reached',
      '',
      'inconclusive (exit code 3): nothing was judged · 1.2 s',
      '',
    ]);
  });

  it('ends with what was left out, and with what has to be decided and was not', () => {
    const unmet = [{ id: 'fork-contract', reason: 'not advertised' }];
    const page = render({
      ...report,
      verdict: 'inconclusive',
      exitCode: 3,
      leftOut: 'advertise it',
      unmet,
    });
    expect(page.split('\n').slice(-3)).toEqual([
      'advertise it',
      'exit code 3: --require fork-contract: nothing of it was decided (not advertised)',
      '',
    ]);
  });

  it('counts advice apart from failures, in the table as in the footer', () => {
    const checks = [
      check('discovery.reachable', 'fail'),
      check('discovery.shape', 'fail', { level: 'SHOULD' }),
      check('discovery.version', 'fail', { level: 'MAY' }),
    ];
    const counts = { pass: 0, fail: 3, inconclusive: 0, notApplicable: 0, error: 0 };
    const footer = (options: Report['options']) => render({ ...report, checks, counts, options }).split('\n');
    expect(footer({})).toContain('  discovery  1 FAIL, 2 advice');
    expect(footer({}).at(-3)).toBe('0 passed, 1 failed, 2 advice, 0 inconclusive, 0 not applicable, 0 errors');
    expect(footer({ level: 'should' })).toContain('  discovery  2 FAIL, 1 advice');
    expect(footer({ level: 'should' }).at(-3)).toMatch(/^0 passed, 2 failed, 1 advice, /u);
  });

  it('leaves out what is not known of a host', () => {
    const nothing = { implementation: null, executionModelVersion: null, recipeAdvertised: null, recipeObserved: null };
    const lines = render({ ...report, target: { ...report.target, ...nothing }, checks: [] }).split('\n');
    expect(lines.slice(0, 3)).toEqual(['openwop-conformance 1.2.3  http://127.0.0.1:80', '', '']);
  });

  it('says under a failure, or what the host lacks, how many checks rest on it, and which where asked', () => {
    const resting = { restsOn: 'cache-key.lowercase-hex', reason: 'not seen: x' };
    const lacking = [
      check('run.cancel', 'inconclusive', { reason: 'it is answered with 404' }),
      check('handoff.payloads.cancelled', 'inconclusive', { reason: 'no child ended', restsOn: 'run.cancel' }),
    ];
    const checks = [...report.checks, check('cache-key.deterministic', 'inconclusive', resting), ...lacking];
    const page = render({ ...report, checks });
    expect(page.match(/1 check rests on this: fix it first/gu)).toHaveLength(2);
    expect(page).not.toMatch(/not seen: x|no child ended/u);
    const verbose = render({ ...report, checks }, false, true);
    expect(verbose).toContain('    cache-key.deterministic: not seen: x');
  });

  it('lets nothing of a host through that a terminal would obey', () => {
    const page = render(hostileReport(HOSTILE));
    expect(OBEYED.exec(page)?.[0]).toBeUndefined();
    expect(page.isWellFormed()).toBe(true);
    expect(page).toContain(String.raw`\u{1b}[2J`);
    expect(page).toContain(String.raw`line one\u{a}line two`);
  });

  it('stays short, whatever a host sends', () => {
    for (const text of ['x'.repeat(100_000), '\u{1f600}'.repeat(50_000), '\u0000'.repeat(100_000)]) {
      const given = hostileReport(text);
      const bounded = {
        ...given,
        tool: report.tool,
        target: { ...given.target, baseUrl: 'http://h' },
        checks: given.checks.map((each) => ({ ...each, title: 't', reproduce: 'r' })),
        suites: given.suites.map((each) => ({ ...each, id: 's' })),
        unmet: [{ id: 's', reason: text }],
        leftOut: 'l',
        preflight: { code: 'c', message: text },
        nextSteps: [],
      };
      const page = render(bounded);
      expect(page.length).toBeLessThan(20_000);
      expect(page.isWellFormed()).toBe(true);
      expect(page).toContain('more characters)');
    }
  });

  it('shows known failures apart, with why they are accepted', () => {
    const known = { reason: 'fixed in 2.0', link: 'https://host.example/7', expires: '2027-01-31' };
    const checks = RED.checks.map((each) => (each.id === 'fork.created' ? { ...each, known } : each));
    const page = renderTerminal(
      {
        ...RED,
        checks,
        exitCode: 1,
        excluded: ['discovery'],
        stoppedAfter: { failures: 1, checksNotReached: 3 },
        baseline: {
          known: 1,
          resting: 1,
          problems: [{ kind: 'passes', name: 'fork.modes', message: 'fork.modes passes now' }],
        },
      },
      { color: false },
    );
    expect(page).toContain(
      'known (accepted by the baseline): 1\n  fork.created (fail): fixed in 2.0 (https://host.example/7, until 2027-01-31)\n',
    );
    expect(page).not.toContain('FAIL fork.created');
    expect(page).toContain('  fork-contract       1 known, 1 advice');
    expect(page).toContain('1 passed, 1 failed, 1 advice, 1 known, 1 inconclusive');
    expect(page).toContain(
      'non-conformant, excluded: discovery, stopped after 1 failed with 3 checks not reached (--max-failures) (exit code 1)',
    );
    expect(page).toContain('1 check rests on known failures\nexit code 1: baseline: fork.modes passes now\n');
  });

  it('says that nothing but known failures is left', () => {
    const page = renderTerminal(
      { ...RED, exitCode: 0, baseline: { known: 1, resting: 0, problems: [] } },
      { color: false },
    );
    expect(page).toContain('non-conformant, nothing but what the baseline knows (exit code 0)');
  });
});
