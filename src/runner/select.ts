import type { Scenario, Suite } from './scenario.ts';

/** Which part of the suites to run; an empty list selects everything. */
export interface Selection {
  readonly suites: readonly string[];
  readonly scenarios: readonly string[];
  readonly requirements: readonly string[];
}

/** The selected scenarios in their order, or the names that match nothing. */
export type Selected =
  | { readonly ok: true; readonly scenarios: readonly Scenario[] }
  | { readonly ok: false; readonly message: string };

/** Selects scenarios: each kind of name narrows further; a name that matches nothing is an error, never ignored. */
export function selectScenarios(suites: readonly Suite[], selection: Selection): Selected {
  const all = suites.flatMap((suite) => suite.scenarios);
  const unknown = [
    ...missing('suite', selection.suites, (name) => suites.some((suite) => suite.id === name)),
    ...missing('scenario', selection.scenarios, (name) => all.some((scenario) => scenario.id === name)),
    ...missing('requirement', selection.requirements, (name) => all.some((scenario) => covers(scenario, name))),
  ];
  if (unknown.length > 0) return { ok: false, message: unknown.join('; ') };
  const scenarios = all.filter(
    (scenario) =>
      matches(selection.suites, (name) => scenario.suite === name) &&
      matches(selection.scenarios, (name) => scenario.id === name) &&
      matches(selection.requirements, (name) => covers(scenario, name)),
  );
  return scenarios.length === 0 ? { ok: false, message: 'nothing is selected' } : { ok: true, scenarios };
}

/** Whether a scenario gives a verdict about a requirement. */
export function covers(scenario: Scenario, requirement: string): boolean {
  return scenario.checks.some((check) => check.requirement === requirement);
}

function matches(names: readonly string[], test: (name: string) => boolean): boolean {
  return names.length === 0 || names.some(test);
}

function missing(kind: string, names: readonly string[], known: (name: string) => boolean): string[] {
  return names.filter((name) => !known(name)).map((name) => `no ${kind} is called ${JSON.stringify(name)}`);
}
