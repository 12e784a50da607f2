import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import { UsageError } from '../../contract/usage-error.ts';
import { faultsIn } from '../../contract/validate.ts';
import { Command, CommanderError } from '../commander.ts';
import { checkFiles, makeFolder, messageOf, type NamedFile } from '../files.ts';
import { addRunOptions, type RunFlags } from '../options.ts';
import { filesRead, prepareRun } from '../session.ts';
import { readTarget } from '../target.ts';
import { readTextFile } from '../text-file.ts';
import { withWitness } from '../witness.ts';

/** Options of `run` by their names. */
export type Options = Readonly<Record<string, string | number | boolean | readonly string[]>>;

/** The members of a target that name credentials and hosts, by the options of `run`. */
const CREDENTIALS = ['apiKeyEnv', 'tenantBKeyEnv', 'limitedKeyEnv', 'blindKeyEnv', 'apiKeyBEnv'] as const;

/** One target of a file (schemas/targets.schema.json). */
interface Entry extends Partial<Record<(typeof CREDENTIALS)[number] | 'baseUrlB', string>> {
  readonly name: string;
  readonly baseUrl: string;
  readonly options?: Options;
}

/** A host, and the words of a single run against it. */
export interface ListedTarget {
  readonly name: string;
  readonly baseUrl: string;
  /** Hosts that it shares with nobody while its run goes on. */
  readonly origins: readonly string[];
  readonly args: readonly string[];
  /** The environment variables that hold its credentials: no other run gets them. */
  readonly variables: readonly string[];
  /** Where its report for programs is written. */
  readonly report: string;
}

/** What the command line says to all hosts. */
export interface Given {
  readonly file: string;
  /** The folder of the reports. */
  readonly folder: string;
  /** Options of `run` by their names: what the file says of these does not count. */
  readonly options: Options;
  /** Files that are written beside each host's. */
  readonly outputs: readonly NamedFile[];
}

/** Bytes of a file of targets. */
const MOST_BYTES = 1_048_576;

/**
 * Reads a file of targets and checks each of them as its own run would: names, addresses, credentials, options and files. Makes the folder of the
 * reports. Throws UsageError, with the place in the file. Nothing is sent.
 */
export async function readTargets(given: Given): Promise<readonly ListedTarget[]> {
  const { file, folder, outputs } = given;
  const { targets, options } = parsed(file);
  const names = new Map<string, number>([['index', -1]]);
  // Hosts are compared: they get the same requests.
  const common = { seed: randomInt(2 ** 31 - 1), ...options };
  const inputs: NamedFile[] = [{ option: '--targets', path: file }];
  const written: NamedFile[] = [...outputs];
  const listed: ListedTarget[] = [];
  makeReports(folder);
  for (const [index, entry] of targets.entries()) {
    try {
      const before = names.get(entry.name.toLowerCase());
      if (before !== undefined)
        throw new UsageError(before < 0 ? "the name is the matrix's" : `the name is that of /targets/${before}`);
      names.set(entry.name.toLowerCase(), index);
      checkVariables(entry);
      const args = wordsOf(entry, { ...common, ...entry.options, ...given.options }, folder);
      const flags = parseWords(args);
      const target = readTarget(flags, '');
      await prepareRun(target, flags);
      // An address that nobody can be sent to is refused whether or not a scenario needs the witness.
      await withWitness(flags, [], () => Promise.resolve());
      const { baseUrl, baseUrlB } = target;
      inputs.push(...filesRead(flags));
      written.push(...filesOf(entry.name, folder).map((path) => ({ option: `the report of ${entry.name}`, path })));
      listed.push({
        name: entry.name,
        baseUrl,
        origins: [baseUrl, baseUrlB].flatMap((url) => (url === undefined ? [] : [new URL(url).origin])),
        args,
        variables: CREDENTIALS.flatMap((name) => entry[name] ?? []),
        report: join(folder, `${entry.name}.json`),
      });
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      throw new UsageError(`${file}: /targets/${index}: ${error.message}`, { cause: error });
    }
  }
  checkFiles(inputs, written);
  return listed;
}

function parsed(file: string): { readonly targets: readonly Entry[]; readonly options?: Options } {
  const text = readTextFile(file, MOST_BYTES, (problem) => new UsageError(`the targets ${file}: ${problem}`));
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // What JSON.parse says repeats the text, which somebody may have put a credential into.
    throw new UsageError(`the targets ${file}: hold no JSON`);
  }
  const [fault] = faultsIn('targets', value);
  if (fault === undefined) return value as { readonly targets: readonly Entry[]; readonly options?: Options };
  const isName = /\/(?:\w+Env)$/u.test(fault.pointer);
  const hint = isName ? ': it takes the name of an environment variable, never the credential' : '';
  throw new UsageError(`the targets ${file}: ${fault.pointer || 'the whole file'} ${fault.wrong}${hint}`);
}

/** What is no variable may be the credential itself: it is not repeated unless it looks like a variable's name. */
function checkVariables(entry: Entry): void {
  for (const member of CREDENTIALS) {
    const name = entry[member];
    if (name === undefined || (process.env[name] ?? '') !== '') continue;
    const shown = /^[A-Z][A-Z0-9_]*$/u.test(name) ? name : 'the environment variable that it names';
    throw new UsageError(`${member}: ${shown} is not set (it takes a variable's name, never the credential)`);
  }
}

function makeReports(folder: string): void {
  try {
    makeFolder(folder);
  } catch (error) {
    throw new UsageError(`--reports: ${messageOf(error)}`, { cause: error });
  }
}

function filesOf(name: string, folder: string): readonly [json: string, html: string, evidence: string] {
  return [join(folder, `${name}.json`), join(folder, `${name}.html`), join(folder, `${name}.ndjson`)];
}

/** The words of `run` that say all this. */
function wordsOf(entry: Entry, options: Options, folder: string): readonly string[] {
  const [json, html, evidence] = filesOf(entry.name, folder);
  const { baseUrl, baseUrlB } = entry;
  const hosts = { baseUrl, baseUrlB, ...Object.fromEntries(CREDENTIALS.map((name) => [name, entry[name]])) };
  return [
    ...Object.entries({ ...hosts, ...options }).flatMap(([name, value]) => wordsOfOption(name, value)),
    '--quiet',
    `--evidence=${evidence}`,
    `--reporter=html=${html}`,
    `--reporter=json=${json}`,
  ];
}

/** An option of `run` as it is written, by its name. */
export function optionOf(name: string): string {
  return `--${name.replace(/[A-Z]/gu, (letter) => `-${letter.toLowerCase()}`)}`;
}

function wordsOfOption(name: string, value: Options[string] | undefined): readonly string[] {
  const option = optionOf(name);
  if (typeof value === 'object') return value.map((each) => `${option}=${each}`);
  if (value === true) return [option];
  return value === undefined || value === false ? [] : [`${option}=${value}`];
}

/** Reads the words as the run itself will. */
function parseWords(args: readonly string[]): RunFlags {
  const command = addRunOptions(new Command('run')).exitOverride();
  command.configureOutput({ writeErr: () => undefined });
  try {
    return command.parse([...args], { from: 'user' }).opts<RunFlags>();
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    throw new UsageError(error.message, { cause: error });
  }
}
