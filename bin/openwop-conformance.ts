#!/usr/bin/env node
import { readFileSync } from 'node:fs';

const [first] = process.argv.slice(2);
if (first === '--version' || first === '-V') {
  const manifest = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  process.stdout.write(`${/"version": "(?<version>[^"]+)"/u.exec(manifest)?.groups?.['version'] ?? 'unknown'}\n`);
} else {
  const { main } = await import('../src/cli/main.ts');
  process.exitCode = await main(process.argv);
}
