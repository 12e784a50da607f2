import { vi } from 'vitest';
import { main } from '../src/cli/main.ts';
import type { Ended } from './cli.ts';

const SIGNALS = ['SIGHUP', 'SIGINT', 'SIGTERM'] as const;

/**
 * Runs the command line inside this process, which takes a tenth of the time. What is about a process (that it ends, its streams,
 * its signals) and about what was built needs `runCli`.
 */
export async function runMain(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Pick<Ended, 'exitCode' | 'stdout' | 'stderr'>> {
  const written = { stdout: '', stderr: '' };
  const spies = (['stdout', 'stderr'] as const).map((name) =>
    vi.spyOn(process[name], 'write').mockImplementation((text) => {
      written[name] += String(text);
      return true;
    }),
  );
  const had = Object.keys(env).map((name) => [name, process.env[name]] as const);
  Object.assign(process.env, env);
  const watching = SIGNALS.map((signal) => [signal, process.listeners(signal)] as const);
  try {
    const exitCode = await main(['node', 'openwop-conformance', ...args]);
    return { exitCode, ...written };
  } finally {
    for (const spy of spies) spy.mockRestore();
    for (const [name, value] of had) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
    // It watches until its process ends, which this one does not.
    for (const [signal, before] of watching) {
      for (const added of process.listeners(signal).filter((each) => !before.includes(each))) {
        process.removeListener(signal, added);
      }
    }
  }
}
