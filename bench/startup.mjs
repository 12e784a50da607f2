import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { paired } from './measure.mjs';

const CLI = fileURLToPath(new URL('../dist/bin/openwop-conformance.cjs', import.meta.url));

function run(...args) {
  const start = performance.now();
  const { status } = spawnSync(process.execPath, args, { stdio: 'ignore' });
  if (status !== 0) throw new Error(`${args.join(' ')} ended with ${status}`);
  return performance.now() - start;
}

/** Cold start of the CLI against an empty Node process. */
export async function benchStartup() {
  const rows = [];
  for (const [flag, goal] of [
    ['--version', 1.1],
    ['--help', 1.35],
    ['list', 3],
  ]) {
    const { a, b, ratio } = await paired(
      15,
      () => run(CLI, flag),
      () => run('-e', '0'),
    );
    rows.push({
      what: `${flag} / node -e 0`,
      measured: `${a.toFixed(1)} ms / ${b.toFixed(1)} ms`,
      ratio,
      goal: `<= ${goal}`,
    });
  }
  return rows;
}
