import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { sharedDiagnoses } from '../scenarios/shared/diagnoses.ts';
import { catalogue } from '../src/cache-key/index.ts';
import { SUITES } from '../scenarios/index.ts';
import { packageFile } from '../src/contract/package-root.ts';
import { findRequirement } from '../src/contract/requirements/index.ts';
import type { ExplainedDiagnosis } from '../src/contract/verdict.ts';

const TABLES: readonly (readonly [name: string, table: readonly ExplainedDiagnosis[]])[] = [
  ...SUITES.flatMap(({ id, diagnoses }) => (diagnoses === undefined ? [] : ([[id, diagnoses]] as const))),
  ['shared', sharedDiagnoses],
];

/** How a digest may be mistaken, which the wrong keys of the catalogue and of at-most-once have in common. */
const ENCODINGS = ['truncated'];

/** The sources of a folder of scenarios, its tests and its tables left out. */
function sourcesIn(folder: string): readonly string[] {
  const directory = packageFile(`scenarios/${folder}`);
  return readdirSync(directory)
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts') && !name.endsWith('diagnoses.ts'))
    .map((name) => readFileSync(`${directory}/${name}`, 'utf8'));
}

/** The names that a source gives to judgements, both of a choice included. */
function namesIn(source: string): readonly string[] {
  const places = source.matchAll(/\b(?:code: [^,;]*|(?:wrong|sharedCause|catalogued)\([^,;]*\))/gu);
  return [...places].flatMap(([place]) => [...place.matchAll(/(?<!=== )'(?<code>[a-z][a-z\d-]*)'/gu)].map(codeIn));
}

function codeIn({ groups }: RegExpExecArray): string {
  return groups?.['code'] ?? '';
}

function codesOf(table: readonly ExplainedDiagnosis[]): readonly string[] {
  return table.map(({ code }) => code);
}

describe('the causes that judges name', () => {
  it('are all explained', () => {
    const explained = [...catalogue, ...TABLES.flatMap(([, table]) => table)].map(({ code }) => code);
    const named = [...SUITES.map(({ id }) => id), 'shared'].flatMap(sourcesIn).flatMap(namesIn);
    expect(named.length).toBeGreaterThan(100);
    expect(named.filter((code) => !explained.includes(code))).toEqual([]);
  });

  it('stand in one table each', () => {
    const codes = TABLES.flatMap(([, table]) => codesOf(table));
    expect(codes).toEqual([...new Set(codes)]);
    const inCatalogue = new Set(codesOf(catalogue));
    expect(codes.filter((code) => inCatalogue.has(code)).toSorted()).toEqual(ENCODINGS);
  });

  it.each(SUITES.filter(({ diagnoses }) => diagnoses !== undefined))(
    '$id: are named by its judges, and break requirements of the suite',
    ({ id, diagnoses = [] }) => {
      // What a suite shares with others may tell its causes apart.
      const sources = [...sourcesIn(id), ...sourcesIn('shared')].join('\n');
      expect(codesOf(diagnoses).filter((code) => !sources.includes(`'${code}'`))).toEqual([]);
      const isSentence = diagnoses.every(({ message }) => message.endsWith('.'));
      for (const { breaks, message } of diagnoses) {
        expect(message).toMatch(isSentence ? /\.$/u : /[^.\s]$/u);
        expect(breaks.length).toBeGreaterThan(0);
        expect(breaks.map((each) => findRequirement(each)?.suite)).toEqual(breaks.map(() => id));
      }
    },
  );

  it('shared by suites break requirements of more than one', () => {
    for (const { breaks } of sharedDiagnoses) {
      const suites = breaks.map((each) => findRequirement(each)?.suite);
      expect(suites).not.toContain(undefined);
      expect(new Set(suites).size).toBeGreaterThan(1);
    }
  });
});
