import { type Definition, type DefinitionNode, type JsonMembers, nodesOf } from './definitions.ts';
import { pointerToken } from '../protocol/json-pointer.ts';
import { nearestNames, unknownName } from './nearest.ts';

/** What stands for one of our node kinds on a host: a kind of its own, its settings, and the names of its input ports. */
interface MappedKind {
  readonly typeId: string;
  /** The node's settings, with templates; the node's own where absent. */
  readonly config?: JsonMembers;
  /** Input ports by our name, each with the host's. */
  readonly inputs?: Readonly<Record<string, string>>;
}

/** `--type-map`: by our kind (schemas/workflow.schema.json, type-map). */
export type TypeMap = Readonly<Record<string, MappedKind>>;

/** A place in a map, as a JSON pointer, and what is wrong there. */
export interface MapProblem {
  readonly pointer: string;
  readonly message: string;
}

/** What a template may name beside the node's own members. */
export interface MapSetting {
  /** Where hosts reach the witness, without a slash at the end; undefined where that is not known. */
  readonly witnessUrl: string | undefined;
}

/** A template names what is not there. */
class MapError extends Error {
  readonly pointer: string;

  constructor(pointer: string, message: string) {
    super(message);
    this.pointer = pointer;
  }
}

/** The first thing that is wrong with a map which fits its schema, for these definitions; undefined where nothing is. */
export function problemOfMap(map: TypeMap, definitions: readonly Definition[]): MapProblem | undefined {
  const kinds = [...new Set(definitions.flatMap(nodesOf).map(({ typeId }) => typeId))];
  const unknown = Object.keys(map).find((kind) => !kinds.includes(kind));
  if (unknown !== undefined)
    return { pointer: `/${pointerToken(unknown)}`, message: unknownName('node kind', unknown, kinds) };
  try {
    // Where the witness is, is not a matter of the map.
    for (const definition of definitions) mapDefinition(definition, map, { witnessUrl: 'http://witness.invalid' });
  } catch (error) {
    if (error instanceof MapError) return { pointer: error.pointer, message: error.message };
    throw error;
  }
  return undefined;
}

/** Whether a template of a map names the witness. */
export function namesWitness(map: TypeMap): boolean {
  return Object.values(map).some(({ config }) => JSON.stringify(config ?? {}).includes('$(witnessUrl)'));
}

/** A definition in the host's own kinds. Nodes keep their ids, edges and whatever the map does not change. */
export function mapDefinition(definition: Definition, map: TypeMap, setting: MapSetting): Definition {
  const mapped = (nodes: readonly DefinitionNode[]): readonly DefinitionNode[] =>
    nodes.map((node) => mapNode(node, { map, setting, workflowId: definition.id }));
  const { revisions } = definition;
  return {
    ...definition,
    nodes: mapped(definition.nodes),
    ...(revisions && {
      revisions: revisions.map((revision) => ({
        ...revision,
        ...(revision.nodes && { nodes: mapped(revision.nodes) }),
      })),
    }),
  };
}

interface Mapping {
  readonly map: TypeMap;
  readonly setting: MapSetting;
  readonly workflowId: string;
}

function mapNode(node: DefinitionNode, { map, setting, workflowId }: Mapping): DefinitionNode {
  const kind = Object.hasOwn(map, node.typeId) ? map[node.typeId] : undefined;
  if (kind === undefined) return node;
  const fill: Filling = { node, setting, workflowId };
  const config = kind.config && filled(kind.config, `/${pointerToken(node.typeId)}/config`, fill);
  return {
    ...node,
    typeId: kind.typeId,
    ...(config === undefined ? {} : { config: config as JsonMembers }),
    inputs: renamed(node.inputs, kind.inputs ?? {}),
  };
}

function renamed(inputs: JsonMembers, names: Readonly<Record<string, string>>): JsonMembers {
  const nameOf = (port: string): string => (Object.hasOwn(names, port) ? (names[port] ?? port) : port);
  return Object.fromEntries(Object.entries(inputs).map(([port, value]) => [nameOf(port), value]));
}

interface Filling {
  readonly node: DefinitionNode;
  readonly setting: MapSetting;
  readonly workflowId: string;
}

/** Left out of the object or array in which it would stand. */
const NOTHING = Symbol('nothing');

function filled(template: unknown, pointer: string, filling: Filling): unknown {
  if (typeof template === 'string') return filledText(template, pointer, filling);
  if (Array.isArray(template)) {
    const items: readonly unknown[] = template;
    return items.map((item, index) => filled(item, `${pointer}/${index}`, filling)).filter((item) => item !== NOTHING);
  }
  if (typeof template !== 'object' || template === null) return template;
  const members = Object.entries(template).map(([name, value]): [string, unknown] => [
    name,
    filled(value, `${pointer}/${pointerToken(name)}`, filling),
  ]);
  return Object.fromEntries(members.filter(([, value]) => value !== NOTHING));
}

const PLACE = /\$(?<literal>\$)?\((?<name>[^()]*)\)/gu;

/** `$(name)` alone is the value itself, and nothing where the node has none; within a text it has to be there. */
function filledText(text: string, pointer: string, filling: Filling): unknown {
  const whole = /^\$\((?<name>[^()]*)\)$/u.exec(text)?.groups?.['name'];
  if (whole !== undefined) return valueOf(whole, pointer, filling);
  return text.replaceAll(PLACE, (place, literal: string | undefined, name: string) => {
    if (literal !== undefined) return place.slice(1);
    const value = valueOf(name, pointer, filling);
    if (value === NOTHING) {
      const { workflowId, node } = filling;
      throw new MapError(pointer, `the node ${node.id} of ${workflowId} has no ${name}: a text needs it`);
    }
    return typeof value === 'string' ? value : JSON.stringify(value);
  });
}

const ROOTS = ['config', 'inputs', 'node.id', 'node.name', 'workflowId', 'witnessUrl'] as const;

function valueOf(name: string, pointer: string, { node, setting, workflowId }: Filling): unknown {
  if (name === 'witnessUrl') {
    if (setting.witnessUrl === undefined) throw new MapError(pointer, 'where the witness is, is not known');
    return setting.witnessUrl;
  }
  if (name === 'workflowId') return workflowId;
  if (name === 'node.id') return node.id;
  if (name === 'node.name') return node.name;
  const [root, ...path] = name.split('.');
  if (root !== 'config' && root !== 'inputs') {
    const near = nearestNames(name, ROOTS)[0];
    const hint = near === undefined ? '' : `; did you mean ${near}?`;
    throw new MapError(pointer, `$(${name}) names nothing: a template has ${ROOTS.join(', ')}${hint}`);
  }
  return path.reduce<unknown>(ownMember, node[root]);
}

function ownMember(value: unknown, name: string): unknown {
  const has = typeof value === 'object' && value !== null && Object.hasOwn(value, name);
  return has ? (value as JsonMembers)[name] : NOTHING;
}
