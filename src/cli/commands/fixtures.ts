import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type Definition, nodesOf, shippedDefinitions } from '../../contract/definitions.ts';
import { listed } from '../../contract/listed.ts';
import { mapDefinition, namesWitness, type TypeMap } from '../../contract/type-map.ts';
import { UsageError } from '../../contract/usage-error.ts';
import { checkFiles, makeFolder, messageOf } from '../files.ts';
import { keepWhole } from '../kept.ts';
import { print } from '../printer.ts';
import { readTypeMap } from '../type-map-file.ts';

export interface ExportFlags {
  readonly typeMap?: string;
  readonly witnessUrl?: string;
  readonly force?: true;
}

/** How many files are named where several are refused. */
const NAMED = 3;

/**
 * `fixtures export`: writes every definition that ships into a folder, one file each, in the host's own node kinds where
 * a map says what these are. A file that holds something else stays, and then nothing is written, unless `--force` is
 * given. Returns 0. Throws LostError for one that could not be kept.
 */
export function exportFixtures(folder: string, flags: ExportFlags): number {
  const map = flags.typeMap === undefined ? {} : readTypeMap(flags.typeMap);
  if (namesWitness(map) && flags.witnessUrl === undefined) {
    throw new UsageError(
      '--type-map names $(witnessUrl): say with --witness-url where the host will reach the witness',
    );
  }
  const definitions = shippedDefinitions();
  const files = definitions.map((definition) => {
    const text = `${JSON.stringify(mapDefinition(definition, map, { witnessUrl: flags.witnessUrl }), null, 2)}\n`;
    const path = join(folder, `${definition.id}.json`);
    return { path, text, state: stateOf(path, text) };
  });
  const differing = files.filter(({ state }) => state === 'differs').map(({ path }) => path);
  if (differing.length > 0 && flags.force !== true) {
    throw new UsageError(
      `${listed(differing, NAMED)}: another text stands there already; nothing was written (--force does)`,
    );
  }
  const written = files.filter(({ state }) => state !== 'same');
  try {
    makeFolder(folder);
  } catch (error) {
    throw new UsageError(`cannot write into ${folder}: ${messageOf(error)}`, { cause: error });
  }
  checkFiles(
    [],
    written.map(({ path }) => ({ option: 'fixtures export', path })),
  );
  for (const { path, text } of written) keepWhole('a definition', path, text);
  const same = files.length - written.length;
  const notes = [
    `${folder}: ${written.length} of ${files.length} definitions written`,
    ...(differing.length === 0 ? [] : [`${differing.length} of them over another text`]),
    ...(same === 0 ? [] : [`${same} stood there already`]),
  ];
  print(`${notes.join(', ')}\n${mappedLine(definitions, map)}`);
  return 0;
}

function stateOf(path: string, text: string): 'absent' | 'same' | 'differs' {
  try {
    const found = statSync(path, { throwIfNoEntry: false });
    if (found === undefined) return 'absent';
    if (!found.isFile()) throw new UsageError(`${path} is no file`);
    return readFileSync(path, 'utf8') === text ? 'same' : 'differs';
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(messageOf(error), { cause: error });
  }
}

/** What the map changed, and which kinds the host has to have under our names. */
function mappedLine(definitions: readonly Definition[], map: TypeMap): string {
  const nodes = definitions.flatMap(nodesOf);
  const isMapped = (typeId: string): boolean => Object.hasOwn(map, typeId);
  const left = [...new Set(nodes.map(({ typeId }) => typeId))].filter((typeId) => !isMapped(typeId)).toSorted();
  const mapped = nodes.filter(({ typeId }) => isMapped(typeId)).length;
  return `${mapped} of ${nodes.length} nodes mapped; node kinds left as they are: ${left.join(', ') || 'none'}\n`;
}
