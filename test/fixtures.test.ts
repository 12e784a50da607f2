import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { packageFile } from '../src/contract/package-root.ts';
import { validate } from '../src/contract/validate.ts';

interface Definition {
  readonly id: string;
  readonly version: string;
  readonly nodes: readonly { readonly typeId: string }[];
  readonly revisions?: readonly { readonly version: string }[];
}

const folder = packageFile('fixtures', 'workflows');
const files = readdirSync(folder).toSorted();
const definitions = files.map(
  (file) => [file, JSON.parse(readFileSync(`${folder}/${file}`, 'utf8')) as Definition] as const,
);
const published = JSON.parse(readFileSync(packageFile('fixtures', 'public-workflows.json'), 'utf8')) as Definition[];
const ids = [...published, ...definitions.map(([, definition]) => definition)].map(({ id }) => id);
const page = readFileSync(packageFile('docs', 'fixtures.md'), 'utf8');

/** The page's table rows that begin with a code span, cell by cell. */
const rows = page
  .split('\n')
  .filter((line) => line.startsWith('| `'))
  .map((line) => line.split('|').map((cell) => cell.replaceAll('`', '').trim()));

function has(...cells: readonly string[]): boolean {
  return rows.some((row) => cells.every((cell, index) => row[index + 1] === cell));
}

describe('the fixtures', () => {
  it.each(definitions)('%s fits the schema of workflows, and is called like its file', (file, definition) => {
    expect(validate('workflow', definition)).toEqual([]);
    expect(`${definition.id}.json`).toBe(file);
  });

  it.each(definitions)('%s stands on the page, with its node kinds and revisions', (_, definition) => {
    expect(has(definition.id)).toBe(true);
    expect(definition.nodes.filter(({ typeId }) => !has(typeId))).toEqual([]);
    expect((definition.revisions ?? []).filter(({ version }) => !has(definition.id, version))).toEqual([]);
  });

  it.each(definitions)('%s comes back under version 1.0.0 after a change of its code', (_, { version }) => {
    expect(version).toBe('1.0.0');
  });

  it('of public hosts fit the schema of workflows as well, and have ids of their own', () => {
    expect(published.flatMap((definition) => validate('workflow', definition))).toEqual([]);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('are all that the page names', () => {
    const named = rows.map((row) => row[1] ?? '').filter((name) => name.startsWith('conformance-'));
    expect(named.filter((name) => !ids.includes(name))).toEqual([]);
  });
});
