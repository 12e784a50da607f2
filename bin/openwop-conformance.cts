#!/usr/bin/env node
// CommonJS on purpose: Node starts it without its ES module loader, so that `--version` costs next to nothing.
async function start(): Promise<void> {
  const { main } = await import('../src/cli/main.ts');
  process.exitCode = await main(process.argv);
}

const [first] = process.argv.slice(2);
if (first === '--version' || first === '-V') {
  const { readFileSync } = process.getBuiltinModule('node:fs');
  const manifest = readFileSync(`${__dirname}/../../package.json`, 'utf8');
  process.stdout.write(`${/"version": "(?<version>[^"]+)"/u.exec(manifest)?.groups?.['version'] ?? 'unknown'}\n`);
} else {
  void start();
}
