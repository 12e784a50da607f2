import { describe, expect, it } from 'vitest';
import type { CheckReport, Report } from '../contract/report.ts';
import { validate } from '../contract/validate.ts';
import { REPORTERS } from './index.ts';

function check(id: string, verdict: CheckReport['verdict'], more: Partial<CheckReport> = {}): CheckReport {
  return {
    id,
    suite: id.startsWith('discovery') ? 'discovery' : 'cache-key-portable',
    scenario: `${id}.scenario`,
    requirement: id.split('.').slice(0, 2).join('.'),
    level: 'MUST',
    verdict,
    title: `Title of ${id}`,
    evidence: ['o1'],
    durationMs: 5,
    ...more,
  };
}

const report: Report = {
  reportVersion: 1,
  tool: { name: 'openwop-conformance', version: '1.2.3' },
  target: {
    baseUrl: 'http://127.0.0.1:80',
    implementation: 'host 1',
    discoverySha256: '0'.repeat(64),
    executionModelVersion: 4,
    recipeAdvertised: 'spec-rfc-0041',
    recipeObserved: 'rfc-0150',
  },
  options: { seed: 1 },
  verdict: 'error',
  exitCode: 4,
  counts: { pass: 2, fail: 1, inconclusive: 2, notApplicable: 1, error: 1 },
  suites: [
    {
      id: 'discovery',
      verdict: 'conformant',
      counts: { pass: 2, fail: 0, inconclusive: 0, notApplicable: 1, error: 0 },
    },
    {
      id: 'cache-key-portable',
      verdict: 'error',
      counts: { pass: 0, fail: 1, inconclusive: 2, notApplicable: 0, error: 1 },
    },
  ],
  nextSteps: [{ steps: ['expose llm-cache-key'], checks: ['cache-key.sorts-tools', 'cache-key.jcs-numbers'] }],
  requirements: [],
  checks: [
    check('discovery.reachable', 'pass'),
    check('discovery.shape', 'pass', { reason: 'the root and its mirror differ' }),
    check('discovery.vendor-recipe-documented', 'not-applicable', { reason: 'no vendor recipe', evidence: [] }),
    check('cache-key.lowercase-hex', 'fail', {
      expected: '64 lowercase hex characters',
      actual: '"ABC"',
      diagnosis: { code: 'uppercase-hex', message: 'the key is in upper case' },
      evidence: ['o1', 'o2', 'o3', 'o4', 'o5', 'o6', 'o7'],
      reproduce: "curl -sS http://h --data-raw '{}'",
    }),
    check('cache-key.deterministic', 'error', { reason: 'the judge failed', evidence: [] }),
    check('cache-key.sorts-tools', 'inconclusive', { reason: 'the seam is missing', evidence: [] }),
    check('cache-key.jcs-numbers', 'inconclusive', { reason: 'the seam is missing', evidence: [] }),
  ],
  startedAt: '2026-01-01T00:00:00.000Z',
  durationMs: 1234,
};

const HOSTILE = [
  '\u001b[2J\u001b]0;title\u0007',
  '\r\b\u0000\u007f\u0085\u009b31m',
  'a\u202eb\u2066c\u2069\u200b\u200f\u061c\ufeff\u2028\u2029\u2060\ufffa',
  '\ud800 \udc00 lone',
  'line one\nline two\ttab',
  ']]> <b a="1">&amp; \' </failure>',
  '\ufffe\uffff',
].join('|');
const OBEYED =
  /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]/u;

const SUITE = { id: 'discovery', counts: { pass: 1, fail: 1, inconclusive: 1, notApplicable: 1, error: 1 } };

