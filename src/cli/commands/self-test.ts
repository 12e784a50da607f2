import type { RunFlags } from '../options.ts';
import { conductRun, selectedScenarios } from '../session.ts';
import { openSupervisedHosts } from '../supervised-hosts.ts';
import { withWitnessedHosts } from '../witnessed-hosts.ts';

/**
 * `self-test`: runs every suite against the bundled reference host, with a second instance as the second host, its
 * second tenant, the witness that it calls and processes of it that may be killed, so that no row is left out. Returns
 * the exit code of the verdict.
 */
export async function selfTest(flags: RunFlags): Promise<number> {
  return withWitnessedHosts({}, selectedScenarios(flags), (target, witness) =>
    conductRun(target, { ...flags, otel: true }, { witness, openCrashHosts: openSupervisedHosts }),
  );
}
