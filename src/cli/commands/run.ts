import { withLastFailed } from '../last-failed.ts';
import type { RunFlags } from '../options.ts';
import { conductRun } from '../session.ts';
import { readTarget } from '../target.ts';

/** `openwop-conformance --base-url <url>`: tests a host and returns the exit code of the verdict. */
export async function run(flags: RunFlags): Promise<number> {
  return conductRun(readTarget(flags), await withLastFailed(flags));
}
