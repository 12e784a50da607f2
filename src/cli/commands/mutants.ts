import { hasSqlite, SQLITE_HINT } from '../../../reference-host/index.ts';
import { MUTANTS } from '../../../reference-host/mutants/index.ts';
import type { Mutant } from '../../../reference-host/mutants/mutant.ts';
import { isInShard } from '../../audit/choose.ts';
import type { Shard } from '../../runner/shard.ts';
import { unknownName } from '../../contract/nearest.ts';
import { selectScenarios } from '../../runner/select.ts';
import { killsHosts, type Suite } from '../../runner/scenario.ts';
import { endOnInterrupt } from '../interruption.ts';
import {
  type KillMatrix,
  type MatrixRun,
  type MutantRow,
  rowProblems,
  runKillMatrix,
} from '../../kill-matrix/matrix.ts';
import { print, printJson, printMessage } from '../printer.ts';
import { SUITES } from '../../../scenarios/index.ts';
import { UsageError } from '../../contract/usage-error.ts';

/** Between two words about how far the matrix is, in milliseconds. */
const EACH_MS = 60_000;

export interface MutantsFlags {
  readonly json?: true;
  readonly suite?: readonly string[];
  /** How many pairs of defects, instead of single ones. */
  readonly pairs?: number;
  /** Hosts with the public workflows and seams alone. */
  readonly bare?: true;
  /** How many of the scenarios that it does not name each mutant meets at most. */
  readonly sample?: number;
  /** The i-th of n parts of the mutants. */
  readonly shard?: Shard;
  /** Since which commit; true for what is not committed. */
  readonly changed?: string | true;
}

/**
 * `mutants`: prints the kill matrix, of some mutants or some suites where they are named, or of what a change touches. Returns
 * 0, or 1 on a survivor, where all suites are met on a red check that the mutant does not name or, unless mutants are named,
 * on a check that nothing kills. With `--sample N`, each mutant meets those that name it and N others at most; with `--shard I/N`,
 * those of one part alone are run, and a check may have its killer in another.
 */
export async function mutants(ids: readonly string[], flags: MutantsFlags): Promise<number> {
  const { sample: others, shard } = flags;
  const partly = others === undefined ? shard && '--shard' : '--sample';
  if (partly !== undefined && (flags.pairs !== undefined || flags.bare === true || flags.changed !== undefined))
    throw new UsageError(`${partly} is of the whole matrix: it goes with neither --pairs, --bare nor --changed`);
  if (flags.pairs !== undefined) return pairs(ids, flags, flags.pairs);
  if (flags.bare === true) return bare(ids, flags);
  const { why, runs, checks } = await chosenRuns(ids, flags);
  if (why !== undefined && flags.json === true) printMessage(why);
  else if (why !== undefined) print(`${why}\n`);
  const scenarios = runs.flatMap(({ suites }) => suites).flatMap((suite) => suite.scenarios);
  if (!hasSqlite() && scenarios.some(killsHosts)) {
    throw new UsageError(`the kill matrix kills hosts, which takes data files: ${SQLITE_HINT}`);
  }
  const width = Math.max(...runs.flatMap((run) => run.mutants).map(({ id }) => id.length));
  const start = performance.now();
  const total = runs.reduce((sum, run) => sum + run.mutants.length, 0);
  let done = 0;
  const said = (): string => `${done} of ${total} mutants were run`;
  endOnInterrupt(said);
  // What may take long begins first, and rows come in their own order: for a long time there may be none.
  const progress = setInterval(() => printMessage(said()), EACH_MS).unref();
  const rows: MutantRow[] = [];
  const problems: string[] = [];
  const say = (found: readonly string[]): void => {
    problems.push(...found);
    for (const problem of found) printMessage(problem);
  };
  for (const run of runs) {
    const onRow = (row: MutantRow): void => {
      if (flags.json !== true) print(`${line(row, width)}\n`);
    };
    const sampled = others === undefined ? run : { ...run, others };
    const onRun = (row: MutantRow): void => {
      done += 1;
      say(rowProblems([row], run));
    };
    rows.push(...(await runKillMatrix(sampled, { onRow, onRun })));
  }
  clearInterval(progress);
  const killed = new Set(rows.flatMap((row) => row.killedBy));
  const checksWithoutKiller = checks.filter((id) => !killed.has(id));
  say(checksWithoutKiller.map((id) => `no mutant kills ${id}`));
  const matrix: KillMatrix = { mutants: rows, checksWithoutKiller, ms: Math.round(performance.now() - start) };
  if (flags.json === true) printJson(matrix, 2);
  if (flags.json !== true && runs.length > 0) {
    const met = new Set(scenarios.flatMap((scenario) => scenario.checks.map(({ id }) => id)));
    print(
      `\n${rows.length} mutants, ${met.size} checks, ${checksWithoutKiller.length} without a killer, ${problems.length} problems, ${(matrix.ms / 1000).toFixed(1)} s\n`,
    );
  }
  return problems.length === 0 ? 0 : 1;
}

