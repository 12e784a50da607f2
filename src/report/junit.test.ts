import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { validateXML } from 'xmllint-wasm';
import type { Report } from '../contract/report.ts';
import { packageFile } from '../contract/package-root.ts';
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
import { renderJunit } from './junit.ts';

interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  text: string;
  readonly children: Element[];
}

/** A tag of a report, or the text between two of them. */
const TOKEN = /<(?<close>\/?)(?<name>[\w-]+)(?<attributes>(?: [\w-]+="[^"]*")*)(?<empty>\/?)>|(?<text>[^<>]+)/gu;
const REFERENCES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

function unescaped(text = ''): string {
  return text.replace(/&(?<name>#?\w*);/gu, (_, name: string) =>
    name.startsWith('#') ? String.fromCodePoint(Number(name.slice(1))) : (REFERENCES[name] ?? ''),
  );
}

function elementOf(name: string, attributes = ''): Element {
  const pairs = [...attributes.matchAll(/ (?<name>[\w-]+)="(?<value>[^"]*)"/gu)].map(({ groups = {} }) => [
    groups['name'],
    unescaped(groups['value']),
  ]);
  return { name, attributes: Object.fromEntries(pairs), text: '', children: [] };
}

/** Where the samples were driven and when, as readers take it. */
const DRIVEN = {
  id: '0',
  package: 'openwop-conformance',
  hostname: '127.0.0.1',
  timestamp: '2026-01-01T00:00:00',
};

/** Reads a report, whose form is what xmllint takes. */
function parseXml(xml: string): Element {
  const open = [elementOf('')];
  for (const { groups = {} } of xml.matchAll(TOKEN)) {
    const { close, name, attributes, empty, text } = groups;
    const within = open.at(-1) ?? elementOf('');
    if (name === undefined) within.text += unescaped(text);
    else if (close === '/') open.pop();
    else {
      const element = elementOf(name, attributes);
      within.children.push(element);
      if (empty !== '/') open.push(element);
    }
  }
  return open[0]?.children[0] ?? elementOf('');
}

/** The test cases of all suites. */
function casesOf({ children }: Pick<Element, 'children'>): readonly Element[] {
  return children.flatMap((suite) => suite.children.filter(({ name }) => name === 'testcase'));
}

/** What each case came to, and what it says. */
function outcomesOf(given: Report): readonly unknown[] {
  return casesOf(parseXml(renderJunit(given))).map(({ children: [child] }) => [
    child?.name ?? 'passed',
    child?.attributes['message'],
  ]);
}

