import { MUTANTS } from '../reference-host/mutants/index.ts';
import { SUITES } from '../scenarios/index.ts';
import { coverRequirements } from '../src/cli/tables.ts';
import { DOCUMENTS } from '../src/contract/statements/index.ts';
import type { Document, Statement } from '../src/contract/statements/statement.ts';
import { ownEvidence } from './own-evidence.ts';

const HEAD = `# What each statement of the documents is held by

Made from src/contract/statements, the register, the scenarios and the mutants by \`npx vitest run test/coverage-page.test.ts -u\`.

A statement is named by document, section and its place in the section, and told in our words. It has rows in the register, or a
reason why none. The rows stand below, with their checks and the mutants that each check turns red for.
`;

const OWN_HEAD = `## Checks that take workflows or seams of ours

Made from what the scenarios need. All other checks are decided with the workflows and the two seams that public hosts have
(\`mutants --bare\`), where they apply. What a check takes, why nothing public serves in its place, and the checks:
`;

/** The page that shows which row, check and mutant holds each statement of the documents. */
export function coveragePage(): string {
  return [HEAD, ...DOCUMENTS.map(documentPart), rowsPart(), ownPart()].join('\n');
}

function documentPart({ name, title, sections }: Document): string {
  const tables = sections.map(({ section, statements }) =>
    [
      `### ${name}: ${section}\n`,
      '| # | statement | rows |',
      '| --- | --- | --- |',
      ...statements.map((statement, index) => `| ${index + 1} | ${cell(statement.says)} | ${holders(statement)} |`),
      '',
    ].join('\n'),
  );
  return [`## ${title}\n`, ...tables].join('\n');
}

function holders(statement: Statement): string {
  if ('none' in statement) return `none: ${cell(statement.none)}`;
  return statement.rows.map((id) => `[${id}](#${id.replaceAll('.', '')})`).join(', ');
}

function rowsPart(): string {
  const rows = coverRequirements(SUITES).map((row) => {
    const held = row.checks.map((check) => `- \`${check}\`: ${killersOf(check)}`);
    const why = row.excluded === undefined ? [] : [`Excluded: ${row.excluded}.`];
    return [`### ${row.id}\n`, `${row.level}, ${row.source}: ${row.clause}\n`, ...held, ...why, ''].join('\n');
  });
  return ['## Rows, checks and mutants\n', ...rows].join('\n');
}

/** The checks that public workflows and seams do not decide, by what they take. */
function ownPart(): string {
  const byNeed = new Map<string, string[]>();
  for (const [check, own] of ownEvidence()) {
    for (const need of own) byNeed.set(need, [...(byNeed.get(need) ?? []), check]);
  }
  const lines = [...byNeed].map(([need, checks]) => `- ${need} — ${checks.map((id) => `\`${id}\``).join(', ')}`);
  return [OWN_HEAD, ...lines, ''].join('\n');
}

function killersOf(check: string): string {
  return MUTANTS.filter(({ kills }) => kills.includes(check))
    .map(({ id }) => id)
    .toSorted((a, b) => (a < b ? -1 : 1))
    .join(', ');
}

function cell(text: string): string {
  return text.replaceAll('|', String.raw`\|`);
}