/** `mutants --pairs N`: prints what is wrong about hosts with two defects. Returns 0, or 1 where something is. */
async function pairs(
  ids: readonly string[],
  { suite, changed, json, bare: isBare }: MutantsFlags,
  count: number,
): Promise<number> {
  if (ids.length > 0 || suite !== undefined || changed !== undefined || json === true || isBare === true) {
    throw new UsageError('--pairs chooses by itself: name no mutant and no suite, and nothing else');
  }
  const { meetablePairs, runPairs } = await import('../../kill-matrix/run-pairs.ts');
  const all = meetablePairs(MUTANTS, SUITES);
  const start = performance.now();
  let [done, wrong] = [0, 0];
  endOnInterrupt(() => `${done} of ${Math.min(count, all.length)} pairs were run`);
  await runPairs(all.slice(0, count), SUITES, (pair, problems) => {
    done += 1;
    wrong += problems.length;
    print(`${pair.join(' + ')}${problems.length === 0 ? '' : '  WRONG'}\n`);
    for (const problem of problems) printMessage(problem);
  });
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  print(`\n${done} of ${all.length} pairs, ${wrong} problems, ${seconds} s\n`);
  return wrong === 0 ? 0 : 1;
}

/**
 * `mutants --bare`: prints the kill matrix of hosts with the public workflows and seams alone, of some mutants where they are
 * named. Returns 0, or 1 where something is wrong about it.
 */
async function bare(ids: readonly string[], { suite, changed, json }: MutantsFlags): Promise<number> {
  if (suite !== undefined || changed !== undefined)
    throw new UsageError('--bare meets all suites: name mutants, or nothing else');
  const { runBareMatrix } = await import('../../kill-matrix/bare-matrix.ts');
  const { aliveAmong, bareProblems, namedProblems } = await import('../../kill-matrix/bare-rule.ts');
  const chosen = chosenMutants(ids, SUITES);
  const width = Math.max(...chosen.map(({ id }) => id.length));
  const start = performance.now();
  let done = 0;
  endOnInterrupt(() => `${done} mutants were run`);
  const onRow = (row: MutantRow): void => {
    if (json !== true) print(`${line(row, width, 'not seen')}\n`);
  };
  const run = { suites: SUITES, mutants: chosen, every: ids.length > 0 };
  const matrix = await runBareMatrix(run, { onRow, onRun: () => (done += 1) });
  const { rows, decided, open } = matrix;
  const checksWithoutKiller = ids.length > 0 ? [] : aliveAmong(decided, rows);
  const problems = ids.length > 0 ? namedProblems(rows) : bareProblems(matrix);
  const ms = Math.round(performance.now() - start);
  if (json === true) printJson({ mutants: rows, checksWithoutKiller, decided, open, ms }, 2);
  for (const problem of problems) printMessage(problem);
  if (json !== true) {
    print(
      `\n${rows.length} mutants, ${decided.length} checks decided and ${open.length} left open with public workflows and seams alone, ${checksWithoutKiller.length} without a killer, ${problems.length} problems, ${(ms / 1000).toFixed(1)} s\n`,
    );
  }
  return problems.length === 0 ? 0 : 1;
}

interface Chosen {
  /** What was chosen and why, where that is not what was asked for. */
  readonly why?: string;
  readonly runs: readonly MatrixRun[];
  /** The checks that need a killer. */
  readonly checks: readonly string[];
}

async function chosenRuns(ids: readonly string[], { suite = [], changed, shard }: MutantsFlags): Promise<Chosen> {
  if (changed !== undefined) {
    if (ids.length > 0 || suite.length > 0)
      throw new UsageError('--changed chooses by itself: name no mutant and no suite');
    const { selectChanged } = await import('../../kill-matrix/changed/selection.ts');
    return selectChanged(changed === true ? 'HEAD' : changed, { suites: SUITES, mutants: MUTANTS });
  }
  const suites = chosenSuites(suite);
  const isPart = ids.length > 0 || (shard !== undefined && shard.of > 1);
  const checks = isPart
    ? []
    : suites.flatMap((each) => each.scenarios).flatMap((each) => each.checks.map(({ id }) => id));
  const chosen = chosenMutants(ids, suites).filter(({ id }) => shard === undefined || isInShard(id, shard));
  return { runs: [{ suites, mutants: chosen }], checks };
}

function chosenSuites(names: readonly string[]): readonly Suite[] {
  const selected = selectScenarios(SUITES, { suites: names, scenarios: [], requirements: [] });
  if (!selected.ok) throw new UsageError(selected.message);
  return SUITES.filter((suite) => names.length === 0 || names.includes(suite.id));
}

/** The mutants with these ids, or all that name a check of these suites. */
function chosenMutants(ids: readonly string[], suites: readonly Suite[]): readonly Mutant[] {
  const unknown = ids.filter((id) => !MUTANTS.some((mutant) => mutant.id === id));
  if (unknown.length > 0) {
    const known = MUTANTS.map(({ id }) => id);
    throw new UsageError(unknown.map((id) => unknownName('mutant', id, known)).join('; '));
  }
  const checks = new Set(
    suites.flatMap((suite) => suite.scenarios).flatMap((scenario) => scenario.checks.map((check) => check.id)),
  );
  const chosen = MUTANTS.filter(
    ({ id, kills }) => (ids.length === 0 || ids.includes(id)) && kills.some((check) => checks.has(check)),
  );
  if (chosen.length === 0) throw new UsageError('no mutant that was named kills a check of these suites');
  return chosen;
}

function line({ id, killedBy, alsoBroken, stray }: MutantRow, width: number, none = 'SURVIVES'): string {
  const also = alsoBroken.length === 0 ? '' : `  (also ${alsoBroken.join(' ')})`;
  const unnamed = stray.length === 0 ? '' : `  (not named: ${stray.join(' ')})`;
  return `${id.padEnd(width)}  ${killedBy.length === 0 ? none : killedBy.join(' ')}${also}${unnamed}`;
}
