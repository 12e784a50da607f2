import { hasSqlite, SQLITE_HINT } from '../../../reference-host/index.ts';
import { MUTANTS } from '../../../reference-host/mutants/index.ts';
import type { Mutant } from '../../../reference-host/mutants/mutant.ts';
import { unknownName } from '../../contract/nearest.ts';
import { selectScenarios } from '../../runner/select.ts';
import { killsHosts, type Suite } from '../../runner/scenario.ts';
import { matrixProblems, runKillMatrix, type MutantRow } from '../kill-matrix/matrix.ts';
import { print, printJson, printMessage } from '../printer.ts';
import { SUITES } from '../suites.ts';
import { UsageError } from '../usage-error.ts';

export interface MutantsFlags {
  readonly json?: true;
  readonly suite?: readonly string[];
}

/**
 * `mutants`: prints the kill matrix, of some mutants or some suites where they are named. Returns 0, or 1 on a survivor,
 * on a check of another suite that turned red or, unless mutants are named, on a check that nothing kills.
 */
export async function mutants(ids: readonly string[], flags: MutantsFlags): Promise<number> {
  const suites = chosenSuites(flags.suite ?? []);
  if (!hasSqlite() && suites.flatMap((suite) => suite.scenarios).some(killsHosts)) {
    throw new UsageError(`the kill matrix kills hosts, which takes data files: ${SQLITE_HINT}`);
  }
  const chosen = chosenMutants(ids, suites);
  const width = Math.max(...chosen.map((mutant) => mutant.id.length));
  const run = await runKillMatrix(suites, chosen, (row) => {
    if (flags.json !== true) print(`${line(row, width)}\n`);
  });
  const matrix = ids.length === 0 ? run : { ...run, checksWithoutKiller: [] };
  const problems = matrixProblems(matrix, chosen, suites);
  if (flags.json === true) printJson(matrix, 2);
  for (const problem of problems) printMessage(problem);
  if (flags.json !== true) {
    const checks = suites.flatMap((suite) => suite.scenarios).flatMap((scenario) => scenario.checks).length;
    print(
      `\n${chosen.length} mutants, ${checks} checks, ${matrix.checksWithoutKiller.length} without a killer, ${problems.length} problems, ${(matrix.ms / 1000).toFixed(1)} s\n`,
    );
  }
  return problems.length === 0 ? 0 : 1;
}

function chosenSuites(names: readonly string[]): readonly Suite[] {
  const selected = selectScenarios(SUITES, { suites: names, scenarios: [], requirements: [] });
  if (!selected.ok) throw new UsageError(selected.message);
  return SUITES.filter((suite) => names.length === 0 || names.includes(suite.id));
}

/** The mutants with these ids, or all that name a check of these suites. */
function chosenMutants(ids: readonly string[], suites: readonly Suite[]): readonly Mutant[] {
  const unknown = ids.filter((id) => !MUTANTS.some((mutant) => mutant.id === id));
  if (unknown.length > 0) {
    const known = MUTANTS.map(({ id }) => id);
    throw new UsageError(unknown.map((id) => unknownName('mutant', id, known)).join('; '));
  }
  const checks = new Set(
    suites.flatMap((suite) => suite.scenarios).flatMap((scenario) => scenario.checks.map((check) => check.id)),
  );
  const chosen = MUTANTS.filter(
    ({ id, kills }) => (ids.length === 0 || ids.includes(id)) && kills.some((check) => checks.has(check)),
  );
  if (chosen.length === 0) throw new UsageError('no mutant that was named kills a check of these suites');
  return chosen;
}

function line({ id, killedBy, collateral }: MutantRow, width: number): string {
  const beside = collateral.length === 0 ? '' : `  (also ${collateral.join(' ')})`;
  return `${id.padEnd(width)}  ${killedBy.length === 0 ? 'SURVIVES' : killedBy.join(' ')}${beside}`;
}
