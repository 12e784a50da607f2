import { type JsonNode, parseJsonText } from '../cache-key/index.ts';
import { shippedDefinitions } from '../contract/definitions.ts';
import { type MapProblem, problemOfMap, type TypeMap } from '../contract/type-map.ts';
import { UsageError } from '../contract/usage-error.ts';
import { validate } from '../contract/validate.ts';
import { namesInPointer } from '../protocol/json-pointer.ts';
import { readTextFile } from './text-file.ts';

/** Bytes of a map: more than one for every node kind that there is. */
const MOST_BYTES = 1_048_576;

/** The map of `--type-map`; UsageError with line and pointer where it is none, or names what does not ship. */
export function readTypeMap(path: string): TypeMap {
  const text = readTextFile(path, MOST_BYTES, (problem) => wrong(path, problem));
  const parsed = parseJsonText(text, 100);
  if (!parsed.ok) throw wrong(path, `line ${lineAt(text, parsed.offset)}: ${parsed.message}`);
  const map = JSON.parse(text) as TypeMap;
  const [violation] = validate('workflow#type-map', map);
  const problem = violation ?? problemOfMap(map, shippedDefinitions());
  if (problem !== undefined) throw wrong(path, placed(problem, text, parsed.node));
  return map;
}

function wrong(path: string, problem: string): UsageError {
  return new UsageError(`--type-map ${path}: ${problem}`);
}

function placed({ pointer, message }: MapProblem, text: string, root: JsonNode): string {
  return `line ${lineAt(text, startOf(root, pointer))}, ${pointer === '' ? 'the whole map' : pointer}: ${message}`;
}

/** Where the value at a pointer begins; that of the last one on the way which is there. */
function startOf(root: JsonNode, pointer: string): number {
  let node = root;
  for (const name of namesInPointer(pointer)) {
    const next =
      node.kind === 'object'
        ? node.members.findLast(({ key }) => key === name)?.value
        : node.kind === 'array'
          ? node.items[Number(name)]
          : undefined;
    if (next === undefined) break;
    node = next;
  }
  return node.start;
}

function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length;
}
