import { MUTANTS } from '../../../reference-host/mutants/index.ts';
import { matrixProblems, runKillMatrix, type MutantRow } from '../kill-matrix.ts';
import { SUITES } from '../suites.ts';

/** `mutants`: prints the kill matrix. Returns 0, or 1 on a survivor or a check that nothing kills. */
export async function mutants(flags: { readonly json?: true }): Promise<number> {
  const width = Math.max(...MUTANTS.map((mutant) => mutant.id.length));
  const matrix = await runKillMatrix(SUITES, MUTANTS, (row) => {
    if (flags.json !== true) process.stdout.write(`${line(row, width)}\n`);
  });
  const problems = matrixProblems(matrix, MUTANTS, SUITES);
  if (flags.json === true) process.stdout.write(`${JSON.stringify(matrix, null, 2)}\n`);
  for (const problem of problems) process.stderr.write(`openwop-conformance: ${problem}\n`);
  if (flags.json !== true) {
    const checks = SUITES.flatMap((suite) => suite.scenarios).flatMap((scenario) => scenario.checks).length;
    process.stdout.write(
      `\n${MUTANTS.length} mutants, ${checks} checks, ${matrix.checksWithoutKiller.length} without a killer, ${problems.length} problems, ${(matrix.ms / 1000).toFixed(1)} s\n`,
    );
  }
  return problems.length === 0 ? 0 : 1;
}

function line({ id, killedBy, collateral }: MutantRow, width: number): string {
  const beside = collateral.length === 0 ? '' : `  (also ${collateral.join(' ')})`;
  return `${id.padEnd(width)}  ${killedBy.length === 0 ? 'SURVIVES' : killedBy.join(' ')}${beside}`;
}
