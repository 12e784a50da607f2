import { beforeAll, describe, test } from 'vitest';
import type { CheckReport, Report } from '../contract/report.ts';
import type { Check } from '../runner/scenario.ts';
import { selectScenarios } from '../runner/select.ts';
import { SUITES } from '../../scenarios/index.ts';
import { outdatedAmong, whyUnjudged } from './judged.ts';
import type { ConformanceTarget, RunConformanceOptions } from './options.ts';
import { runConformance } from './run-conformance.ts';

/** A run whose checks become tests. */
export interface DescribeConformanceOptions extends Omit<RunConformanceOptions, 'target'> {
  /** The host, or what starts it and says where it is: called once, before the first test. */
  readonly target: ConformanceTarget | (() => ConformanceTarget | Promise<ConformanceTarget>);
  /** Ids of checks that are known to fail: their tests are `test.fails`, so that one that does not fail any more is noticed. */
  readonly known?: readonly string[];
}

/** Time beside `maxTimeMs` to start the host and to judge, in milliseconds. */
const BESIDE_MS = 120_000;

/**
 * Makes a test of each selected check in the host's own test suite: the host is driven once, then every check says what was found of it.
 * A failed check fails its test with what was expected and what came; one that is undecided or does not apply is skipped with the reason,
 * which stands in the test's `meta.conformance` as well. A host that could not be judged fails a test of its own. Throws an Error
 * for a name that nothing has.
 */
export function describeConformance(options: DescribeConformanceOptions): void {
  const { known = [], ...run } = options;
  const { suites = [], scenarios = [], requirements = [], maxTimeMs = 600_000 } = run;
  const selected = selectScenarios(SUITES, { suites, scenarios, requirements });
  if (!selected.ok) throw new Error(selected.message);
  const isWanted = ({ requirement }: Check): boolean => requirements.length === 0 || requirements.includes(requirement);
  const suiteOf = (id: string): readonly Check[] =>
    selected.scenarios.filter(({ suite }) => suite === id).flatMap(({ checks }) => checks.filter(isWanted));
  const ids = new Set(selected.scenarios.flatMap(({ checks }) => checks.filter(isWanted).map(({ id }) => id)));
  const stray = known.find((id) => !ids.has(id));
  if (stray !== undefined) throw new Error(`known: no selected check is called ${JSON.stringify(stray)}`);
  let found: Report;
  let outdated: ReadonlyMap<string, string>;
  describe('OpenWOP conformance', () => {
    beforeAll(async () => {
      const target = typeof run.target === 'function' ? await run.target() : run.target;
      found = await runConformance({ ...run, target });
      const { level = 'must', allowInconclusive = false } = run;
      outdated = outdatedAmong(known, found, { level, allowInconclusive });
    }, maxTimeMs + BESIDE_MS);
    holds('the host was judged', () => whyUnjudged(found));
    if (known.length > 0) {
      holds('what is known to fail still fails', () => [...outdated.values()].join('\n') || undefined);
    }
    for (const suite of new Set(selected.scenarios.map((scenario) => scenario.suite))) {
      describe(`suite ${suite}`, () => {
        for (const check of suiteOf(suite)) {
          const declare = known.includes(check.id) ? test.fails : test;
          declare(`${check.id}: ${check.title}`, ({ skip, task }) => {
            const report = found.checks.find(({ id }) => id === check.id);
            if (report === undefined) throw new Error('the run gave no verdict');
            // A test that is to fail fails by doing nothing.
            if (outdated.has(check.id)) return;
            const reason = skippedBecause(report);
            if (reason !== undefined) {
              Object.assign(task.meta, { conformance: reason });
              skip(reason);
            }
            assertPassed(report);
          });
        }
      });
    }
  });
}

/** A test of the run itself, which fails with what is wrong. */
function holds(title: string, problem: () => string | undefined): void {
  // oxlint-disable-next-line vitest/expect-expect, vitest/valid-title -- a test that is made
  test(title, () => {
    const found = problem();
    if (found !== undefined) throw new Error(found);
  });
}

/** Why a check says neither that the host is right nor that it is wrong; undefined where it does. */
export function skippedBecause({ verdict, reason, restsOn }: CheckReport): string | undefined {
  if (verdict !== 'inconclusive' && verdict !== 'not-applicable') return undefined;
  const rests = restsOn === undefined ? '' : ` (rests on ${restsOn})`;
  return `${verdict}: ${reason ?? 'no reason is known'}${rests}`;
}

/** Throws an error that test runners show as a difference, where the check failed. */
export function assertPassed({
  verdict,
  requirement,
  reason,
  expected,
  actual,
  diagnosis,
  reproduce,
}: CheckReport): void {
  if (verdict === 'pass') return;
  const lines = [
    verdict === 'error' ? `the check could not be judged: ${reason ?? ''}` : (diagnosis?.message ?? 'the check failed'),
    `requirement: ${requirement}${diagnosis === undefined ? '' : `, diagnosis: ${diagnosis.code}`}`,
    ...(reproduce === undefined ? [] : [`again: ${reproduce}`]),
  ];
  throw Object.assign(new Error(lines.join('\n')), { name: 'AssertionError', expected, actual, showDiff: true });
}
