import { defaultParts } from '../../reference-host/index.ts';
import type { Mutant } from '../../reference-host/mutants/mutant.ts';
import { withoutCrashes, type Scenario, type Suite } from '../runner/scenario.ts';
import type { LaneJob } from './jobs.ts';
import { openKillLanes } from './matrix.ts';
import { pairsOf, withBoth, type Pair } from './pairs.ts';
import { SEED } from './order.ts';

/**
 * The pairs that can be met: both defects fit into one host, neither is waited for by the clock, and the second one shows
 * without killing hosts.
 */
export function meetablePairs(mutants: readonly Mutant[], suites: readonly Suite[]): readonly Pair[] {
  const met = new Set(scenariosOf(suites).flatMap(({ checks }) => checks.map(({ id }) => id)));
  return pairsOf(mutants, suites, SEED).filter((pair) => {
    const { foundation, other } = pair;
    if (foundation.waits === true || other.waits === true) return false;
    return other.kills.some((check) => met.has(check)) && withBoth(pair, defaultParts) !== undefined;
  });
}

function scenariosOf(suites: readonly Suite[]): readonly Scenario[] {
  return withoutCrashes(suites).flatMap(({ scenarios }) => scenarios);
}

/** Runs hosts with two defects, in threads; `onPair` gets each with what is wrong about its verdicts. */
export async function runPairs(
  pairs: readonly Pair[],
  suites: readonly Suite[],
  onPair: (pair: readonly [string, string], problems: readonly string[]) => void,
): Promise<void> {
  const scenarios = scenariosOf(suites).map(({ id }) => id);
  const jobs = pairs.map(({ foundation, other }) => ({ scenarios, pair: [foundation.id, other.id] as const }));
  const lanes = openKillLanes();
  try {
    await lanes.run(jobs, {
      onAnswer: (problems, job: LaneJob) => {
        if ('pair' in job) onPair(job.pair, problems);
      },
    });
  } finally {
    await lanes.close();
  }
}