function hostile(text: string): Report {
  const everywhere = {
    expected: text,
    actual: text,
    reason: text,
    diagnosis: { code: text, message: text },
    reproduce: text,
  };
  const verdicts = ['pass', 'fail', 'inconclusive', 'not-applicable', 'error'] as const;
  return {
    ...report,
    tool: { name: text, version: text },
    target: { ...report.target, baseUrl: text, implementation: text, recipeAdvertised: text, recipeObserved: text },
    options: { text },
    suites: [{ ...SUITE, id: text, verdict: 'not-judged', reason: text }],
    unmet: [{ id: text, reason: text }],
    leftOut: text,
    preflight: { code: text, message: text },
    nextSteps: [{ steps: [text, text], untested: text, checks: [text] }],
    checks: verdicts.map((verdict) => check('discovery.shape', verdict, { ...everywhere, title: text })),
  };
}

const loaded = new Map(await Promise.all([...REPORTERS].map(async ([name, load]) => [name, await load()] as const)));

function render(name: string, given: Report, color = false, verbose = false): string {
  const reporter = loaded.get(name);
  if (reporter === undefined) throw new Error(`no reporter ${name}`);
  return reporter.render(given, { color, verbose });
}

/** What stands first below the heading. */
function headlines(more: Partial<Report>): readonly string[] {
  return render('terminal', { ...report, ...more })
    .split('\n')
    .slice(2, 5);
}

