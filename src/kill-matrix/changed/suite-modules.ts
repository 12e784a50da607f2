import { posix } from 'node:path';
import type { Suite } from '../../runner/scenario.ts';
import { importsOf, type Sources } from './import-graph.ts';

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
