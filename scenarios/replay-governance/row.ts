import { always, type Gate } from '../../src/contract/gates.ts';
import type { Judgement } from '../../src/contract/verdict.ts';
import type { Observation } from '../../src/evidence/types.ts';
import { defineJudgedScenario } from '../../src/runner/define-judged.ts';
import type { Check, Need, Recorded, Scenario } from '../../src/runner/scenario.ts';
import { soundly } from '../shared/soundly.ts';
import { faultIn } from './observation-shapes.ts';

export type Recordings = readonly Recorded<Observation>[];

/** One check of a scenario together with its judge. */
export interface Row extends Check {
  readonly judge: (check: string, observations: Recordings) => Judgement;
}

interface GovernanceScenario extends Pick<Scenario, 'id' | 'title' | 'drive'>, Partial<Pick<Scenario, 'patience'>> {
  readonly gate?: Gate;
  readonly needs: readonly Need[];
  readonly rows: readonly Row[];
}

export const REPLAY: Need = { kind: 'fork', mode: 'replay', absent: 'not-applicable' };
export const BRANCH: Need = { kind: 'fork', mode: 'branch', absent: 'not-applicable' };

/** A test seam that is itself the gate of its rows (requirements, Gate). An empty object is refused by one that is there. */
export function gatingSeam(seam: string): Need {
  return { kind: 'seam', path: `/v1/host/sample/test/${seam}`, body: '{}', absent: 'not-applicable' };
}

/** A scenario of this suite: each row judges the same observations, unless somebody edited them. */
export function governanceScenario({ rows, gate = always, ...scenario }: GovernanceScenario): Scenario {
  const defined = defineJudgedScenario({
    ...scenario,
    suite: 'replay-governance',
    gate,
    checks: rows.map(({ id, requirement, title }) => ({ id, requirement, title })),
    exclusive: [],
    judge: (observations) => rows.map(({ id, judge }) => judge(id, observations)),
  });
  return soundly(defined, faultIn);
}
