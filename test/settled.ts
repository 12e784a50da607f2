import type { CheckReport } from '../src/contract/report.ts';
import type { Observation } from '../src/evidence/types.ts';
import { afterOthers, settleCauses } from '../src/runner/causes.ts';
import type { Recorded, Scenario } from '../src/runner/scenario.ts';
import { REMAINDERS } from '../scenarios/remainders.ts';
import { judgementIn } from './recorded-runs.ts';

/** A scenario, and what it recorded. */
export type Driven = readonly [scenario: Scenario, recorded: readonly Recorded<Observation>[]];

/** What is left red by scenarios of one run, and what is undecided, as `check` or `check <- the check that it rests on`. */
export function settled(...driven: readonly Driven[]): {
  readonly red: readonly string[];
  readonly open: readonly string[];
} {
  const checks = settleCauses(afterOthers(settleCauses(driven.flatMap(judged)), REMAINDERS));
  const left = (wanted: CheckReport['verdict']): readonly string[] =>
    checks
      .filter(({ verdict }) => verdict === wanted)
      .map(({ id, restsOn }) => (restsOn === undefined ? id : `${id} <- ${restsOn}`));
  return { red: left('fail'), open: left('inconclusive') };
}

function judged([scenario, recorded]: Driven): readonly CheckReport[] {
  return scenario.checks.map((check) => {
    const judgement = judgementIn(scenario, check.id, recorded);
    return { ...check, ...judgement, suite: scenario.suite, scenario: scenario.id, level: 'MUST', durationMs: 0 };
  });
}
