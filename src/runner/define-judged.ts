import type { Observation } from '../evidence/types.ts';
import type { Recorded, Scenario } from './scenario.ts';

/** Declares a scenario of the older kind, with one judge for all its checks; `defineScenario` takes its place. */
export function defineJudgedScenario<O extends Observation>(scenario: Scenario<O>): Scenario {
  return {
    ...scenario,
    judge: (observations, options, everything) =>
      scenario.judge(observations as readonly Recorded<O>[], options, everything),
  };
}
