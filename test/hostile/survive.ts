import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { startCli, withTemporaryDirectory } from '../cli.ts';
import { CREDENTIAL, type Behaviour } from './behaviour.ts';

/** How a run against a hostile host ended, and what it took. */
export interface Survival {
  readonly exitCode: number | null;
  /** The largest resident set of the process. */
  readonly memoryMiB: number;
  readonly evidenceMiB: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly evidence: string;
}

const MIB = 1024 * 1024;
/** Only against hangs: a run ends by itself. */
const HANGS_AFTER_MS = 150_000;

/** As it exits, the process writes down its own status: the peak that its parent would be told of includes the parent's. */
const TELL_MEMORY = `--import=data:text/javascript,${encodeURIComponent(
  [
    'import{existsSync,readFileSync,writeFileSync}from"node:fs"',
    'const status=()=>existsSync("/proc/self/status")?readFileSync("/proc/self/status"):`VmHWM: ${process.resourceUsage().maxRSS} kB`',
    'process.on("exit",()=>writeFileSync(process.env.MEMORY_FILE,status()))',
  ].join(';'),
)}`;

function peakMiB(status: string): number {
  return Number(/^VmHWM:\s*(\d+) kB$/mu.exec(status)?.[1]) / 1024;
}

const FLAGS = [
  '--seed',
  '1',
  '--vectors',
  '20',
  '--forks',
  '4',
  '--timeout',
  '1500',
  '--max-time',
  '2500',
  '--crash',
  'none',
];

/** Runs the built CLI against a hostile host, as a process of its own, with its evidence in a file. */
export async function survive(behaviour: Behaviour): Promise<Survival> {
  const host = await behaviour.start();
  try {
    return await withTemporaryDirectory(async (directory) => {
      const [file, memory] = [join(directory, 'evidence.ndjson'), join(directory, 'memory')];
      const args = ['--base-url', host.baseUrl, ...FLAGS, '--evidence', file, ...behaviour.flags];
      const env = { OPENWOP_API_KEY: CREDENTIAL, NODE_OPTIONS: TELL_MEMORY, MEMORY_FILE: memory };
      const cli = startCli(args, env);
      const hangs = setTimeout(() => cli.signal('SIGKILL'), HANGS_AFTER_MS);
      const { exitCode, stdout, stderr } = await cli.ended.finally(() => clearTimeout(hangs));
      const evidenceMiB = statSync(file).size / MIB;
      return {
        exitCode,
        memoryMiB: exitCode === null ? Number.NaN : peakMiB(readFileSync(memory, 'utf8')),
        evidenceMiB,
        stdout,
        stderr,
        evidence: evidenceMiB > 128 ? '' : readFileSync(file, 'utf8'),
      };
    });
  } finally {
    await host.close();
  }
}
