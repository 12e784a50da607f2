import { Worker } from 'node:worker_threads';
import type { Mutant } from '../../../reference-host/mutants/mutant.ts';
import type { Suite } from '../../runner/scenario.ts';
import type { LaneJob } from './jobs.ts';
import { type Lanes, openLanes } from './lanes.ts';
import { OPTIONS } from './run-mutant.ts';

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

/** The mutants and the scenarios that they are to meet. */
export interface MatrixRun {
  readonly suites: readonly Suite[];
  readonly mutants: readonly Mutant[];
  /** Whether the conformant host is run however few mutants there are. */
  readonly conformantToo?: boolean;
}

/** More than there are processors: where a host has to wait for a lease, another one works. */
const LANES = 4;

/** Watching all scenarios costs as much as a few runs of all of them: fewer mutants are run against everything. */
const WATCHED_FROM = 3;

/**
 * Runs each mutant against the scenarios that name it and those in which it makes a difference, in threads that load the
 * compiled program. `onRow` gets the rows in order as they come. Rejects when a thread fails.
 */
export async function runKillMatrix(
  { suites, mutants, conformantToo = false }: MatrixRun,
  onRow: (row: MutantRow) => void,
): Promise<readonly MutantRow[]> {
  const rows: MutantRow[] = [];
  const byId = new Map(mutants.map((mutant) => [mutant.id, mutant]));
  const lanes = openLanes<LaneJob, readonly string[]>(LANES, () => new Worker(new URL('./lane.js', import.meta.url)));
  try {
    const isWatched = conformantToo || mutants.length >= WATCHED_FROM;
    const reaching = isWatched ? await watchScenarios(suites, mutants, lanes) : undefined;
    const jobs = mutants.map((mutant) => ({ mutant: mutant.id, scenarios: reached(mutant, suites, reaching) }));
    const onAnswer = (red: readonly string[], job: LaneJob): void => {
      const id = 'mutant' in job ? job.mutant : '';
      const { kills = [], breaks = '' } = byId.get(id) ?? {};
      const row = {
        id,
        breaks,
        killedBy: red.filter((check) => kills.includes(check)),
        collateral: red.filter((check) => !kills.includes(check)),
      };
      rows.push(row);
      onRow(row);
    };
    // What may take long begins early, so that no lane is left with it at the end.
    const patience = patienceOf(suites);
    const weight = ({ scenarios }: LaneJob): number =>
      scenarios.length + Math.max(0, ...scenarios.map((id) => patience.get(id) ?? 0));
    await lanes.run(jobs, onAnswer, weight);
  } finally {
    await lanes.close();
  }
  return rows;
}

/** The mutants that make a difference in each scenario, its planning included. */
async function watchScenarios(
  suites: readonly Suite[],
  mutants: readonly Mutant[],
  lanes: Lanes<LaneJob, readonly string[]>,
): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const reaching = new Map<string, ReadonlySet<string>>();
  const beside = mutants.map(({ id }) => id);
  const jobs = suites.flatMap((suite) => suite.scenarios).map(({ id }) => ({ scenarios: [id], beside }));
  await lanes.run(jobs, (ids, { scenarios: [scenario = ''] }) => reaching.set(scenario, new Set(ids)));
  return reaching;
}

/** How many times the time-out of one answer a scenario may take, by its id. */
function patienceOf(suites: readonly Suite[]): ReadonlyMap<string, number> {
  const scenarios = suites.flatMap((suite) => suite.scenarios);
  return new Map(scenarios.map(({ id, patience }) => [id, patience?.(OPTIONS) ?? 0]));
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

/** What must not be: a named check that stayed green, a check of another suite that turned red. */
export function rowProblems(rows: readonly MutantRow[], { mutants, suites }: MatrixRun): readonly string[] {
  const suiteOf = checkSuites(suites);
  return rows.flatMap((row) => {
    const kills = mutants.find((mutant) => mutant.id === row.id)?.kills ?? [];
    const own = new Set(kills.map((id) => suiteOf.get(id)));
    return [
      ...kills.filter((id) => suiteOf.has(id) && !row.killedBy.includes(id)).map((id) => `${row.id} survives ${id}`),
      ...row.collateral
        .filter((id) => !own.has(suiteOf.get(id)))
        .map((id) => `${row.id} turns ${id} red, a check of another suite`),
    ];
  });
}

function checkSuites(suites: readonly Suite[]): ReadonlyMap<string, string> {
  return new Map(
    suites.flatMap((suite) =>
      suite.scenarios.flatMap((scenario) => scenario.checks.map((check) => [check.id, suite.id] as const)),
    ),
  );
}
