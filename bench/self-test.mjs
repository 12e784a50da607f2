import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { paired } from './measure.mjs';

const file = (path) => fileURLToPath(new URL(path, import.meta.url));

function run(...args) {
  const start = performance.now();
  const { status } = spawnSync(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] });
  if (status !== 0) throw new Error(`${args.join(' ')} ended with ${status}`);
  return performance.now() - start;
}

/** Wall time of a whole self-test process against one that only sends the same requests to the same hosts. */
export async function benchSelfTest() {
  const folder = mkdtempSync(join(tmpdir(), 'openwop-bench-'));
  const evidence = join(folder, 'evidence.ndjson');
  const cli = file('../dist/bin/openwop-conformance.cjs');
  try {
    run(cli, 'self-test', '--seed', '1', '--evidence', evidence);
    const { a, b, ratio } = await paired(
      7,
      () => run(cli, 'self-test', '--seed', '1'),
      () => run(file('./bare-self-test.mjs'), evidence),
    );
    return [
      {
        what: 'self-test / its requests bare',
        measured: `${a.toFixed(0)} ms / ${b.toFixed(0)} ms`,
        ratio,
        goal: '<= 1.5',
      },
    ];
  } finally {
    rmSync(folder, { recursive: true });
  }
}
