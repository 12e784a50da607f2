import { posix } from 'node:path';
import type { Suite } from '../../runner/scenario.ts';
import type { ChangedLines } from './git.ts';
import { importsOf, type Sources, withDependents, withImports, withoutImports } from './import-graph.ts';

/** An entry of a table of mutants: its id, and where it stands in its file, in lines from 1. */
interface MutantEntry {
  readonly id: string;
  readonly first: number;
  readonly last: number;
  readonly text: string;
}

/** An entry begins with its id and ends with a brace, both indented as members of the table, or on the line that it begins in. */
const BEGIN = /^ {2}'?(?<id>[a-z0-9-]+)'?: (?:\{|[a-zA-Z]+\()/u;
const END = /^ {2}[\])}]/u;
const ONE_LINE = /[)}],$/u;

/** The entries of a table of mutants, as its source has them. */
export function mutantEntries(source: string): readonly MutantEntry[] {
  const lines = source.split('\n');
  const entries: MutantEntry[] = [];
  for (const [index, line] of lines.entries()) {
    const id = BEGIN.exec(line)?.groups?.['id'];
    if (id === undefined) continue;
    const more = ONE_LINE.test(line) ? 0 : lines.slice(index + 1).findIndex((each) => END.test(each)) + 1;
    const length = more + 1;
    const text = lines.slice(index, index + length).join('\n');
    entries.push({ id, first: index + 1, last: index + length, text });
  }
  return entries;
}

/** What is known of a checkout and of what changed in it. */
export interface Checkout {
  readonly sources: Sources;
  readonly changed: ReadonlyMap<string, ChangedLines>;
  readonly suites: readonly Suite[];
  /** The names of the parts that each mutant replaces, by its id. */
  readonly partsOf: ReadonlyMap<string, readonly string[]>;
}

/** What a change touches. */
export interface Touched {
  /** The mutants that are others now. */
  readonly mutants: ReadonlySet<string>;
  /** The mutants that replace a part of the reference host that is another one now. */
  readonly replacing: ReadonlySet<string>;
  /** The scenarios that are others now. */
  readonly scenarios: ReadonlySet<string>;
  /** Whether anything of the reference host changed, but for its mutants. */
  readonly host: boolean;
}

const MUTANTS = 'reference-host/mutants/';
const HOST = 'reference-host/';
const RUN = 'src/kill-matrix/run-mutant.ts';

/** How far from a changed line a part's name may stand to be what changed. */
const NEAR = 8;

/** What a change touches, by what imports what and by the lines that changed. */
export function touchedBy(checkout: Checkout): Touched {
  const { partsOf } = checkout;
  const host = [...checkout.changed].filter(
    ([path]) => path.startsWith(HOST) && !path.startsWith(MUTANTS) && isCode(path),
  );
  const near = host.map(([path, lines]) => nearText(checkout.sources.get(path) ?? '', lines)).join('\n');
  const words = new Set(near.match(/\w+/gu));
  const replacing = [...partsOf].filter(([, parts]) => parts.some((part) => words.has(part)));
  return {
    mutants: touchedMutants(checkout),
    replacing: new Set(replacing.map(([id]) => id)),
    scenarios: touchedScenarios(checkout),
    host: host.length > 0,
  };
}

function touchedMutants({ sources, changed }: Checkout): ReadonlySet<string> {
  const started = [...changed.keys()].filter((path) => path.startsWith(MUTANTS) && isCode(path));
  const touched = withDependents(sources, started);
  const tables = [...touched].filter((path) => path.startsWith(MUTANTS));
  return new Set(
    tables.flatMap((path) => {
      const source = sources.get(path) ?? '';
      const entries = mutantEntries(source);
      const lines = changed.get(path) ?? new Set();
      const own = lines === 'all' ? entries : entriesAt({ source, entries }, lines);
      const names = importsOf(path, source)
        .filter(({ from }) => touched.has(from))
        .flatMap((each) => each.names);
      return [...own, ...naming({ source, entries }, names)].map(({ id }) => id);
    }),
  );
}

interface Table {
  readonly source: string;
  readonly entries: readonly MutantEntry[];
}

