import type { Mutant } from '../../reference-host/mutants/mutant.ts';
import type { CheckReport } from '../contract/report.ts';
import { withoutCrashes, type Suite } from '../runner/scenario.ts';
import { bareHost } from './bare-host.ts';
import { aliveAmong, type BareMatrix, killersFor, type OpenCheck } from './bare-rule.ts';
import {
  killOn,
  type MatrixReader,
  type MatrixRun,
  type MutantRow,
  openKillLanes,
  type Reaching,
  watchScenarios,
} from './matrix.ts';
import { runWithParts } from './run-mutant.ts';

/** What is run on bare hosts. */
export interface BareRun {
  readonly suites: readonly Suite[];
  readonly mutants: readonly Mutant[];
  /** Whether all mutants are run; otherwise as many as it takes until every decided check has a killer. */
  readonly every: boolean;
}

/**
 * Runs the suites against the reference host with nothing but the public workflows and seams, first as it is and then with
 * mutants. Scenarios that kill hosts are left out: that takes a seam of ours. The second host is whole: it only serves what the
 * first one made. Rejects when a thread fails.
 */
export async function runBareMatrix({ suites, mutants, every }: BareRun, reader: MatrixReader): Promise<BareMatrix> {
  const run = { suites: withoutCrashes(suites), mutants, bare: true };
  const lanes = openKillLanes();
  try {
    const [{ checks }, reaching] = await Promise.all([
      runWithParts(run.suites, bareHost(), { crash: 'few' }),
      watchScenarios(lanes, run),
    ]);
    const decided = idsOf(checks, ['pass']);
    const kill = (chosen: readonly Mutant[]): Promise<readonly MutantRow[]> =>
      killOn(lanes, { ...run, mutants: chosen }, { ...reader, watch: async () => reaching });
    const rows: MutantRow[] = [];
    if (every) rows.push(...(await kill(mutants)));
    else {
      const mayKill = mayKillIn(run, reaching);
      const round = (): readonly Mutant[] => {
        const left = mutants.filter((mutant) => !rows.some(({ id }) => id === mutant.id));
        return killersFor(aliveAmong(decided, rows), left, mayKill);
      };
      for (let chosen = round(); chosen.length > 0; chosen = round()) rows.push(...(await kill(chosen)));
    }
    return { rows, decided, red: idsOf(checks, ['fail', 'error']), open: openAmong(suites, checks) };
  } finally {
    await lanes.close();
  }
}

/** Whether a mutant names a check and makes a difference where it is judged: a foundation's, in whatever is recorded. */
function mayKillIn({ suites }: MatrixRun, reaching: Reaching): (mutant: Mutant, check: string) => boolean {
  const scenarios = suites.flatMap((suite) => suite.scenarios);
  const placesOf = new Map(
    scenarios.flatMap(({ id, checks, foundation }) =>
      checks.map((check) => [check.id, foundation === true ? [...reaching.keys()] : [id]]),
    ),
  );
  return ({ id, kills }, check) =>
    kills.includes(check) && (placesOf.get(check) ?? []).some((scenario) => reaching.get(scenario)?.has(id) === true);
}

function idsOf(checks: readonly CheckReport[], verdicts: readonly CheckReport['verdict'][]): readonly string[] {
  return checks.filter(({ verdict }) => verdicts.includes(verdict)).map(({ id }) => id);
}

function openAmong(suites: readonly Suite[], checks: readonly CheckReport[]): readonly OpenCheck[] {
  const found = new Map(checks.map((check) => [check.id, check]));
  const all = suites.flatMap(({ scenarios }) => scenarios).flatMap((scenario) => scenario.checks);
  return all.flatMap(({ id }) => {
    const { verdict = 'inconclusive', reason = 'it takes hosts that can be killed' } = found.get(id) ?? {};
    return verdict === 'inconclusive' || verdict === 'not-applicable' ? [{ id, reason }] : [];
  });
}