describe('the JUnit report', () => {
  it('says of a suite what became of it and of its rows, and what to do next for its checks', () => {
    const [first, second] = parseXml(renderJunit(report)).children.map((suite) =>
      suite.children.filter(({ name }) => name === 'properties').flatMap(({ children }) => children),
    );
    expect(first?.map(({ attributes }) => attributes)).toEqual([
      { name: 'verdict', value: 'conformant' },
      { name: 'requirement:discovery.reachable', value: 'MUST, pass: discovery.reachable' },
      { name: 'requirement:discovery.shape', value: 'MUST, pass: discovery.shape' },
      {
        name: 'requirement:discovery.vendor-recipe-documented',
        value: 'MUST, not-applicable: discovery.vendor-recipe-documented',
      },
    ]);
    expect(second?.map(({ attributes }) => attributes)).toEqual([
      { name: 'verdict', value: 'error' },
      { name: 'requirement:cache-key.lowercase-hex', value: 'MUST, fail: cache-key.lowercase-hex' },
      { name: 'requirement:cache-key.deterministic', value: 'MUST, error: cache-key.deterministic' },
      { name: 'requirement:cache-key.sorts-tools', value: 'MUST, inconclusive: cache-key.sorts-tools' },
      { name: 'requirement:cache-key.jcs-numbers', value: 'MUST, inconclusive: cache-key.jcs-numbers' },
      { name: 'next-step', value: 'expose llm-cache-key: 2 checks' },
    ]);
  });

  it('takes what has to be decided and was not for an error', () => {
    const given = { ...report, unmet: [{ id: 'discovery.vendor-recipe-documented', reason: 'no vendor recipe' }] };
    const [error] = casesOf(parseXml(renderJunit(given)))[2]?.children ?? [];
    expect(error).toMatchObject({ name: 'error', attributes: { message: 'no vendor recipe', type: 'not-applicable' } });
  });

  it('has a suite for each suite and a case for each check', () => {
    const root = parseXml(renderJunit(report));
    expect(root).toMatchObject({
      name: 'testsuites',
      attributes: {
        name: 'openwop-conformance http://127.0.0.1:80',
        tests: '7',
        failures: '1',
        errors: '3',
        time: '1.234',
      },
    });
    expect(root.children.map(({ attributes }) => attributes)).toMatchObject([
      { name: 'discovery', tests: '3', failures: '0', errors: '0', skipped: '1', time: '0.529', ...DRIVEN },
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
    const { attributes, children } = parseXml(renderJunit(given));
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
    const suites = parseXml(renderJunit(undriven)).children.map((suite) => Number(suite.attributes['time']));
    expect(suites.reduce((sum, time) => sum + time, 0)).toBeCloseTo(1.001, 9);
  });

  it('takes an inconclusive check for an error only where it decides and is not excused', () => {
    const checks = [
      check('discovery.reachable', 'inconclusive', { reason: 'no answer' }),
      check('discovery.shape', 'inconclusive', { level: 'SHOULD', reason: 'no answer' }),
      check('discovery.version', 'not-applicable', { reason: 'not advertised' }),
    ];
    const outcomes = (options: Report['options'], more: Partial<Report> = {}) =>
      casesOf(parseXml(renderJunit({ ...report, checks, options, ...more }))).map((one) => [
        one.children[0]?.name,
        one.children[0]?.attributes['type'],
      ]);
    const skipped = ['skipped', undefined];
    expect(outcomes({})).toEqual([['error', 'inconclusive'], skipped, skipped]);
    expect(outcomes({ level: 'should' })).toEqual([['error', 'inconclusive'], ['error', 'inconclusive'], skipped]);
    // Nothing passed, so nothing is excused.
    expect(outcomes({ allowInconclusive: true })).toEqual([['error', 'inconclusive'], skipped, skipped]);
    const some = { checks: [...checks, check('discovery.mirror', 'pass')] };
    expect(outcomes({ allowInconclusive: true }, some).slice(0, 3)).toEqual([skipped, skipped, skipped]);
    const cut = outcomes({ allowInconclusive: true }, { ...some, ranOutOf: 'time' });
    expect(cut[0]).toEqual(['error', 'inconclusive']);
  });

  it.each<Partial<Report>>([
    { interrupted: 'SIGINT' },
    { endsEarly: true },
    { ranOutOf: 'time' },
    { ranOutOf: 'evidence' },
  ])('has an error of its own where the run is not whole, and counts it: %j', (ended) => {
    const problems = [{ kind: 'passes', name: 'fork.modes', message: 'passes now' }] as const;
    const given: Report = { ...GREEN, ...ended, verdict: 'inconclusive', exitCode: 3 };
    expect(outcomesOf(given).at(-1)).toEqual(['error', expect.stringMatching(/^the run is not whole: /u)]);
    const root = parseXml(renderJunit({ ...given, baseline: { known: 0, resting: 0, problems } }));
    expect(root.attributes).toMatchObject({ tests: '5', failures: '1', errors: '1' });
    expect(root.children.slice(1).map(({ attributes }) => attributes)).toMatchObject([
      { id: '1', name: 'baseline', tests: '1', failures: '1', errors: '0' },
      { id: '2', name: 'run', tests: '1', failures: '0', errors: '1', skipped: '0', time: '0.000' },
    ]);
  });

  it.each([
    ['cut short', { ...GREEN, ranOutOf: 'time' } as const],
    ['red', RED],
    ['green', GREEN],
    ['inconclusive', INCONCLUSIVE],
    ['mixed', report],
    ['empty', { ...report, checks: [] }],
    ['hostile', hostileReport(HOSTILE)],
    ['long', hostileReport('<&>\u{1f600}'.repeat(5_000))],
    ['of no time', { ...report, startedAt: 'long ago', target: { ...report.target, baseUrl: 'no URL' } }],
  ])('is what readers of JUnit reports take: %s', async (name, given) => {
    const schema = readFileSync(packageFile('test', 'junit.xsd'), 'utf8');
    const xml = { fileName: `${name.replaceAll(' ', '-')}.xml`, contents: renderJunit(given) };
    expect((await validateXML({ xml, schema })).errors).toEqual([]);
  });

  it('is not taken where a part is missing', async () => {
    const schema = readFileSync(packageFile('test', 'junit.xsd'), 'utf8');
    const xml = renderJunit(report).replace('<system-err/>', '');
    const { errors } = await validateXML({ xml, schema });
    expect(errors[0]?.message).toContain('system-err');
  });

  it('shows a red run: failures, what rests on them, what is known and what is advice', () => {
    expect(outcomesOf(RED)).toEqual([
      ['passed', undefined],
      ['failure', 'the key is in upper case'],
      ['error', 'rests on cache-key.lowercase-hex: no key could be compared'],
      ['skipped', 'advice (SHOULD): 201 Created'],
      ['skipped', 'known: fixed in 2.0 (https://host.example/issues/7): 200'],
    ]);
  });

  it('shows a green run', () => {
    expect(outcomesOf(GREEN)).toEqual([
      ['passed', undefined],
      ['passed', undefined],
      ['skipped', 'not-applicable: no vendor recipe'],
    ]);
  });

  it('shows an inconclusive run: what decides is an error', () => {
    expect(outcomesOf(INCONCLUSIVE)).toEqual([
      ['passed', undefined],
      ['error', 'the seam is missing'],
      ['error', 'the seam is missing'],
      ['skipped', 'inconclusive: the seam is missing'],
    ]);
  });

  it('tells a failure with both sides', () => {
    const [, suite] = parseXml(renderJunit(report)).children;
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

  it('keeps of hostile texts what XML can hold, and shows none of it raw', () => {
    const text = renderJunit(hostileReport(HOSTILE));
    expect(OBEYED.exec(text)?.[0]).toBeUndefined();
    const message = casesOf(parseXml(text))[1]?.children[0]?.attributes['message'];
    expect(message).toContain(']]> <b a="1">&amp; \' </failure>');
    expect(message).toContain('line one\nline two\ttab');
    expect(message).toContain('a\u202eb');
    expect(message).toContain('\ufffd[2J');
  });

  it('does not count what rests on a failure that the baseline knows', () => {
    const baseline = { known: 1, resting: 1, problems: [] };
    const checks = RED.checks.map((each) => (each.restsOn === undefined ? each : { ...each, restsOn: 'fork.created' }));
    const [before, after] = [
      { ...RED, checks },
      { ...RED, checks, baseline },
    ].map(renderJunit);
    expect(before).toContain('errors="1"');
    expect(after).toContain('errors="0"');
  });

  it('has what a baseline says and is not so as failures of a suite of its own', () => {
    const message = `fork.modes passes now ${HOSTILE}`;
    const problems = [{ kind: 'passes', name: 'fork.modes', message }] as const;
    const xml = renderJunit({ ...GREEN, exitCode: 1, baseline: { known: 0, resting: 0, problems } });
    const { children, attributes } = parseXml(xml);
    expect(attributes['failures']).toBe('1');
    expect(Number(attributes['tests'])).toBe(casesOf({ children }).length);
    const last = children.at(-1);
    expect(last?.attributes).toMatchObject({ name: 'baseline', tests: '1', failures: '1' });
    expect(casesOf({ children: last === undefined ? [] : [last] })[0]?.children[0]).toMatchObject({
      name: 'failure',
      attributes: { type: 'passes', message: expect.stringContaining('fork.modes passes now') as string },
    });
  });
});
