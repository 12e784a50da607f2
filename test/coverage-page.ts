import { DOCUMENTS } from '../src/contract/statements/index.ts';
import type { Document, Statement } from '../src/contract/statements/statement.ts';
import { ownEvidence } from './own-evidence.ts';
import { rowPlaces } from './requirements-page.ts';

const HEAD = `# What each statement of the documents is held by

Made from src/contract/statements, the register, the scenarios and the mutants by \`npx vitest run test/coverage-page.test.ts -u\`.

A statement is named by document, section and its place in the section, and told in our words. It has rows in the
[register](requirements.md), or a reason why none.
`;

const OWN_HEAD = `## Checks that take workflows or seams of ours

Made from what the scenarios need. All other checks are decided with the workflows and the two seams that public hosts have
(\`mutants --bare\`), where they apply. What a check takes, why nothing public serves in its place, and the checks:
`;

/** The page that shows which rows hold each statement of the documents. */
export function coveragePage(): string {
  const page = [HEAD, ...DOCUMENTS.map(documentPart), ownPart()].join('\n');
  return `${page}\n${rowPlaces(page)}`;
}

function documentPart({ name, title, sections }: Document): string {
  const tables = Object.entries(sections).map(([section, statements]) =>
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
  return statement.rows.map((id) => `[${id}]`).join(', ');
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

function cell(text: string): string {
  return text.replaceAll('|', String.raw`\|`);
}
