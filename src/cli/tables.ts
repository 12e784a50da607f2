import { shippedDefinitions } from '../contract/definitions.ts';
import { REQUIREMENTS, findRequirement } from '../contract/requirements/index.ts';
import type { Requirement } from '../contract/requirement.ts';
import type { Mutant } from '../../reference-host/mutants/mutant.ts';
import { type Check, type Scenario, type Suite, workflowsOf } from '../runner/scenario.ts';

/** A register row with the checks that cover it, or the reason why there are none. */
export interface CoveredRequirement extends Omit<Requirement, 'suite' | 'excluded'> {
  readonly checks: readonly string[];
  readonly excluded?: string;
}

/** The whole register, with what covers each row. */
export function coverRequirements(suites: readonly Suite[]): readonly CoveredRequirement[] {
  const checks = allChecks(suites);
  return REQUIREMENTS.map(({ id, level, clause, source, excluded = 'no check covers it' }) => {
    const ids = checks.filter((check) => check.requirement === id).map((check) => check.id);
    return { id, level, clause, source, checks: ids, ...(ids.length === 0 ? { excluded } : {}) };
  });
}

/** What is wrong with the scenarios' tables: double or misnamed ids, unknown requirements, missing fixtures, rows without a check. */
export function scenarioProblems(suites: readonly Suite[]): readonly string[] {
  const scenarios = suites.flatMap((suite) => suite.scenarios);
  const checks = allChecks(suites);
  const covered = new Set(suites.map((suite) => suite.id));
  return [
    ...doubles('scenario', scenarios),
    ...doubles('check', checks),
    ...checks.flatMap((check) => checkProblems(check)),
    ...fixtureProblems(scenarios),
    ...suites.flatMap((suite) => suiteProblems(suite)),
    ...REQUIREMENTS.filter(
      (row) =>
        covered.has(row.suite) && row.excluded === undefined && !checks.some((check) => check.requirement === row.id),
    ).map((row) => `requirement ${row.id} of a built suite has no check`),
  ];
}

/** What is wrong with the mutants' table: double ids, checks without a killer, checks and scenarios that there are not. */
export function mutantProblems(suites: readonly Suite[], mutants: readonly Mutant[]): readonly string[] {
  const scenarios = suites.flatMap((suite) => suite.scenarios);
  const checks = allChecks(suites);
  const checkIds = new Set(checks.map((check) => check.id));
  const killed = new Set(mutants.flatMap((mutant) => mutant.kills));
  return [
    ...doubles('mutant', mutants),
    ...checks.filter((check) => !killed.has(check.id)).map((check) => `check ${check.id} has no mutant that kills it`),
    ...[...killed].filter((id) => !checkIds.has(id)).map((id) => `a mutant kills ${id}, which is no check`),
    ...mutants.flatMap(({ id, kills, alsoBreaks = {} }) =>
      Object.keys(alsoBreaks)
        .filter((check) => !checkIds.has(check) || kills.includes(check))
        .map((check) => `${id} also breaks ${check}, which is no check or one that it kills`),
    ),
    ...mutants
      .filter(({ seenIn }) => seenIn !== undefined && !scenarios.some(({ id }) => id === seenIn))
      .map(({ id, seenIn }) => `${id} is seen in ${seenIn}, which is no scenario`),
  ];
}

function allChecks(suites: readonly Suite[]): readonly Check[] {
  return suites.flatMap((suite) => suite.scenarios).flatMap((scenario) => scenario.checks);
}

function doubles(kind: string, named: readonly { readonly id: string }[]): string[] {
  const ids = named.map(({ id }) => id);
  return ids.filter((id, index) => ids.indexOf(id) !== index).map((id) => `two of kind ${kind} are called ${id}`);
}

function checkProblems({ id, requirement }: Check): string[] {
  if (findRequirement(requirement) === undefined) return [`check ${id} names ${requirement}, which is no requirement`];
  return id === requirement || id.startsWith(`${requirement}.`)
    ? []
    : [`check ${id} is not named after its requirement ${requirement}`];
}

function fixtureProblems(scenarios: readonly Scenario[]): string[] {
  const shipped = new Set(shippedDefinitions().map(({ id }) => id));
  return scenarios.flatMap(({ id, needs }) =>
    needs
      .flatMap(workflowsOf)
      .filter((workflowId) => !shipped.has(workflowId))
      .map((workflowId) => `scenario ${id} needs the fixture ${workflowId}, which does not ship`),
  );
}

function suiteProblems(suite: Suite): string[] {
  return suite.scenarios
    .filter((scenario) => scenario.suite !== suite.id)
    .map((scenario) => `scenario ${scenario.id} says that it belongs to ${scenario.suite}, not to ${suite.id}`);
}
