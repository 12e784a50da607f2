import type { Observation } from '../../src/evidence/types.ts';
import type { Recorded, Scenario } from '../../src/runner/scenario.ts';
import type { FaultFinder } from './shapes.ts';

/**
 * The same scenario with a judge that decides nothing by evidence that its suite cannot have recorded, as where somebody
 * edited it: its own judge is asked only where every observation is what its type says.
 */
export function soundly(scenario: Scenario, faultIn: FaultFinder): Scenario {
  return {
    ...scenario,
    judge: (observations, options, everything) => {
      const damage = damageIn(observations, faultIn);
      if (damage === undefined) return scenario.judge(observations, options, everything);
      const { reason, evidence } = damage;
      return scenario.checks.map(({ id }) => ({ check: id, verdict: 'inconclusive', reason, evidence }));
    },
  };
}

interface Damage {
  readonly reason: string;
  readonly evidence: readonly string[];
}

/** The first observation that is not what was recorded; undefined where all may be. */
function damageIn(observations: readonly Recorded<Observation>[], faultIn: FaultFinder): Damage | undefined {
  for (const each of observations) {
    const pointer = faultIn({ ...each });
    if (pointer === undefined) continue;
    return {
      reason: `the evidence is damaged: ${each.id} is not as it is recorded, at ${pointer}`,
      evidence: [each.id],
    };
  }
  return undefined;
}
