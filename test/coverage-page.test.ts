import { describe, expect, it } from 'vitest';
import { SUITES } from '../scenarios/index.ts';
import { coverRequirements } from '../src/cli/tables.ts';
import { packageFile } from '../src/contract/package-root.ts';
import { REQUIREMENTS, findRequirement } from '../src/contract/requirements/index.ts';
import { DOCUMENTS, placesOf } from '../src/contract/statements/index.ts';
import { coveragePage } from './coverage-page.ts';
import { diagnosesPage } from './diagnoses-page.ts';
import { manPage } from './man-page.ts';
import { DRIVEN_IN_VAIN, ownEvidence, WHY } from './own-evidence.ts';
import { requirementsPage } from './requirements-page.ts';

const MAKE = 'npx vitest run test/coverage-page.test.ts -u';

const statements = DOCUMENTS.flatMap(({ name, sections }) =>
  Object.entries(sections).flatMap(([section, made]) =>
    made.map((statement, index) => ({ place: `${name} ${section} ${index + 1}`, statement })),
  ),
);

function rowsOf(statement: (typeof statements)[number]['statement']): readonly string[] {
  return 'none' in statement ? [] : statement.rows;
}

describe('the statements of the documents', () => {
  it('have each a row of the register, or a reason why none', () => {
    const bare = statements.filter(({ statement }) =>
      'none' in statement ? statement.none.length < 10 : statement.rows.length === 0,
    );
    expect(bare.map(({ place }) => place)).toEqual([]);
  });

  it('name rows that exist, each once', () => {
    const unknown = statements.flatMap(({ place, statement }) =>
      rowsOf(statement)
        .filter((id, index, all) => findRequirement(id) === undefined || all.indexOf(id) !== index)
        .map((id) => `${place}: ${id}`),
    );
    expect(unknown).toEqual([]);
  });

  it('leave no row of the register without one, but for those that only the wire knows', () => {
    const idle = REQUIREMENTS.filter(({ id, source }) => source !== 'wire' && placesOf(id).length === 0);
    expect(idle.map(({ id }) => id)).toEqual([]);
  });

  it('are held by rows that have a check, or are excluded for a reason', () => {
    const excluded = new Set(REQUIREMENTS.filter((row) => row.excluded !== undefined).map(({ id }) => id));
    const open = coverRequirements(SUITES).filter(({ id, checks }) => checks.length === 0 && !excluded.has(id));
    expect(open.map(({ id }) => id)).toEqual([]);
  });
});

describe('the pages that are made of the tables', () => {
  it.each([
    ['docs/coverage.md', coveragePage],
    ['docs/requirements.md', requirementsPage],
    ['docs/diagnoses.md', diagnosesPage],
    ['docs/openwop-conformance.1', manPage],
  ])('%s says what they say now', async (file, make) => {
    await expect(make(), `to make it anew: ${MAKE}`).toMatchFileSnapshot(packageFile(file));
  });

  it('say how they are made', () => {
    for (const make of [coveragePage, requirementsPage, diagnosesPage, manPage]) expect(make()).toContain(MAKE);
  });
});

describe('what checks take that is ours', () => {
  const checks = SUITES.flatMap(({ scenarios }) => scenarios).flatMap((scenario) =>
    scenario.checks.map(({ id }) => id),
  );

  it('is said of checks that there are', () => {
    expect(Object.keys(DRIVEN_IN_VAIN).filter((id) => !checks.includes(id))).toEqual([]);
    expect([...ownEvidence().keys()].filter((id) => !checks.includes(id))).toEqual([]);
  });

  it('is said once: where a need names it, nothing else does', () => {
    const twice = Object.entries(DRIVEN_IN_VAIN).filter(
      ([id, why]) => (ownEvidence().get(id) ?? []).length > 1 || why === '',
    );
    expect(twice).toEqual([]);
  });

  it('has a reason for each fixture that a check takes, and for no other', () => {
    const said = [...ownEvidence().values()].flat().join('\n');
    expect(Object.values(WHY).filter((why) => !said.includes(why))).toEqual([]);
  });
});
