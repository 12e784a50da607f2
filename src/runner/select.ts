import { unknownName } from '../contract/nearest.ts';
import type { Check, Scenario, Suite } from './scenario.ts';

/** Which part of the suites to run; an empty list selects everything. */
export interface Selection {
  readonly suites: readonly string[];
  readonly scenarios: readonly string[];
  readonly requirements: readonly string[];
  /** Suites, scenarios, requirements and checks to leave out. */
  readonly exclude?: readonly string[];
}

/** The selected scenarios in their order, or the names that match nothing. */
export type Selected =
  | { readonly ok: true; readonly scenarios: readonly Scenario[] }
  | { readonly ok: false; readonly message: string };

/** Selects scenarios: each kind of name narrows further; a name that matches nothing is an error, never ignored. */
export function selectScenarios(suites: readonly Suite[], selection: Selection): Selected {
  const all = suites.flatMap((suite) => suite.scenarios);
  const unknown = [
    ...missing(
      'suite',
      selection.suites,
      suites.map(({ id }) => id),
    ),
    ...missing(
      'scenario',
      selection.scenarios,
      all.flatMap(({ id, checks }) => [id, ...checks.map((check) => check.id)]),
    ),
    ...missing(
      'requirement',
      selection.requirements,
      all.flatMap(({ checks }) => checks.map((check) => check.requirement)),
    ),
  ];
  unknown.push(...unknownExcluded(selection.exclude ?? [], suites));
  if (unknown.length > 0) return { ok: false, message: unknown.join('; ') };
  const scenarios = askedFor(suites, selection).filter((scenario) =>
    matches(selection.scenarios, (name) => isCalled(scenario, name, all)),
  );
  return scenarios.length === 0 ? { ok: false, message: 'nothing is selected' } : { ok: true, scenarios };
}

/** What these suites and requirements select, without what is left out, in its order. */
export function askedFor(
  suites: readonly Suite[],
  { suites: names, requirements, exclude = [] }: Omit<Selection, 'scenarios'>,
): readonly Scenario[] {
  const excluded = excludedChecks(suites, exclude);
  return suites
    .flatMap(({ scenarios }) => scenarios)
    .filter(
      ({ suite, checks }) =>
        matches(names, (name) => suite === name) && checks.some((check) => isLeft(check, requirements, excluded)),
    );
}

/** Whether a check is both asked for and not left out. */
function isLeft({ id, requirement }: Check, requirements: readonly string[], excluded: ReadonlySet<string>): boolean {
  return matches(requirements, (name) => name === requirement) && !excluded.has(id);
}

/** Whether a scenario gives a verdict about a requirement. */
export function covers(scenario: Scenario, requirement: string): boolean {
  return scenario.checks.some((check) => check.requirement === requirement);
}

/**
 * The checks that these names leave out. The name of a check is that check alone; another one is all of its requirement, its
 * scenario or its suite.
 */
export function excludedChecks(suites: readonly Suite[], names: readonly string[]): ReadonlySet<string> {
  const scenarios = suites.flatMap((suite) => suite.scenarios);
  const ids = new Set(scenarios.flatMap(({ checks }) => checks.map(({ id }) => id)));
  const wide = new Set(names.filter((name) => !ids.has(name)));
  const isWithin = (scenario: Scenario, { requirement }: Check): boolean =>
    [requirement, scenario.id, scenario.suite].some((name) => wide.has(name));
  const own = scenarios.flatMap((scenario) => scenario.checks.filter((check) => isWithin(scenario, check)));
  return new Set([...names.filter((name) => ids.has(name)), ...own.map(({ id }) => id)]);
}

/** All names that `excludedChecks` knows, of these suites. */
export function excludableNames(suites: readonly Suite[]): readonly string[] {
  const scenarios = suites.flatMap((suite) => suite.scenarios);
  const checks = scenarios.flatMap((scenario) => scenario.checks);
  return [
    ...suites.map(({ id }) => id),
    ...scenarios.map(({ id }) => id),
    ...checks.flatMap(({ id, requirement }) => [id, requirement]),
  ];
}

function unknownExcluded(names: readonly string[], suites: readonly Suite[]): readonly string[] {
  return names.length === 0
    ? []
    : missing('suite, scenario, requirement or check', names, excludableNames(suites)).map(
        (each) => `--exclude: ${each}`,
      );
}

function matches(names: readonly string[], test: (name: string) => boolean): boolean {
  return names.length === 0 || names.some(test);
}

/** A check's name stands for the scenario that gives its verdict, unless a scenario has that name itself. */
function isCalled(scenario: Scenario, name: string, all: readonly Scenario[]): boolean {
  const byCheck = (): boolean => scenario.checks.some(({ id }) => id === name) && !all.some(({ id }) => id === name);
  return scenario.id === name || byCheck();
}

function missing(kind: string, names: readonly string[], known: readonly string[]): string[] {
  return names.filter((name) => !known.includes(name)).map((name) => unknownName(kind, name, known));
}
