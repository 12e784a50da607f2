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
import { renderTap } from './tap.ts';

const COMMENT = /^# /u;
const POINT =
  /^(?<verdict>ok|not ok) (?<number>\d+) - (?<description>(?:[^#\\]|\\[#\\])*?)(?: # (?<directive>TODO|SKIP) (?:[^#\\]|\\[#\\])*)?$/u;

interface Point {
  readonly isOk: boolean;
  readonly number: number;
  readonly directive: string | undefined;
}

function pointIn(line: string): Point | undefined {
  const { verdict, number, directive } = POINT.exec(line)?.groups ?? {};
  return verdict === undefined ? undefined : { isOk: verdict === 'ok', number: Number(number), directive };
}

/** Reads what a report may hold of TAP 14: comments, and subtests with plans and points, each with texts in YAML. Throws for anything else. */
function parse(tap: string): readonly (Point & { readonly points: readonly Point[] })[] {
  const [version, ...lines] = tap.trimEnd().split('\n');
  expect(version).toBe('TAP version 14');
  const suites: (Point & { readonly points: readonly Point[] })[] = [];
  let [inner, isInYaml]: [Point[], boolean] = [[], false];
  const plans: number[] = [];
  for (const line of lines) {
    const own = line.startsWith('    ') ? line.slice(4) : undefined;
    if (own !== undefined && isInYaml) {
      isInYaml = own !== '  ...';
      const [, name, value = ''] = /^ {2}([\w-]+): (.*)$/u.exec(own) ?? [];
      if (isInYaml && (name === undefined || typeof JSON.parse(value) !== 'string'))
        throw new Error(`no YAML: ${line}`);
    } else if (own === '  ---') {
      isInYaml = true;
    } else if (/^(?: {4})?1\.\.\d+$/u.test(line)) {
      plans.push(Number(line.trim().slice(3)));
    } else if (!COMMENT.test(line)) {
      const point = pointIn(own ?? line);
      if (point === undefined) throw new Error(`no test point: ${line}`);
      if (own === undefined) {
        suites.push({ ...point, points: inner });
        inner = [];
      } else inner.push(point);
    }
  }
  expect(plans).toEqual([suites.length, ...suites.map(({ points }) => points.length)]);
  return suites;
}

/** Each point as it counts: `ok`, `not ok`, `TODO` or `SKIP`. */
function pointsOf(tap: string): readonly (readonly string[])[] {
  return parse(tap).map(({ points }) => points.map(({ isOk, directive }) => directive ?? (isOk ? 'ok' : 'not ok')));
}

describe('the TAP report', () => {
  it('has what a baseline says and is not so as a subtest of its own', () => {
    const problems = [
      { kind: 'passes', name: 'fork.modes', message: `fork.modes passes now # TODO ${HOSTILE}` },
    ] as const;
    const tap = renderTap({ ...GREEN, exitCode: 1, baseline: { known: 0, resting: 0, problems } });
    expect(parse(tap).at(-1)).toMatchObject({ isOk: false, points: [{ isOk: false, directive: undefined }] });
    expect(tap).toContain('    not ok 1 - fork.modes passes now');
  });

  it.each([{ interrupted: 'SIGINT' }, { endsEarly: true }, { ranOutOf: 'time' }] as const)(
    'is not ok where the run is not whole: %j',
    (ended) => {
      const problems = [{ kind: 'passes', name: 'fork.modes', message: 'passes now' }] as const;
      const given = { ...GREEN, ...ended, verdict: 'inconclusive', exitCode: 3 } as const;
      expect(pointsOf(renderTap(given))).toEqual([['ok', 'ok', 'SKIP'], ['not ok']]);
      const both = parse(renderTap({ ...given, baseline: { known: 0, resting: 0, problems } }));
      expect(both.map(({ isOk, number }) => [isOk, number])).toEqual([
        [true, 1],
        [false, 2],
        [false, 3],
      ]);
    },
  );

  it('shows a red run: what failed with what it says about itself, what is known and advice as to do', () => {
    expect(renderTap(RED).split('\n')).toEqual([
      'TAP version 14',
      '# openwop-conformance 1.2.3  http://127.0.0.1:80',
      '# non-conformant (exit code 1)',
      '1..3',
      '# Subtest: discovery',
      '    1..1',
      '    ok 1 - discovery.reachable: Title of discovery.reachable',
      'ok 1 - discovery',
      '# Subtest: cache-key-portable',
      '    1..2',
      '    not ok 1 - cache-key.lowercase-hex: Title of cache-key.lowercase-hex',
      '      ---',
      '      verdict: "fail"',
      '      requirement: "cache-key.lowercase-hex (MUST)"',
      '      expected: "64 lowercase hex characters"',
      String.raw`      actual: "\"ABC\""`,
      '      diagnosis: "uppercase-hex: the key is in upper case"',
      '      evidence: "o1 o2 o3 o4 o5 o6 o7"',
      `      reproduce: "curl -sS http://h --data-raw '{}'"`,
      '      ...',
      '    not ok 2 - cache-key.sorts-tools: Title of cache-key.sorts-tools',
      '      ---',
      '      verdict: "inconclusive"',
      '      requirement: "cache-key.sorts-tools (MUST)"',
      '      reason: "no key could be compared"',
      '      rests-on: "cache-key.lowercase-hex"',
      '      evidence: "o1"',
      '      ...',
      'not ok 2 - cache-key-portable',
      '# Subtest: fork-contract',
      '    1..2',
      '    not ok 1 - fork.unadvertised-mode: Title of fork.unadvertised-mode # TODO advice (SHOULD): 201 Created',
      '      ---',
      '      verdict: "fail"',
      '      requirement: "fork.unadvertised-mode (SHOULD)"',
      '      actual: "201 Created"',
      '      evidence: "o1"',
      '      ...',
      '    not ok 2 - fork.created: Title of fork.created # TODO known: fixed in 2.0 (https://host.example/issues/7): 200',
      '      ---',
      '      verdict: "fail"',
      '      requirement: "fork.created (MUST)"',
      '      expected: "201"',
      '      actual: "200"',
      '      evidence: "o1"',
      '      ...',
      'ok 3 - fork-contract',
      '',
    ]);
  });

  it('shows a green run', () => {
    expect(pointsOf(renderTap(GREEN))).toEqual([['ok', 'ok', 'SKIP']]);
    expect(renderTap(GREEN)).toContain('# SKIP not-applicable: no vendor recipe\n');
  });

  it('shows an inconclusive run: what decides is not ok; what to do next stands at the end', () => {
    const tap = renderTap(INCONCLUSIVE);
    expect(pointsOf(tap)).toEqual([['ok'], ['not ok', 'not ok', 'SKIP']]);
    expect(tap.split('\n').at(-2)).toBe('# next: expose llm-cache-key: 2 checks');
  });

  it("shows the harness's own errors, and bails out where nothing was judged", () => {
    expect(pointsOf(renderTap(MIXED))).toEqual([
      ['ok', 'ok', 'SKIP'],
      ['not ok', 'not ok', 'not ok', 'not ok'],
    ]);
    const preflight = { code: 'unreachable', message: 'http://h cannot be reached' };
    const checks = [checkReport('discovery.reachable', 'inconclusive', { reason: preflight.message })];
    expect(renderTap({ ...INCONCLUSIVE, preflight, checks })).toMatch(
      /\nBail out! unreachable: http:\/\/h cannot be reached\n$/u,
    );
  });

  it('is TAP whatever a host sends: no line, directive, command or hidden character of its own', () => {
    for (const text of [HOSTILE, '# SKIP', String.raw`\# TODO \\`, '"', "'"]) {
      const tap = renderTap(hostileReport(text));
      expect(OBEYED.exec(tap)?.[0]).toBeUndefined();
      expect(pointsOf(tap)).toEqual([['ok', 'not ok', 'not ok', 'SKIP', 'not ok', 'TODO', 'not ok', 'TODO']]);
    }
  });
});
