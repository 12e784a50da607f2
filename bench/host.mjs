import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const CLI = fileURLToPath(new URL('../dist/bin/openwop-conformance.cjs', import.meta.url));

/** Starts the reference host in a process of its own; `stop` ends it. */
export async function startHost() {
  const child = spawn(process.execPath, [CLI, 'serve', '--enable-test-seams', '--json'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  for await (const line of createInterface({ input: child.stdout })) {
    const stop = () =>
      new Promise((resolve) => {
        child.once('exit', resolve);
        child.kill('SIGTERM');
      });
    return { ...JSON.parse(line), stop };
  }
  throw new Error('the reference host ended before it was ready');
}
