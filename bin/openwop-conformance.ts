#!/usr/bin/env node
// Built as CommonJS, which Node starts without its ES module loader, so that `--version` costs next to nothing; and in words
// that every Node since 10 can read (build.mjs), so that an old one gets as far as the guard: nothing is loaded before it.
import { unsupportedNode } from './supported-node.ts';

function start(argv: readonly string[]): void {
  const problem = unsupportedNode(process.versions.node);
  if (problem !== undefined) {
    process.stderr.write(`openwop-conformance: ${problem}\n`);
    process.exitCode = 2;
  } else if (argv[2] === '--version' || argv[2] === '-V') {
    const { readFileSync } = process.getBuiltinModule('node:fs');
    const manifest: unknown = JSON.parse(readFileSync(`${__dirname}/../../package.json`, 'utf8'));
    process.stdout.write(`${(manifest as { version: string }).version}\n`);
  } else {
    void run(argv);
  }
}

async function run(argv: readonly string[]): Promise<void> {
  const { guardProcess, main } = await import('../src/cli/main.ts');
  guardProcess();
  process.exitCode = await main(argv);
}

start(process.argv);
