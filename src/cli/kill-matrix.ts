import { defaultParts } from '../../reference-host/index.ts';
import type { Mutant } from '../../reference-host/mutants/mutant.ts';
import { createRecorder } from '../evidence/recorder.ts';
import { createRedactor } from '../evidence/redact.ts';
import type { Report } from '../contract/report.ts';
import { judgeRun, type JudgeOptions } from '../runner/judge.ts';
import { driveRun } from '../runner/run.ts';
import type { Suite } from '../runner/scenario.ts';
import { credentialsOf } from '../runner/target.ts';
import { withWitnessedHosts } from './witnessed-hosts.ts';

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

/** Enough generated requests for every hazard, few enough for a hundred mutants; the seed makes the matrix repeatable. */
const OPTIONS: JudgeOptions = {
  seed: 20260401,
  vectors: 40,
  forks: 6,
  recipe: 'rfc-0041',
  level: 'must',
  allowInconclusive: false,
  requirements: [],
};

/** Runs all suites against every mutant, one after the other. */
export async function runKillMatrix(
  suites: readonly Suite[],
  mutants: readonly Mutant[],
  onRow: (row: MutantRow) => void,
): Promise<KillMatrix> {
  const start = performance.now();
  const rows: MutantRow[] = [];
  for (const mutant of mutants) {
    const report = await runMutant(suites, mutant);
    const red = report.checks.filter((check) => check.verdict === 'fail').map((check) => check.id);
    const row = {
      id: mutant.id,
      breaks: mutant.breaks,
      killedBy: red.filter((id) => mutant.kills.includes(id)),
      collateral: red.filter((id) => !mutant.kills.includes(id)),
    };
    rows.push(row);
    onRow(row);
  }
  const killed = new Set(rows.flatMap((row) => row.killedBy));
  const checks = suites.flatMap((suite) => suite.scenarios).flatMap((scenario) => scenario.checks);
  return {
    mutants: rows,
    checksWithoutKiller: checks.map((check) => check.id).filter((id) => !killed.has(id)),
    ms: Math.round(performance.now() - start),
  };
}

/** Runs all suites against the reference host with some parts replaced, a conformant one beside it as second host. */
export async function runMutant(suites: readonly Suite[], mutant: Pick<Mutant, 'parts'>): Promise<Report> {
  const scenarios = suites.flatMap((suite) => suite.scenarios);
  const records = await withWitnessedHosts(mutant.parts(defaultParts), scenarios, async (target, witness) => {
    const recorder = createRecorder(createRedactor(credentialsOf(target)));
    await driveRun(
      {
        target,
        scenarios,
        witness,
        otel: true,
        options: OPTIONS,
        shown: { ...OPTIONS },
        tool: { name: 'openwop-conformance', version: 'mutants' },
        concurrency: 8,
        timeoutMs: 10_000,
        signal: new AbortController().signal,
      },
      recorder,
    );
    return recorder.records;
  });
  return judgeRun(records, suites, OPTIONS);
}

/** What keeps the matrix from being complete: a named check that stayed green, another suite turned red, no killer. */
export function matrixProblems(matrix: KillMatrix, mutants: readonly Mutant[], suites: readonly Suite[]): string[] {
  const suiteOf = new Map(
    suites.flatMap((suite) =>
      suite.scenarios.flatMap((scenario) => scenario.checks.map((check) => [check.id, suite.id] as const)),
    ),
  );
  return [
    ...matrix.mutants.flatMap((row) => {
      const kills = mutants.find((mutant) => mutant.id === row.id)?.kills ?? [];
      const own = new Set(kills.map((id) => suiteOf.get(id)));
      return [
        ...kills.filter((id) => !row.killedBy.includes(id)).map((id) => `${row.id} survives ${id}`),
        ...row.collateral
          .filter((id) => !own.has(suiteOf.get(id)))
          .map((id) => `${row.id} turns ${id} red, a check of another suite`),
      ];
    }),
    ...matrix.checksWithoutKiller.map((id) => `no mutant kills ${id}`),
  ];
}
