import { Worker } from 'node:worker_threads';
import type { Mutant } from '../../../reference-host/mutants/mutant.ts';
import type { Suite } from '../../runner/scenario.ts';
import type { LaneJob } from './jobs.ts';
import { type Lanes, openLanes } from './lanes.ts';

/** One row of the kill matrix. */
export interface MutantRow {
  readonly id: string;
  readonly breaks: string;
  /** The named checks that it turned red. */
  readonly killedBy: readonly string[];
  /** Other checks that it turned red. */
  readonly collateral: readonly string[];
}

export interface KillMatrix {
  readonly mutants: readonly MutantRow[];
  readonly checksWithoutKiller: readonly string[];
  readonly ms: number;
}

/** More than there are processors: where a host has to wait for a lease, another one works. */
const LANES = 4;

/** Watching all scenarios costs more than one run of all of them: fewer mutants than this are run against everything. */
const WATCHED_FROM = 4;

/**
 * Runs each mutant against the scenarios that name it and those in which it makes a difference, in threads that load the
 * compiled program. `onRow` gets the rows in order as they come. Rejects when a thread fails.
 */
export async function runKillMatrix(
  suites: readonly Suite[],
  mutants: readonly Mutant[],
  onRow: (row: MutantRow) => void,
): Promise<KillMatrix> {
  const start = performance.now();
  const rows: MutantRow[] = [];
  const byId = new Map(mutants.map((mutant) => [mutant.id, mutant]));
  const lanes = openLanes<LaneJob, readonly string[]>(LANES, () => new Worker(new URL('./lane.js', import.meta.url)));
  try {
    const reaching = mutants.length < WATCHED_FROM ? undefined : await watchScenarios(suites, lanes);
    const jobs = mutants.map((mutant) => ({ mutant: mutant.id, scenarios: reached(mutant, suites, reaching) }));
    await lanes.run(jobs, (red, { mutant = '' }) => {
      const { kills = [], breaks = '' } = byId.get(mutant) ?? {};
      const row = {
        id: mutant,
        breaks,
        killedBy: red.filter((id) => kills.includes(id)),
        collateral: red.filter((id) => !kills.includes(id)),
      };
      rows.push(row);
      onRow(row);
    });
  } finally {
    await lanes.close();
  }
  const killed = new Set(rows.flatMap((row) => row.killedBy));
  return {
    mutants: rows,
    checksWithoutKiller: [...checkSuites(suites).keys()].filter((id) => !killed.has(id)),
    ms: Math.round(performance.now() - start),
  };
}

/** The mutants that make a difference in each scenario, its planning included. */
async function watchScenarios(
  suites: readonly Suite[],
  lanes: Lanes<LaneJob, readonly string[]>,
): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const reaching = new Map<string, ReadonlySet<string>>();
  const jobs = suites.flatMap((suite) => suite.scenarios).map(({ id }) => ({ scenarios: [id] }));
  await lanes.run(jobs, (ids, { scenarios: [scenario = ''] }) => reaching.set(scenario, new Set(ids)));
  return reaching;
}

function reached(
  mutant: Mutant,
  suites: readonly Suite[],
  reaching: ReadonlyMap<string, ReadonlySet<string>> | undefined,
): readonly string[] {
  return suites
    .flatMap((suite) => suite.scenarios)
    .filter(({ id, checks }) => {
      const named = checks.some((check) => mutant.kills.includes(check.id));
      return named || reaching === undefined || reaching.get(id)?.has(mutant.id) === true;
    })
    .map(({ id }) => id);
}

/** What keeps the matrix from being complete: a named check that stayed green, another suite turned red, no killer. */
export function matrixProblems(matrix: KillMatrix, mutants: readonly Mutant[], suites: readonly Suite[]): string[] {
  const suiteOf = checkSuites(suites);
  return [
    ...matrix.mutants.flatMap((row) => {
      const kills = mutants.find((mutant) => mutant.id === row.id)?.kills ?? [];
      const own = new Set(kills.map((id) => suiteOf.get(id)));
      return [
        ...kills.filter((id) => suiteOf.has(id) && !row.killedBy.includes(id)).map((id) => `${row.id} survives ${id}`),
        ...row.collateral
          .filter((id) => !own.has(suiteOf.get(id)))
          .map((id) => `${row.id} turns ${id} red, a check of another suite`),
      ];
    }),
    ...matrix.checksWithoutKiller.map((id) => `no mutant kills ${id}`),
  ];
}

function checkSuites(suites: readonly Suite[]): ReadonlyMap<string, string> {
  return new Map(
    suites.flatMap((suite) =>
      suite.scenarios.flatMap((scenario) => scenario.checks.map((check) => [check.id, suite.id] as const)),
    ),
  );
}
