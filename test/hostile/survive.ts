import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
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
  /** The reports of all formats, and what was said afterwards. */
  readonly written: readonly string[];
}

/** What is done when a run is over, while its host still answers: gives all that was said and written. */
export type Afterwards = (run: {
  readonly baseUrl: string;
  readonly evidence: string;
  readonly directory: string;
}) => Promise<readonly string[]>;

const MIB = 1024 * 1024;
/** Only against hangs: a run ends by itself. */
const HANGS_AFTER_MS = 600_000;

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

const FILES = ['json', 'junit', 'html', 'github', 'sarif', 'markdown', 'tap'];

/** The flags and the environment that give the credential. */
function credentialFor(
  { credential }: Behaviour,
  directory: string,
): [readonly string[], Readonly<Record<string, string>>] {
  if (credential === undefined) return [[], { OPENWOP_API_KEY: CREDENTIAL }];
  if (credential === 'argument') return [['--api-key', CREDENTIAL], {}];
  const file = join(directory, 'credential');
  writeFileSync(file, `${CREDENTIAL}\n`);
  return [['--api-key-file', file], {}];
}

/** Runs the built CLI against a hostile host, as a process of its own, with its evidence and a report of each format in files. */
export async function survive(behaviour: Behaviour, afterwards?: Afterwards): Promise<Survival> {
  const host = await behaviour.start();
  try {
    return await withTemporaryDirectory(async (directory) => {
      const [file, memory] = [join(directory, 'evidence.ndjson'), join(directory, 'memory')];
      const reports = FILES.map((format) => join(directory, format));
      const shown = behaviour.flags.includes('--reporter') ? [] : ['--reporter', 'terminal'];
      const reporters = FILES.flatMap((format, index) => ['--reporter', `${format}=${reports[index]}`]);
      const [flags, given] = credentialFor(behaviour, directory);
      const args = ['--base-url', host.baseUrl, ...FLAGS, '--evidence', file, ...behaviour.flags, ...flags];
      const env = { ...given, NODE_OPTIONS: TELL_MEMORY, MEMORY_FILE: memory };
      const cli = startCli([...args, ...shown, ...reporters], env);
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
        written: [
          ...reports.map((report) => (existsSync(report) ? readFileSync(report, 'utf8') : '')),
          ...((await afterwards?.({ baseUrl: host.baseUrl, evidence: file, directory })) ?? []),
        ],
      };
    });
  } finally {
    await host.close();
  }
}
