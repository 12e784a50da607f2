import { hasSqlite, SQLITE_HINT } from '../../../reference-host/index.ts';
import { killsHosts } from '../../runner/scenario.ts';
import { withLastFailed } from '../last-failed.ts';
import type { RunFlags } from '../options.ts';
import { printError } from '../printer.ts';
import { conductRun, type Lent, selectedScenarios } from '../session.ts';
import { openSupervisedHosts } from '../supervised-hosts.ts';
import { withWitnessedHosts } from '../../kill-matrix/witnessed-hosts.ts';

/**
 * `self-test`: runs every suite against the bundled reference host, with a second instance as the second host, its
 * second tenant, the witness that it calls and processes of it that may be killed, so that no row is left out; where
 * there is no SQLite driver, the rows that kill hosts are, and a line says so. Returns the exit code of the verdict.
 */
export async function selfTest(given: RunFlags, onReport?: Lent['onReport']): Promise<number> {
  const flags = await withLastFailed(given);
  const scenarios = selectedScenarios(flags);
  const crash = hasSqlite() ? flags.crash : 'none';
  if (crash !== flags.crash && scenarios.some(killsHosts)) {
    printError(`no host is killed, which takes data files: ${SQLITE_HINT}\n`);
  }
  return withWitnessedHosts({}, scenarios, (target, witness) =>
    conductRun(
      target,
      { ...flags, crash, otel: true },
      {
        witness,
        command: 'self-test',
        openCrashHosts: openSupervisedHosts,
        ...(onReport === undefined ? {} : { onReport }),
      },
    ),
  );
}
