import type { RunFlags } from '../options.ts';
import { withReferenceHosts } from '../reference-host.ts';
import { conductRun } from '../session.ts';

/**
 * `self-test`: runs every suite against the bundled reference host, with a second instance as the second host and its
 * second tenant, so that no row is left out. Returns the exit code of the verdict.
 */
export async function selfTest(flags: RunFlags): Promise<number> {
  const report = await withReferenceHosts({}, (target) => conductRun(target, flags));
  return report.exitCode;
}
