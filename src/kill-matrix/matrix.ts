import { availableParallelism } from 'node:os';
import { setFlagsFromString } from 'node:v8';
import { Worker } from 'node:worker_threads';
import type { Mutant } from '../../reference-host/mutants/mutant.ts';
import { killsHosts, type Scenario, type Suite } from '../runner/scenario.ts';
import { SUITES } from '../../scenarios/index.ts';
import { shareTemporaryDirectories } from './temporary-directory.ts';
import { inOrder, shuffled } from './order.ts';
import type { LaneJob } from './jobs.ts';
import { type Lanes, openLanes } from './lanes.ts';
import { OPTIONS } from './run-mutant.ts';

/** One row of the kill matrix. */
export interface MutantRow {
  readonly id: string;
  readonly breaks: string;
  /** The named checks that it turned red. */
  readonly killedBy: readonly string[];
  /** Checks that it turned red as well, as its table says with a reason. */
  readonly alsoBroken: readonly string[];
  /** Checks that it turned red and that its table does not name. */
  readonly stray: readonly string[];
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
  /** Whether the hosts have the public workflows and seams alone. */
  readonly bare?: boolean;
  /** How many of the scenarios that it does not name each mutant meets at most, unless something is wrong then; all that it reaches where nothing is given. */
  readonly others?: number;
}

/** The threads that mutants are run in. */
export type KillLanes = Lanes<LaneJob, readonly string[]>;

/** The mutants that make a difference in each scenario, its planning included. */
export type Reaching = ReadonlyMap<string, ReadonlySet<string>>;

/** As many as there are processors, as far as memory goes: each compiles the program anew. */
const LANES = Math.min(4, availableParallelism());

/** Room for what lives briefly, in megabytes: with the usual 48, a lane copies what is soon forgotten for a tenth of its time. */
const YOUNG_MB = 288;

/** Watching all scenarios costs as much as a few runs of all of them: fewer mutants are run against everything. */
const WATCHED_FROM = 3;

/** Who is called as a matrix grows. */
export interface MatrixReader {
  /** Gets the rows in the order of the mutants, each when those before it are there. */
  readonly onRow: (row: MutantRow) => void;
  /** Gets each row as soon as it is there, in whatever order. */
  readonly onRun: (row: MutantRow) => void;
}

/**
 * Runs each mutant against the scenarios that name it and those in which it makes a difference, in threads that load the
 * compiled program. Rejects when a thread fails.
 */
export async function runKillMatrix(run: MatrixRun, reader: MatrixReader): Promise<readonly MutantRow[]> {
  const { suites, conformantToo = false } = run;
  if (suites.some(({ scenarios }) => scenarios.some(killsHosts))) shareTemporaryDirectories();
  const lanes = openKillLanes();
  const watch = async (of: readonly Mutant[]): Promise<Reaching | undefined> =>
    conformantToo || of.length >= WATCHED_FROM ? watchScenarios(lanes, { ...run, mutants: of }) : undefined;
  try {
    return await killOn(lanes, run, { ...reader, watch });
  } finally {
    await lanes.close();
  }
}

/** Finds what some mutants reach; nothing where they are run against everything. */
type Watch = (of: readonly Mutant[]) => Promise<Reaching | undefined>;

/** How many scenarios that it does not name a mutant meets at least, where those that it names show something wrong. */
const FEW = 3;

/** Runs each mutant; what it reaches is watched before, unless those that it names are all that it has to meet. */
export async function killOn(
  lanes: KillLanes,
  { suites, mutants, bare = false, others }: MatrixRun,
  { onRow, onRun, watch }: MatrixReader & { readonly watch: Watch },
): Promise<readonly MutantRow[]> {
  const rows: MutantRow[] = [];
  const byId = new Map(mutants.map((mutant) => [mutant.id, mutant]));
  const mutantOf = (job: LaneJob): Mutant | undefined => ('mutant' in job ? byId.get(job.mutant) : undefined);
  const handOn = inOrder<MutantRow>([...byId.keys()], (row) => {
    rows.push(row);
    onRow(row);
  });
  let reaching: Reaching | undefined;
  const meet = async (of: readonly Mutant[], most: number | undefined): Promise<readonly Mutant[]> => {
    if (most !== 0) reaching ??= await watch(of);
    const doubtful: Mutant[] = [];
    const jobs = of.map((mutant) => ({ mutant: mutant.id, scenarios: met(mutant, suites, { reaching, most }), bare }));
    const onAnswer = (red: readonly string[], job: LaneJob): void => {
      const mutant = mutantOf(job);
      if (mutant === undefined) return;
      const row = rowOf(mutant, red);
      const isDoubtful = most !== undefined && rowProblems([row], { suites, mutants: [mutant] }).length > 0;
      if (isDoubtful) return void doubtful.push(mutant);
      onRun(row);
      handOn(row);
    };
    await lanes.run(jobs, { onAnswer, weight: weightIn(suites), waits: (job) => mutantOf(job)?.waits === true });
    return doubtful;
  };
  // What a red check rests on, or fails by, may stand in a scenario that a sample left out.
  const samples = others === undefined ? [] : [others, FEW].filter((most) => most >= others);
  let left = mutants;
  for (const most of [...new Set(samples), undefined]) left = await meet(left, most);
  return rows;
}

