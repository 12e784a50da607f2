#!/usr/bin/env node
// Built as CommonJS, which Node starts without its ES module loader, so that `--version` and `--help` cost next to nothing; and in words
// that every Node since 10 can read (build.mjs), so that an old one gets as far as the guard: nothing is loaded before it.
import { unsupportedNode } from './supported-node.ts';

function start(argv: readonly string[]): void {
  const problem = unsupportedNode(process.versions.node);
  if (problem !== undefined) {
    process.stderr.write(`openwop-conformance: ${problem}\n`);
    process.exitCode = 2;
  } else if (argv[2] === '--version' || argv[2] === '-V') {
    print(`${(JSON.parse(read('../../package.json')) as { version: string }).version}\n`);
  } else if (argv.length === 3 && (argv[2] === '--help' || argv[2] === '-h')) {
    // The build has asked the program itself.
    print(read('../help.txt'));
  } else {
    void run(argv);
  }
}

function read(file: string): string {
  return process.getBuiltinModule('node:fs').readFileSync(`${__dirname}/${file}`, 'utf8');
}

/** A reader that has read enough is no failure. */
function print(text: string): void {
  process.stdout.once('error', ({ code, message }: NodeJS.ErrnoException) => {
    if (code === 'EPIPE') return;
    process.stderr.write(`openwop-conformance: lost: standard output: ${message} (exit code 4)\n`);
    process.exitCode = 4;
  });
  process.stdout.write(text);
}

async function run(argv: readonly string[]): Promise<void> {
  const { guardProcess, main } = await import('../src/cli/main.ts');
  guardProcess();
  process.exitCode = await main(argv);
}

start(process.argv);
