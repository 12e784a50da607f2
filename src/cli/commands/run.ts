import { UsageError } from '../../contract/usage-error.ts';
import { withLastFailed } from '../last-failed.ts';
import type { RunFlags, TargetsFlags } from '../options.ts';
import { conductRun } from '../session.ts';
import { readTarget } from '../target.ts';

/** `openwop-conformance --base-url <url>`: tests a host and returns the exit code of the verdict. */
export async function run(flags: RunFlags): Promise<number> {
  return conductRun(readTarget(flags), await withLastFailed(flags));
}

/** `run`: tests a host, or those of `--targets`; `named` are the options that the command line gives. */
export async function runOneOrMany(flags: TargetsFlags, named: readonly string[]): Promise<number> {
  const { targets, reports, jobs } = flags;
  if (targets !== undefined) return (await import('../targets/run-targets.ts')).runTargets(targets, flags, named);
  if (reports !== undefined || jobs !== undefined) {
    throw new UsageError(`${reports === undefined ? '--jobs' : '--reports'} is for many hosts: give --targets`);
  }
  return run(flags);
}
