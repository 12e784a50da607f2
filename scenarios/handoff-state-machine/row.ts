import { executionModel, type Gate } from '../../src/contract/gates.ts';
import type { Judgement } from '../../src/contract/verdict.ts';
import type { Observation } from '../../src/evidence/types.ts';
import { defineJudgedScenario } from '../../src/runner/define-judged.ts';
import type { Check, Recorded, Scenario } from '../../src/runner/scenario.ts';
import { soundly } from '../shared/soundly.ts';
import { faultIn } from './observation-shapes.ts';

/** What a scenario of this suite recorded. */
export type Seen = readonly Recorded<Observation>[];

/** One check of a scenario together with its judge. */
export interface Row {
  /** The check's id: the requirement's id, or that id with a suffix. */
  readonly id: string;
  readonly title: string;
  readonly judge: (check: string, seen: Seen) => Judgement;
}

interface HandoffScenario extends Pick<Scenario, 'id' | 'title' | 'drive' | 'needs' | 'patience'> {
  readonly gate?: Gate;
  readonly rows: readonly Row[];
}

/** A scenario of this suite: each row judges the same observations, unless somebody edited them. */
export function handoffScenario({ rows, gate = executionModel, ...scenario }: HandoffScenario): Scenario {
  const defined = defineJudgedScenario({
    ...scenario,
    gate,
    suite: 'handoff-state-machine',
    checks: rows.map(({ id, title }): Check => ({ id, requirement: requirementOf(id), title })),
    exclusive: [],
    judge: (seen) => rows.map((row) => row.judge(row.id, seen)),
  });
  return soundly(defined, faultIn);
}

/** Ids of this group's requirements have two parts. */
function requirementOf(check: string): string {
  return check.split('.').slice(0, 2).join('.');
}
