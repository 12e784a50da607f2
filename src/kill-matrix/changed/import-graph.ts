import { posix } from 'node:path';

/** Source files: their texts by their paths from the root of the checkout. */
export type Sources = ReadonlyMap<string, string>;

/** What an import statement takes from another file; types alone are not taken. */
export interface ImportedNames {
  readonly from: string;
  readonly names: readonly string[];
}

const STATEMENT = /^(?:import|export)\s+(?!type\b)(?:(?<what>[^'";]*?)\s+from\s+)?'(?<path>\.[^'\n]+)'/gmu;

/** The files that a source imports when it runs, with the names that it has for what it takes of them. */
export function importsOf(path: string, text: string): readonly ImportedNames[] {
  return [...text.matchAll(STATEMENT)].map(({ groups }) => ({
    from: posix.join(posix.dirname(path), groups?.['path'] ?? ''),
    names: namesIn(groups?.['what'] ?? ''),
  }));
}

/** The text without its import statements. */
export function withoutImports(text: string): string {
  return text.replaceAll(STATEMENT, '');
}

function namesIn(what: string): readonly string[] {
  return what
    .replaceAll(/[{}]/gu, ',')
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '' && !each.startsWith('type '))
    .map((each) => each.split(/\s+as\s+/u).at(-1) ?? each);
}

/** These files and all that import them, directly or not. */
export function withDependents(sources: Sources, paths: Iterable<string>): ReadonlySet<string> {
  const importers = new Map<string, string[]>();
  for (const [path, text] of sources) {
    for (const { from } of importsOf(path, text)) importers.set(from, [...(importers.get(from) ?? []), path]);
  }
  return closure(paths, (path) => importers.get(path) ?? []);
}

/** A file and all that it imports, directly or not. */
export function withImports(sources: Sources, path: string): ReadonlySet<string> {
  return closure([path], (each) => importsOf(each, sources.get(each) ?? '').map(({ from }) => from));
}

function closure(start: Iterable<string>, next: (path: string) => readonly string[]): ReadonlySet<string> {
  const found = new Set(start);
  // What is added while it is gone through is gone through, too.
  for (const path of found) for (const each of next(path)) found.add(each);
  return found;
}
