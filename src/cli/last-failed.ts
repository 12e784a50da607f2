import { UsageError } from '../contract/usage-error.ts';
import type { ScenarioFlags } from './options.ts';
import { readResult } from './read-result.ts';

/**
 * The flags with the scenarios that `--last-failed` names: those of the checks that failed, or ended in an error, in an earlier
 * run. Where nothing did there is nothing to run, which is a usage error.
 */
export async function withLastFailed<Flags extends ScenarioFlags>(flags: Flags): Promise<Flags> {
  const { lastFailed, scenario } = flags;
  if (lastFailed === undefined) return flags;
  if (scenario !== undefined)
    throw new UsageError('--last-failed and --scenario both name scenarios: give one of them');
  const { checks } = await readResult(lastFailed);
  const failed = checks.filter(({ verdict }) => verdict === 'fail' || verdict === 'error');
  if (failed.length === 0)
    throw new UsageError(`--last-failed ${lastFailed}: nothing failed there, so nothing is selected`);
  return { ...flags, scenario: [...new Set(failed.map((check) => check.scenario))] };
}
