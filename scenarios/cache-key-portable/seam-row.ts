import type { Gate } from '../../src/contract/gates.ts';
import type { Judgement } from '../../src/contract/verdict.ts';
import { defineJudgedScenario } from '../../src/runner/define-judged.ts';
import type { Everything, Recorded, Scenario, ScenarioOptions } from '../../src/runner/scenario.ts';
import type { Probe } from '../../src/host/probe.ts';
import { askAgain } from './ask-again.ts';
import { lineTo } from './ask.ts';
import type { CacheKeyObservation } from './observation.ts';
import { seamNeed } from './seam-need.ts';

/** A row that asks nothing but the seam and gives one verdict, about the requirement whose id it bears. */
export interface SeamRow {
  readonly id: string;
  readonly title: string;
  readonly gate: Gate;
  drive(probe: Probe, options: ScenarioOptions): Promise<readonly CacheKeyObservation[]>;
  /** It is judged by what all scenarios recorded too. */
  readonly foundation?: true;
  judge(
    observations: readonly Recorded<CacheKeyObservation>[],
    options: ScenarioOptions,
    everything?: Everything,
  ): Judgement;
}

/** The scenario of a row. */
export function seamRow(row: SeamRow): Scenario {
  const { id, title, gate } = row;
  return defineJudgedScenario<CacheKeyObservation>({
    id,
    suite: 'cache-key-portable',
    title,
    checks: [{ id, requirement: id, title }],
    gate,
    needs: [seamNeed],
    exclusive: [],
    ...(row.foundation === undefined ? {} : { foundation: row.foundation }),
    drive: async (probe, options) => {
      const driven = await row.drive(probe, options);
      return [...driven, ...(await askAgain(lineTo(probe), driven, options.recipe))];
    },
    judge: (observations, options, everything) => [
      row.judge(
        observations.filter(({ part }) => part !== 'again'),
        options,
        everything,
      ),
    ],
  });
}
