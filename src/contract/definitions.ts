import { readdirSync, readFileSync } from 'node:fs';
import { packageFile } from './package-root.ts';

/** A JSON object of a definition. */
export type JsonMembers = { readonly [name: string]: unknown };

/** A node of a definition (schemas/workflow.schema.json). */
export interface DefinitionNode {
  readonly id: string;
  readonly typeId: string;
  readonly name: string;
  readonly config: JsonMembers;
  readonly inputs: JsonMembers;
}

/** A workflow as it ships in fixtures/: what a map of node kinds may change, and the rest as it is. */
export interface Definition extends JsonMembers {
  readonly id: string;
  readonly nodes: readonly DefinitionNode[];
  readonly revisions?: readonly (JsonMembers & { readonly nodes?: readonly DefinitionNode[] })[];
}

let shipped: readonly Definition[] | undefined;

/** All definitions that ship, ours and those that public hosts have, by their ids' order. */
export function shippedDefinitions(): readonly Definition[] {
  shipped ??= [...published(), ...ours()].toSorted((a, b) => (a.id < b.id ? -1 : 1));
  return shipped;
}

function published(): readonly Definition[] {
  return JSON.parse(readFileSync(packageFile('fixtures', 'public-workflows.json'), 'utf8')) as readonly Definition[];
}

function ours(): readonly Definition[] {
  const names = readdirSync(packageFile('fixtures', 'workflows')).filter((name) => name.endsWith('.json'));
  return names.map(
    (name) => JSON.parse(readFileSync(packageFile('fixtures', 'workflows', name), 'utf8')) as Definition,
  );
}

/** All nodes of a definition, those of its revisions among them. */
export function nodesOf({ nodes, revisions = [] }: Definition): readonly DefinitionNode[] {
  return [...nodes, ...revisions.flatMap((revision) => revision.nodes ?? [])];
}

/**
 * The definitions with these ids and those that they hand over to, in waves: each names, outside its own wave, only what
 * stands in an earlier one. Ids that do not ship are left out.
 */
export function inWaves(
  ids: readonly string[],
  definitions: readonly Definition[],
): readonly (readonly Definition[])[] {
  const known = new Map(definitions.map((definition) => [definition.id, definition]));
  const depths = new Map<string, number>();
  const depthOf = (definition: Definition): number => {
    const found = depths.get(definition.id);
    if (found !== undefined) return found;
    // A definition that names itself, or one that names it, stands as deep as what else it names.
    depths.set(definition.id, 0);
    const workers = namedIn(definition).flatMap((id) => known.get(id) ?? []);
    const depth = 1 + Math.max(-1, ...workers.map(depthOf));
    depths.set(definition.id, depth);
    return depth;
  };
  for (const id of ids) {
    const definition = known.get(id);
    if (definition !== undefined) depthOf(definition);
  }
  const waves: Definition[][] = [];
  for (const [id, depth] of depths) {
    const definition = known.get(id);
    if (definition !== undefined) (waves[depth] ??= []).push(definition);
  }
  return waves;
}

/** The strings in the settings of a definition's nodes: the ids of its workers are among them. */
function namedIn(definition: Definition): readonly string[] {
  const strings: string[] = [];
  const walk = (value: unknown): void => {
    if (typeof value === 'string') strings.push(value);
    else if (typeof value === 'object' && value !== null) {
      for (const [name, inner] of Object.entries(value)) {
        strings.push(name);
        walk(inner);
      }
    }
  };
  for (const { config } of nodesOf(definition)) walk(config);
  return strings;
}