/**
 * How a lane compiles: at once, simply, and never anew. Each mutant calls what the one before it did not, so that most of what
 * is optimised is soon thrown away: that, and collecting garbage in several threads, takes a third of all the time.
 */
const COMPILING = ['--always-sparkplug', '--no-opt', '--no-parallel-scavenge'];

/** Threads that load the compiled program; `close` ends them. */
export function openKillLanes(): KillLanes {
  for (const flag of COMPILING) setFlagsFromString(flag);
  const resourceLimits = { maxYoungGenerationSizeMb: YOUNG_MB };
  return openLanes(LANES, () => new Worker(new URL('./lane.js', import.meta.url), { resourceLimits }));
}

function rowOf({ id, breaks, kills, alsoBreaks = {} }: Mutant, red: readonly string[]): MutantRow {
  const others = red.filter((check) => !kills.includes(check));
  return {
    id,
    breaks,
    killedBy: red.filter((check) => kills.includes(check)),
    alsoBroken: others.filter((check) => check in alsoBreaks),
    stray: others.filter((check) => !(check in alsoBreaks)),
  };
}

/** Runs the conformant host in each scenario, the mutants beside it. */
export async function watchScenarios(
  lanes: KillLanes,
  { suites, mutants, bare = false }: MatrixRun,
): Promise<Reaching> {
  const reaching = new Map<string, ReadonlySet<string>>();
  const beside = mutants.map(({ id }) => id);
  const jobs = suites.flatMap((suite) => suite.scenarios).map(({ id }) => ({ scenarios: [id], beside, bare }));
  const onAnswer = (ids: readonly string[], { scenarios: [scenario = ''] }: LaneJob): void =>
    void reaching.set(scenario, new Set(ids));
  await lanes.run(jobs, { onAnswer, weight: weightIn(suites) });
  return reaching;
}

/** What may take long begins early, so that no lane is left with it at the end. */
function weightIn(suites: readonly Suite[]): (job: LaneJob) => number {
  const scenarios = suites.flatMap((suite) => suite.scenarios);
  /** How many times the time-out of one answer a scenario may take, by its id. */
  const patience = new Map(scenarios.map((scenario) => [scenario.id, scenario.patience?.(OPTIONS) ?? 0]));
  return (job) => job.scenarios.length + Math.max(0, ...job.scenarios.map((id) => patience.get(id) ?? 0));
}

/** The scenarios that name a mutant, the one that it names, and those in which it makes a difference: all of them, or a sample of so many. */
function met(
  mutant: Mutant,
  suites: readonly Suite[],
  { reaching, most }: { readonly reaching: Reaching | undefined; readonly most: number | undefined },
): readonly string[] {
  const { kills, alsoBreaks = {}, seenIn } = mutant;
  const names = (scenario: Scenario): boolean =>
    scenario.id === seenIn || scenario.checks.some(({ id }) => kills.includes(id) || id in alsoBreaks);
  const scenarios = suites.flatMap((suite) => suite.scenarios);
  const isReached = ({ id }: Scenario): boolean => reaching === undefined || reaching.get(id)?.has(mutant.id) === true;
  const named = scenarios.filter(names).map(({ id }) => id);
  const beyond = scenarios.filter((scenario) => !names(scenario) && isReached(scenario)).map(({ id }) => id);
  return [...named, ...shuffled(beyond, (id) => `${mutant.id} ${id}`).slice(0, most)];
}

/**
 * What must not be: a named check that stayed green and, where all suites were met, a red one that the mutant does not
 * name. Where only some were met, what a failure rests on may not have been judged, and what a foundation fails by may not
 * have been recorded.
 */
export function rowProblems(rows: readonly MutantRow[], { mutants, suites }: MatrixRun): readonly string[] {
  const scenarios = suites.flatMap((suite) => suite.scenarios);
  const checked = new Set(scenarios.flatMap(({ checks }) => checks.map(({ id }) => id)));
  const all = SUITES.flatMap((suite) => suite.scenarios).flatMap(({ checks }) => checks);
  const isWhole = all.every(({ id }) => checked.has(id));
  const own = scenarios.filter(({ foundation }) => isWhole || foundation !== true);
  const killable = new Set(own.flatMap(({ checks }) => checks.map(({ id }) => id)));
  return rows.flatMap(({ id, killedBy, stray }) => {
    const { kills = [] } = mutants.find((mutant) => mutant.id === id) ?? {};
    return [
      ...kills
        .filter((check) => killable.has(check) && !killedBy.includes(check))
        .map((check) => `${id} survives ${check}`),
      ...(isWhole ? stray : []).map((check) => `${id} turns ${check} red, which it does not name`),
    ];
  });
}
