import { MUTANTS } from '../../../reference-host/mutants/index.ts';
import { unknownName } from '../../contract/nearest.ts';
import { findRequirement } from '../../contract/requirements/index.ts';
import { placesOf } from '../../contract/statements/index.ts';
import { type Need, withChildren } from '../../runner/scenario.ts';
import { allDiagnoses } from '../all-diagnoses.ts';
import { NAMES } from '../names.ts';
import { print } from '../printer.ts';
import { SUITES } from '../../../scenarios/index.ts';
import { coverRequirements } from '../tables.ts';
import { UsageError } from '../../contract/usage-error.ts';

/** `explain <id>`: says what a requirement, check, scenario, diagnosis or mutant is. An unknown id is a usage error. */
export async function explain(id: string): Promise<number> {
  const found = [...requirement(id), ...checksAndScenarios(id), ...diagnosis(id), ...mutant(id)];
  if (found.length === 0) {
    if (SUITES.some((suite) => suite.id === id)) {
      throw new UsageError(
        `${id} is a suite: \`list\` names its scenarios and checks, \`run --suite ${id}\` meets them`,
      );
    }
    const known = [...NAMES.requirements, ...NAMES.checks, ...NAMES.diagnoses, ...NAMES.mutants];
    const name = id.split('+').find((part) => !known.includes(part)) ?? id;
    throw new UsageError(
      `${unknownName('requirement, check, scenario, diagnosis or mutant', name, known)} (\`list\`, \`list --requirements\` and \`list --mutants\` say more)`,
    );
  }
  print(`${found.join('\n\n')}\n`);
  return 0;
}

function requirement(id: string): string[] {
  return coverRequirements(SUITES)
    .filter((row) => row.id === id)
    .map((row) => {
      const covered = row.excluded === undefined ? `checks: ${row.checks.join(', ')}` : `excluded: ${row.excluded}`;
      const places = placesOf(row.id);
      return [
        `requirement ${row.id} (${row.level}, ${row.source})`,
        `  ${row.clause}`,
        `  ${covered}`,
        ...(places.length === 0 ? [] : [`  statements: ${places.join('; ')}`]),
      ].join('\n');
    });
}

function checksAndScenarios(id: string): string[] {
  return SUITES.flatMap((suite) => suite.scenarios).flatMap((scenario) => {
    const check = scenario.checks.find((each) => each.id === id);
    if (check === undefined && scenario.id !== id) return [];
    const killers = MUTANTS.filter((each) => each.kills.includes(id)).map((each) => each.id);
    const needs = scenario.needs.map(needText);
    return [
      [
        check === undefined ? `scenario ${scenario.id}` : `check ${check.id} in scenario ${scenario.id}`,
        `  ${check?.title ?? scenario.title}`,
        `  needs: ${needs.length === 0 ? 'nothing beyond the host' : needs.join(', ')}`,
        ...(killers.length === 0 ? [] : [`  proven able to fail by: ${killers.join(', ')}`]),
        `  run it alone: openwop-conformance --base-url <url> --scenario ${scenario.id}`,
      ].join('\n'),
    ];
  });
}

function needText(need: Need): string {
  switch (need.kind) {
    case 'seam':
      return need.path;
    case 'fixture':
      return need.workflowId;
    case 'one-of':
      return need.candidates.map((each) => withChildren(each).join(' with ')).join(' or ');
    case 'fork':
      return `forks in mode ${need.mode}`;
    case 'second-host':
      return 'a second host (--base-url-b)';
    case 'second-tenant':
      return 'a second tenant (--tenant-b-key-env)';
    case 'limited-credential':
      return 'a credential that may not create runs (--limited-key-env)';
    case 'blind-credential':
      return 'a credential that may not read runs (--blind-key-env)';
    case 'witness':
      return 'a witness that the host can reach (--witness-listen, --witness-url)';
    case 'spans':
      return 'spans sent to the witness (--otel)';
    case 'crash':
      return 'failpoints that kill the host (--crash, --restart-command)';
  }
}

/** Causes that apply together are shown as one name, with a + between them: each is explained, or none. */
function diagnosis(id: string): string[] {
  const found = id.split('+').map((code) => allDiagnoses().filter((entry) => entry.code === code));
  if (found.some((entries) => entries.length === 0)) return [];
  return found.flat().map(({ code, message, breaks }) => {
    const first = findRequirement(breaks[0] ?? '');
    return [
      `diagnosis ${code}`,
      `  ${message}`,
      `  breaks: ${breaks.join(', ')}`,
      ...(first === undefined ? [] : [`  look first at what ${first.id} asks: ${first.clause}`]),
    ].join('\n');
  });
}

function mutant(id: string): string[] {
  return MUTANTS.filter((each) => each.id === id).map(
    (each) => `mutant ${each.id}\n  ${each.breaks}\n  must turn red: ${each.kills.join(', ')}`,
  );
}