/** The entries with one of these lines; all where a line belongs to none and is no import. */
function entriesAt({ source, entries }: Table, lines: ReadonlySet<number>): readonly MutantEntry[] {
  const imports = source.slice(0, source.lastIndexOf("from '")).split('\n').length;
  const isElsewhere = [...lines].some((line) => line > imports && !isBlank(source, line) && !entries.some(holds(line)));
  return isElsewhere ? entries : entries.filter((entry) => [...lines].some((line) => holds(line)(entry)));
}

function holds(line: number): (entry: MutantEntry) => boolean {
  return ({ first, last }) => first <= line && line <= last;
}

function isBlank(source: string, line: number): boolean {
  return (source.split('\n')[line - 1] ?? '').trim() === '';
}

/** The entries that name one of these; all where the file does so outside of entries, where it helps any of them. */
function naming({ source, entries }: Table, names: readonly string[]): readonly MutantEntry[] {
  const isNamed = (text: string): boolean => names.some((name) => new RegExp(String.raw`\b${name}\b`, 'u').test(text));
  const rest = entries.reduce((text, entry) => text.replace(entry.text, ''), withoutImports(source));
  return isNamed(rest) ? entries : entries.filter(({ text }) => isNamed(text));
}

function touchedScenarios({ sources, changed, suites }: Checkout): ReadonlySet<string> {
  const paths = [...changed.keys()];
  const modules = scenarioModules(sources, suites);
  // What drives and judges all scenarios touches all of them, and so does data that nobody names.
  const machinery = [...withImports(sources, RUN)].filter((path) => !path.startsWith(HOST));
  const readers = paths.filter((path) => /^(?:fixtures|schemas)\//u.test(path)).map((path) => readersOf(sources, path));
  const isAll = machinery.some((path) => changed.has(path)) || readers.some(({ length }) => length === 0);
  if (isAll) return new Set(modules.keys());
  const started = [...paths.filter((path) => isCode(path) && !path.startsWith(HOST)), ...readers.flat()];
  const touched = withDependents(sources, started);
  return new Set([...modules].filter(([, path]) => touched.has(path)).map(([id]) => id));
}

/** The sources that name a file of data, with or without what its name ends in. */
function readersOf(sources: Sources, path: string): readonly string[] {
  const name = (path.split('/').at(-1) ?? path).replace(/(?:\.schema)?\.\w+$/u, '');
  return [...sources].filter(([, text]) => text.includes(name)).map(([reader]) => reader);
}

function nearText(source: string, lines: ChangedLines): string {
  if (lines === 'all') return source;
  const near = source.split('\n').filter((_, index) => [...lines].some((line) => Math.abs(line - index - 1) <= NEAR));
  return near.join('\n');
}

function isCode(path: string): boolean {
  return /(?<!\.test)\.tsx?$/u.test(path);
}

/**
 * The module of each scenario, by the scenario's id, as the tables of contents name them. All scenarios of a suite have its
 * table for a module where that cannot be read.
 */
export function scenarioModules(sources: Sources, suites: readonly Suite[]): ReadonlyMap<string, string> {
  return new Map(
    suites.flatMap(({ id, scenarios }) => {
      const table = posix.join('scenarios', id, 'index.ts');
      const modules = listed(table, sources.get(table) ?? '');
      const isWhole = modules.length === scenarios.length;
      return scenarios.map((scenario, index) => [scenario.id, (isWhole && modules[index]) || table] as const);
    }),
  );
}

/** The modules that a table's list of scenarios names, in its order. Functions that wrap scenarios are no items of it. */
function listed(table: string, text: string): readonly string[] {
  const modules = new Map(
    importsOf(table, text).flatMap(({ from, names }) => names.map((name) => [name, from] as const)),
  );
  const [, list = ''] = /\bscenarios: \[(.*?)^ {2}\]|\bscenarios: \[(.*?)\]/msu.exec(text)?.filter(Boolean) ?? [];
  const items = list.replaceAll(/\.map\(.*\)/gu, '').matchAll(/[a-z]\w*/giu);
  return [...items].flatMap(([name]) => modules.get(name) ?? []);
}
