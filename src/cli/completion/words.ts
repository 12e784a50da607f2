import type { Command, Option } from '../commander.ts';
import { REPORTERS } from '../../report/index.ts';
import { NAMES } from '../names.ts';

/** Lists that several places of the command line take. */
const LISTS = {
  suites: NAMES.suites,
  checks: [...new Set(NAMES.checks)],
  requirements: NAMES.requirements,
  mutants: NAMES.mutants,
  judged: [...new Set([...NAMES.suites, ...NAMES.requirements])],
  selected: [...new Set([...NAMES.suites, ...NAMES.requirements, ...NAMES.checks])],
  explained: [...new Set([...NAMES.requirements, ...NAMES.checks, ...NAMES.diagnoses, ...NAMES.mutants])],
  reporters: [...REPORTERS.keys()],
  comparisons: ['terminal', 'json', 'markdown', 'html'],
} as const satisfies Record<string, readonly string[]>;

/** What can stand in a place: one of these words, a file, a folder, or what nobody can guess. */
export type Values = { readonly list: string; readonly words: readonly string[] } | 'file' | 'folder' | 'free';

/** Values that the definitions of options do not name, by the option or by the command and the option. */
const OF_OPTIONS: Readonly<Record<string, keyof typeof LISTS>> = {
  '--suite': 'suites',
  '--scenario': 'checks',
  '--requirement': 'requirements',
  '--exclude': 'selected',
  '--require': 'judged',
  '--reporter': 'reporters',
  'compare --reporter': 'comparisons',
};

/** Arguments that are names: by the command and the argument's own name. All others are files. */
const OF_ARGUMENTS: Readonly<Record<string, keyof typeof LISTS>> = {
  'explain id': 'explained',
  'mutants ids': 'mutants',
  'replay-check check': 'checks',
};

/** An option as it can be completed. */
export interface CompletedOption {
  readonly names: readonly string[];
  readonly description: string;
  /** Absent where it takes none. */
  readonly values?: Values;
  readonly repeats: boolean;
}

/** A command as it can be completed; `path` is empty for the program itself. */
export interface CompletedCommand {
  readonly path: string;
  /** The last word of its path. */
  readonly name: string;
  readonly description: string;
  readonly options: readonly CompletedOption[];
  readonly positions: readonly { readonly name: string; readonly values: Values; readonly repeats: boolean }[];
  readonly commands: readonly CompletedCommand[];
}

const HELP: CompletedOption = { names: ['-h', '--help'], description: 'display help for command', repeats: false };

/** What can be completed behind a command, read from its definition. */
export function completed(command: Command, path = ''): CompletedCommand {
  return {
    path,
    name: command.name(),
    description: command.description(),
    options: [...command.options.map((option) => completedOption(path, option)), HELP],
    positions: command.registeredArguments
      // A word that is no command, which is only there to be refused.
      .filter(() => path !== '')
      .map((argument) => ({
        name: argument.name(),
        values: ofArgument(`${path} ${argument.name()}`, argument.argChoices),
        repeats: argument.variadic,
      })),
    commands: command.commands.map((each) => completed(each, `${path} ${each.name()}`.trim())),
  };
}

function completedOption(path: string, option: Option): CompletedOption {
  const { short, long = '', flags, description, argChoices } = option;
  const names = [short, long].filter((name) => name !== undefined);
  const takes = option.required || option.optional;
  const values = takes ? { values: ofOption(path, long, flags, argChoices) } : {};
  return { names, description, repeats: description.includes('repeatable'), ...values };
}

function ofOption(path: string, long: string, flags: string, choices: readonly string[] | undefined): Values {
  if (choices !== undefined) return { list: long.slice(2), words: choices };
  const list = OF_OPTIONS[`${path} ${long}`] ?? OF_OPTIONS[long];
  if (list !== undefined) return { list, words: LISTS[list] };
  if (/<dir>/u.test(flags)) return 'folder';
  return /file|path/u.test(flags) ? 'file' : 'free';
}

function ofArgument(place: string, choices: readonly string[] | undefined): Values {
  if (choices !== undefined) return { list: place.replaceAll(/\W/gu, '_'), words: choices };
  const list = OF_ARGUMENTS[place];
  if (list !== undefined) return { list, words: LISTS[list] };
  return place.endsWith(' dir') ? 'folder' : 'file';
}

/** A command and all below it. */
export function withAll(command: CompletedCommand): readonly CompletedCommand[] {
  return [command, ...command.commands.flatMap(withAll)];
}

/** The lists that places of a command, or of one below it, take: by name. */
export function listsOf(program: CompletedCommand): ReadonlyMap<string, readonly string[]> {
  const places = withAll(program).flatMap(({ options, positions }) => [...options, ...positions]);
  return new Map(places.flatMap(({ values }) => (typeof values === 'object' ? [[values.list, values.words]] : [])));
}
