import { MUTANTS } from '../reference-host/mutants/index.ts';
import { SUITES } from '../scenarios/index.ts';
import { type CoveredRequirement, coverRequirements } from '../src/cli/tables.ts';
import { findRequirement, REQUIREMENTS } from '../src/contract/requirements/index.ts';

const HEAD = `# The register

Made from the register, the scenarios and the mutants by \`npx vitest run test/coverage-page.test.ts -u\`.

A row is one requirement: its level, the place in the documents that it comes from (\`wire\`: the wire alone says it), the clause in our words,
and its checks, each with some of the mutants that it turns red for: this tool's own host with
that one defect (\`explain MUTANT\`; \`explain CHECK\` names all). [coverage.md](coverage.md) goes the other way, from each statement of the documents to its rows.
`;

/** The page of the register: each suite's rows with level, source, clause, checks and mutants. */
export function requirementsPage(): string {
  const rows = coverRequirements(SUITES);
  const suites = SUITES.map(({ id }) => {
    const own = rows.filter((row) => findRequirement(row.id)?.suite === id);
    return [`## ${id}\n`, ...own.map((row) => rowPart(row))].join('\n');
  });
  return [HEAD, ...suites].join('\n');
}

/** The places of the rows that a page beside the register's names in brackets. */
export function rowPlaces(page: string): string {
  const named = REQUIREMENTS.filter(({ id }) => page.includes(`[${id}]`));
  return named.map(({ id }) => `[${id}]: requirements.md#${id.replaceAll('.', '')}\n`).join('');
}

function rowPart({ id, level, source, clause, checks, excluded }: CoveredRequirement): string {
  return [
    `### ${id}\n`,
    `${level}, ${source}: ${clause}\n`,
    ...checks.map((check) => `- \`${check}\`: ${killersOf(check)}`),
    ...(excluded === undefined ? [] : [`Excluded: ${excluded}.`]),
    '',
  ].join('\n');
}

/** How many mutants of a check are named: the page is in the package, and a check may have dozens. */
const NAMED = 3;

function killersOf(check: string): string {
  const killers = MUTANTS.filter(({ kills }) => kills.includes(check))
    .map(({ id }) => id)
    .toSorted((a, b) => (a < b ? -1 : 1));
  const left = killers.length - NAMED;
  return left > 1 ? `${killers.slice(0, NAMED).join(', ')}, and ${left} more` : killers.join(', ');
}
