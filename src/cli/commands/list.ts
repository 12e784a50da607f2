import { print, printJson, printMessage } from '../printer.ts';
import { SUITES } from '../../../scenarios/index.ts';
import { coverRequirements, mutantProblems, scenarioProblems } from '../tables.ts';

export interface ListFlags {
  readonly requirements?: true;
  readonly mutants?: true;
  readonly json?: true;
}

/**
 * `list`: prints the scenarios, the register or the mutants, and validates their tables. Returns 0, or 2 when a table is
 * wrong; what is wrong goes to stderr.
 */
export async function list(flags: ListFlags): Promise<number> {
  const { rows, problems } = flags.mutants === true ? await mutants() : ofScenarios(flags);
  if (flags.json === true) printJson(rows, 2);
  else print(`${page(rows)}\n`);
  for (const problem of problems) printMessage(problem);
  return problems.length === 0 ? 0 : 2;
}

interface Table {
  readonly rows: readonly ListedRow[];
  readonly problems: readonly string[];
}

/** Mutants are a third of what there is to load: who lists these does not load them. */
async function mutants(): Promise<Table> {
  const { MUTANTS } = await import('../../../reference-host/mutants/index.ts');
  const rows = MUTANTS.map(({ id, breaks, kills }) => ({ id, breaks, checks: kills }));
  return { rows, problems: mutantProblems(SUITES, MUTANTS) };
}

function ofScenarios({ requirements }: ListFlags): Table {
  return { rows: requirements === true ? coverRequirements(SUITES) : scenarios(), problems: scenarioProblems(SUITES) };
}

function scenarios(): readonly ListedRow[] {
  return SUITES.flatMap((suite) => suite.scenarios).map(({ id, suite, title, checks }) => ({
    id,
    suite,
    title,
    checks: checks.map((check) => check.id),
  }));
}

interface ListedRow {
  readonly id: string;
  readonly checks: readonly string[];
  readonly title?: string;
  readonly clause?: string;
  readonly breaks?: string;
  readonly level?: string;
  readonly suite?: string;
  readonly excluded?: string;
}

function page(rows: readonly ListedRow[]): string {
  const width = Math.max(...rows.map((row) => row.id.length));
  return rows.map((row) => line(row, width)).join('\n');
}

function line(row: ListedRow, width: number): string {
  const text = row.title ?? row.clause ?? row.breaks ?? '';
  const note = row.excluded === undefined ? row.checks.filter((check) => check !== row.id).join(' ') : row.excluded;
  const level = row.level === undefined ? '' : `${row.level.padEnd(6)} `;
  return `${row.id.padEnd(width)}  ${level}${text}${note === '' ? '' : `  [${note}]`}`;
}
