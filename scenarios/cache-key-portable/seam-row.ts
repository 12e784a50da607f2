import type { Gate } from '../../src/contract/gates.ts';
import type { Judgement } from '../../src/contract/verdict.ts';
import { defineScenario, type Recorded, type Scenario, type ScenarioOptions } from '../../src/runner/scenario.ts';
import type { Probe } from '../../src/host/probe.ts';
import type { CacheKeyObservation } from './observation.ts';
import { seamNeed } from './seam-need.ts';

/** A row that asks nothing but the seam and gives one verdict, about the requirement whose id it bears. */
export interface SeamRow {
  readonly id: string;
  readonly title: string;
  readonly gate: Gate;
  drive(probe: Probe, options: ScenarioOptions): Promise<readonly CacheKeyObservation[]>;
  judge(observations: readonly Recorded<CacheKeyObservation>[], options: ScenarioOptions): Judgement;
}

/** The scenario of a row. */
export function seamRow(row: SeamRow): Scenario {
  const { id, title, gate } = row;
  return defineScenario<CacheKeyObservation>({
    id,
    suite: 'cache-key-portable',
    title,
    checks: [{ id, requirement: id, title }],
    gate,
    needs: [seamNeed],
    exclusive: [],
    drive: (probe, options) => row.drive(probe, options),
    judge: (observations, options) => [row.judge(observations, options)],
  });
}