describe('the terminal page', () => {
  it('says who was tested, what failed and how to see it again, what is undecided, totals last', () => {
    expect(render('terminal', report).split('\n')).toEqual([
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

  it('lists what does not apply and what is noted where all is wanted', () => {
    const page = render('terminal', report, false, true);
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
    const page = render('terminal', given);
    expect(page).toContain('\n  give --tenant-b-key-env: 1 check, access across tenants is untested\n');
    expect(page).toContain('\n  seed w0 and x: 2 checks\n');
    expect(page).toContain('\n  3 more: 6 checks (--verbose lists them)\n');
    expect(render('terminal', given, false, true)).toContain('  seed w13 and x: 2 checks');
    expect(render('terminal', { ...report, nextSteps: [] })).not.toContain('next,');
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
    const lines = render('terminal', { ...report, suites, verdict: 'conformant', exitCode: 0 }).split('\n');
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
    const page = render('terminal', { ...report, verdict: 'inconclusive', exitCode: 3, preflight, checks, suites });
    expect(page.match(/answered 401/gu)).toHaveLength(1);
    expect(page).toContain('; not judged: cache-key-portable (credential) · ');
  });

  it('is a few lines where nothing was judged', () => {
    const preflight = { code: 'unreachable', message: 'http://h cannot be reached' };
    const checks = report.checks.map(({ id }) => check(id, 'inconclusive', { reason: preflight.message }));
    const page = render('terminal', { ...report, verdict: 'inconclusive', exitCode: 3, preflight, checks });
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
    const page = render('terminal', {
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
    const footer = (options: Report['options']) =>
      render('terminal', { ...report, checks, counts, options }).split('\n');
    expect(footer({})).toContain('  discovery  1 FAIL, 2 advice');
    expect(footer({}).at(-3)).toBe('0 passed, 1 failed, 2 advice, 0 inconclusive, 0 not applicable, 0 errors');
    expect(footer({ level: 'should' })).toContain('  discovery  2 FAIL, 1 advice');
    expect(footer({ level: 'should' }).at(-3)).toMatch(/^0 passed, 2 failed, 1 advice, /u);
  });

  it('says in its last line that the run was interrupted', () => {
    const page = render('terminal', { ...report, verdict: 'inconclusive', exitCode: 130, interrupted: 'SIGINT' });
    expect(page.split('\n').slice(-2)).toEqual([
      'inconclusive, interrupted by SIGINT (exit code 130); error in cache-key-portable; conformant in discovery · 1.2 s',
      '',
    ]);
  });

  it('leaves out what is not known of a host', () => {
    const nothing = { implementation: null, executionModelVersion: null, recipeAdvertised: null, recipeObserved: null };
    const lines = render('terminal', { ...report, target: { ...report.target, ...nothing }, checks: [] }).split('\n');
    expect(lines.slice(0, 3)).toEqual(['openwop-conformance 1.2.3  http://127.0.0.1:80', '', '']);
  });

  it('says the same with colour', () => {
    const painted = render('terminal', report, true);
    expect(painted).toContain('\u001b[31m');
    expect(painted.replace(/\u001b\[\d+m/gu, '')).toBe(render('terminal', report));
  });

  it('says under a failure how many checks rest on it, and which where asked', () => {
    const resting = { restsOn: 'cache-key.lowercase-hex', reason: 'not seen: x' };
    const checks = [...report.checks, check('cache-key.deterministic', 'inconclusive', resting)];
    const page = render('terminal', { ...report, checks });
    expect(page).toContain('1 check rests on this: fix it first');
    expect(page).not.toContain('not seen: x');
    const verbose = render('terminal', { ...report, checks }, false, true);
    expect(verbose).toContain('    cache-key.deterministic: not seen: x');
  });

  it('lets nothing of a host through that a terminal would obey', () => {
    const page = render('terminal', hostile(HOSTILE));
    expect(OBEYED.exec(page)?.[0]).toBeUndefined();
    expect(page.isWellFormed()).toBe(true);
    expect(page).toContain(String.raw`\u{1b}[2J`);
    expect(page).toContain(String.raw`line one\u{a}line two`);
  });

  it('stays short, whatever a host sends', () => {
    for (const text of ['x'.repeat(100_000), '\u{1f600}'.repeat(50_000), '\u0000'.repeat(100_000)]) {
      const given = hostile(text);
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
      const page = render('terminal', bounded);
      expect(page.length).toBeLessThan(20_000);
      expect(page.isWellFormed()).toBe(true);
      expect(page).toContain('more characters)');
    }
  });
});

describe('the JSON report', () => {
  it('validates, and reads back as the report', () => {
    const text = render('json', report);
    expect(JSON.parse(text)).toEqual(report);
    expect(validate('report', JSON.parse(text))).toEqual([]);
    const found = { stream: 'started', ledger: 'INFLIGHT', effect: false };
    const cell = { cut: 'a@1', second: null, window: '2', calls: 1, found, outcome: 'failed', cycleMs: 1.5 } as const;
    const unseen = { ...cell, second: 'b@1', window: null, calls: null, found: null, cycleMs: null } as const;
    const figures = { cuts: 1, pairs: 1, duplicateCalls: 0, lostEvents: 0, medianCycleMs: null };
    const crashMatrix = { points: ['a'], cells: [cell, unseen], figures };
    expect(validate('report', JSON.parse(render('json', { ...report, crashMatrix })))).toEqual([]);
    expect(render('terminal', { ...report, crashMatrix })).toContain('crash matrix');
  });

  it('holds nothing raw that a terminal would obey, and keeps every value', () => {
    const text = render('json', hostile(HOSTILE));
    expect(OBEYED.exec(text)?.[0]).toBeUndefined();
    expect(text.isWellFormed()).toBe(true);
    expect(JSON.parse(text)).toEqual(hostile(HOSTILE));
  });
});

interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly text: string;
  readonly children: readonly Element[];
}

const NAME = String.raw`[A-Za-z][\w.-]*`;
/** One token of the XML that a report may hold: a tag with double-quoted attributes, or text without a bare `&` or `]]>`. */
const TOKEN = new RegExp(
  String.raw`<(?<close>/?)(?<name>${NAME})(?<attributes>(?: ${NAME}="[^<"]*")*)(?<empty>/?)>|(?<text>[^<>]+)`,
  'uy',
);
const REFERENCES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
const NO_XML_CHARACTER = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u;

function unescaped(text: string): string {
  return text.replace(/&(?<name>#?\w*)(?<end>;?)/gu, (whole, name: string, end: string) => {
    const character = name.startsWith('#') ? String.fromCodePoint(Number(name.slice(1))) : REFERENCES[name];
    if (end === '' || character === undefined) throw new Error(`no reference: ${whole}`);
    return character;
  });
}

function attributesOf(text: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    [...text.matchAll(/ (?<name>[\w.-]+)="(?<value>[^"]*)"/gu)].map(({ groups }) => [
      groups?.['name'] ?? '',
      unescaped(groups?.['value'] ?? ''),
    ]),
  );
}

interface OpenElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  text: string;
  readonly children: OpenElement[];
}

/** Parses what a report may hold of XML 1.0 and throws for anything else. */
function parseXml(xml: string): Element {
  const head = '<?xml version="1.0" encoding="UTF-8"?>\n';
  if (!xml.startsWith(head) || NO_XML_CHARACTER.test(xml)) throw new Error('no XML document');
  const top: OpenElement = { name: '', attributes: {}, text: '', children: [] };
  const open = [top];
  TOKEN.lastIndex = head.length;
  while (TOKEN.lastIndex < xml.length) {
    const at = TOKEN.lastIndex;
    const groups = TOKEN.exec(xml)?.groups;
    const within = open.at(-1);
    if (groups === undefined || within === undefined)
      throw new Error(`not well-formed at ${at}: ${xml.slice(at, at + 80)}`);
    const { close, name = '', attributes = '', empty, text } = groups;
    if (text !== undefined) within.text += unescaped(text);
    else if (close === '/') {
      if (open.pop()?.name !== name) throw new Error(`${name} is closed at ${at}, but not open`);
    } else {
      const element: OpenElement = { name, attributes: attributesOf(attributes), text: '', children: [] };
      within.children.push(element);
      if (empty !== '/') open.push(element);
    }
  }
  const [root, second] = top.children;
  if (open.length !== 1 || root === undefined || second !== undefined || top.text.trim() !== '')
    throw new Error('no one root');
  return root;
}

/** The test cases of all suites. */
function casesOf({ children }: Pick<Element, 'children'>): readonly Element[] {
  return children.flatMap((suite) => suite.children.filter(({ name }) => name === 'testcase'));
}

describe('the JUnit report', () => {
  it('says of a suite what became of it, and what to do next for its checks', () => {
    const [first, second] = parseXml(render('junit', report)).children.map((suite) =>
      suite.children.filter(({ name }) => name === 'properties').flatMap(({ children }) => children),
    );
    expect(first?.map(({ attributes }) => attributes)).toEqual([{ name: 'verdict', value: 'conformant' }]);
    expect(second?.map(({ attributes }) => attributes)).toEqual([
      { name: 'verdict', value: 'error' },
      { name: 'next-step', value: 'expose llm-cache-key: 2 checks' },
    ]);
  });

  it('takes what has to be decided and was not for an error', () => {
    const given = { ...report, unmet: [{ id: 'discovery.vendor-recipe-documented', reason: 'no vendor recipe' }] };
    const [error] = casesOf(parseXml(render('junit', given)))[2]?.children ?? [];
    expect(error).toMatchObject({ name: 'error', attributes: { message: 'no vendor recipe', type: 'not-applicable' } });
  });

  it('has a suite for each suite and a case for each check', () => {
    const root = parseXml(render('junit', report));
    expect(root).toMatchObject({
      name: 'testsuites',
      attributes: {
        name: 'openwop-conformance http://127.0.0.1:80',
        tests: '7',
        failures: '1',
        errors: '3',
        skipped: '1',
        time: '1.234',
      },
    });
    expect(root.children.map(({ attributes }) => attributes)).toMatchObject([
      { name: 'discovery', tests: '3', failures: '0', errors: '0', skipped: '1', time: '0.529' },
      { name: 'cache-key-portable', tests: '4', failures: '1', errors: '3', skipped: '0', time: '0.705' },
    ]);
    const outcomes = casesOf(root).map((one) => one.children[0]?.name ?? 'passed');
    expect(outcomes).toEqual(['passed', 'passed', 'skipped', 'failure', 'error', 'error', 'error']);
  });

  it('spreads a scenario over its checks: cases add up to their suite, suites to the run', () => {
    const shared = { scenario: 's', durationMs: 300 };
    const given: Report = {
      ...report,
      durationMs: 1001,
      checks: [
        check('discovery.reachable', 'pass', shared),
        check('discovery.shape', 'pass', shared),
        check('cache-key.sorts-tools', 'pass', { durationMs: 100 }),
        check('cache-key.jcs-numbers', 'not-applicable', { durationMs: 0 }),
      ],
    };
    const { attributes, children } = parseXml(render('junit', given));
    const times = children.map((suite) => [
      suite.attributes['time'],
      casesOf({ children: [suite] }).map((one) => one.attributes['time']),
    ]);
    expect(attributes['time']).toBe('1.001');
    expect(times).toEqual([
      ['0.751', ['0.375', '0.376']],
      ['0.250', ['0.250', '0.000']],
    ]);
    const undriven = { ...given, checks: given.checks.map((each) => ({ ...each, durationMs: 0 })) };
    const suites = parseXml(render('junit', undriven)).children.map((suite) => Number(suite.attributes['time']));
    expect(suites.reduce((sum, time) => sum + time, 0)).toBeCloseTo(1.001, 9);
  });

  it('takes an inconclusive check for an error only where it decides and is not excused', () => {
    const checks = [
      check('discovery.reachable', 'inconclusive', { reason: 'no answer' }),
      check('discovery.shape', 'inconclusive', { level: 'SHOULD', reason: 'no answer' }),
      check('discovery.version', 'not-applicable', { reason: 'not advertised' }),
    ];
    const outcomes = (options: Report['options']) =>
      casesOf(parseXml(render('junit', { ...report, checks, options }))).map((one) => [
        one.children[0]?.name,
        one.children[0]?.attributes['type'],
      ]);
    const skipped = ['skipped', undefined];
    expect(outcomes({})).toEqual([['error', 'inconclusive'], skipped, skipped]);
    expect(outcomes({ level: 'should' })).toEqual([['error', 'inconclusive'], ['error', 'inconclusive'], skipped]);
    expect(outcomes({ allowInconclusive: true })).toEqual([skipped, skipped, skipped]);
  });

  it('tells a failure with both sides', () => {
    const [, suite] = parseXml(render('junit', report)).children;
    const [failed] = casesOf({ children: suite === undefined ? [] : [suite] });
    expect(failed?.attributes).toEqual({
      classname: 'cache-key-portable.cache-key.lowercase-hex.scenario',
      name: 'cache-key.lowercase-hex: Title of cache-key.lowercase-hex',
      time: '0.176',
    });
    expect(failed?.children[0]).toMatchObject({
      attributes: { message: 'the key is in upper case', type: 'uppercase-hex' },
      text: [
        'requirement: cache-key.lowercase-hex (MUST)',
        'expected: 64 lowercase hex characters',
        'actual: "ABC"',
        'diagnosis: uppercase-hex: the key is in upper case',
        'evidence: o1 o2 o3 o4 o5 o6 o7',
        "reproduce: curl -sS http://h --data-raw '{}'",
      ].join('\n'),
    });
  });

  it('is well-formed for hostile texts, keeps what XML can hold and shows none of it raw', () => {
    const text = render('junit', hostile(HOSTILE));
    expect(OBEYED.exec(text)?.[0]).toBeUndefined();
    const [suite] = parseXml(text).children;
    const message = suite?.children[1]?.children[0]?.attributes['message'];
    expect(message).toContain(']]> <b a="1">&amp; \' </failure>');
    expect(message).toContain('line one\nline two\ttab');
    expect(message).toContain('a\u202eb');
    expect(message).toContain('\ufffd[2J');
  });

  it('is well-formed without any check and with a very long value', () => {
    expect(parseXml(render('junit', { ...report, checks: [] })).children).toEqual([]);
    expect(parseXml(render('junit', hostile('<&>\u{1f600}'.repeat(5_000)))).children).toHaveLength(1);
  });
});
