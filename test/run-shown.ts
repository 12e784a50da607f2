import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { join } from 'node:path';
import { vi } from 'vitest';
import { createReferenceHost, defaultCredentials, defaultParts, listen } from '../reference-host/index.ts';
import { MUTANTS } from '../reference-host/mutants/index.ts';
import { withTemporaryDirectory } from './cli.ts';
import { runMain } from './run-main.ts';
import { packageFile } from '../src/contract/package-root.ts';
import { type Block, blocksOf, callsIn, shownIn, textOf } from './shown.ts';

/** The address of the host under test in every page. */
const SHOWN_HOST = 'http://127.0.0.1:8080';

interface Host {
  readonly baseUrl: string;
  readonly apiKey: string;
  close(): Promise<void>;
}

/**
 * A page as it would be if its consoles showed what is printed now: what differs from run to run (ids, ports, times) is left as it
 * stands, and so is … for lines that are left out.
 */
export async function asPrinted(page: string): Promise<string> {
  return withTemporaryDirectory(async (directory) => {
    const blocks = blocksOf(page);
    const files = blocks.flatMap(({ note, text }) => {
      const name = /^file: (?<name>\S+)$/u.exec(note)?.groups?.['name'];
      if (name !== undefined) writeFileSync(join(directory, name), text);
      return name ?? [];
    });
    const consoles = blocks.filter(({ language }) => language === 'console');
    let text = textOf(page);
    for (const block of consoles) {
      const printed = await consoleText(block, directory, files);
      text = text.replace(block.text, () => printed);
    }
    return text;
  });
}

async function consoleText(block: Block, directory: string, files: readonly string[]): Promise<string> {
  return withHost(block.note, directory, async (host) => {
    let text = '';
    for (const { command, output } of shownIn(block)) {
      const [args = []] = callsIn(command.replaceAll(/\\\n\s*/gu, ' '));
      const given = args.map((arg) =>
        files.includes(arg) ? join(directory, arg) : inPackage(arg.replace(SHOWN_HOST, host.baseUrl)),
      );
      const { stdout, stderr } = await runMain(given);
      const printed = `${stdout}${stderr}`.replaceAll(host.baseUrl, SHOWN_HOST);
      text += [`$ ${command}`, ...asShown(linesOf(printed), linesOf(output)), ''].join('\n');
    }
    return text;
  });
}

/** Lends the host that a note names, its key in the environment; without one the address of no host. */
export async function withHost<T>(note: string, directory: string, use: (host: Host) => Promise<T>): Promise<T> {
  const host = await startHost(note, directory);
  vi.stubEnv('OPENWOP_API_KEY', host.apiKey);
  try {
    return await use(host);
  } finally {
    vi.unstubAllEnvs();
    await host.close();
  }
}

function linesOf(text: string): readonly string[] {
  return text.replace(/\n+$/u, '').split('\n');
}

function inPackage(arg: string): string {
  return arg.startsWith('fixtures/') ? packageFile(arg) : arg;
}

/** Ids, ports, times and numbers of records differ from run to run. */
export function masked(line: string): string {
  return line
    .replaceAll(/\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b/gu, 'UUID')
    .replaceAll(/(?<=run_)[0-9A-Z]{26}/gu, 'ULID')
    .replaceAll(/(?<=127\.0\.0\.1:)\d+/gu, 'PORT')
    .replace(/· [\d.]+ s$/u, 'TIME')
    .replace(/^ +evidence: .*$/u, 'EVIDENCE')
    .replace(/^o\d+$/u, 'RECORD');
}

/** Where a page goes on behind what it leaves out: at this line, or at one that begins so, whatever its figures are. */
function resumption(lines: readonly string[], next: string): number {
  const [all, beginnings] = [masked, (line: string) => line.replaceAll(/\d+/gu, '0').slice(0, 12)].map((part) =>
    lines.findIndex((line) => part(line) === part(next)),
  );
  return all === undefined || all === -1 ? (beginnings ?? -1) : all;
}

/** What was printed, as far as the page shows it: what it leaves out (…) goes as far as the next line that it shows. */
function asShown(printed: readonly string[], shown: readonly string[]): readonly string[] {
  const left = [...printed];
  const lines: string[] = [];
  for (const [index, line] of shown.entries()) {
    if (line === '…') {
      const next = shown[index + 1];
      const place = next === undefined ? left.length : resumption(left, next);
      left.splice(0, Math.max(place, 0));
      lines.push(line);
    } else if (left.length > 0) {
      const actual = left.shift() ?? '';
      lines.push(masked(actual) === masked(line) ? line : actual);
    }
  }
  return [...lines, ...left];
}

async function startHost(note: string, directory: string): Promise<Host> {
  const [, program = ''] = /^host: (.*)$/u.exec(note) ?? [];
  if (program === '') return { baseUrl: SHOWN_HOST, apiKey: '', close: async () => undefined };
  const [, file] = /^python3 (\S+)$/u.exec(program) ?? [];
  return file === undefined ? startMutant(program) : startPython(join(directory, file));
}

async function startMutant(id: string): Promise<Host> {
  const mutant = MUTANTS.find((each) => each.id === id);
  if (mutant === undefined) throw new Error(`${id} is no mutant`);
  const { apiKey, credentials } = defaultCredentials();
  const host = createReferenceHost({ credentials, enableTestSeams: true, parts: mutant.parts(defaultParts) });
  const server = await listen(host);
  return {
    baseUrl: server.baseUrl,
    apiKey,
    close: async () => {
      await server.close();
      await host.close();
    },
  };
}

async function startPython(file: string): Promise<Host> {
  const child = spawn('python3', ['-B', file, '0'], { stdio: ['ignore', 'pipe', 'ignore'] });
  const ended = new Promise<void>((resolve, reject) => {
    child.once('error', reject).once('close', () => resolve());
  });
  const baseUrl = await Promise.race([
    new Promise<string>((resolve) => {
      createInterface(child.stdout).once('line', resolve);
    }),
    ended.then(() => {
      throw new Error(`${file} ended before it listened`);
    }),
  ]);
  return {
    baseUrl,
    apiKey: 'my-test-key',
    close: async () => {
      child.kill();
      await ended;
    },
  };
}
