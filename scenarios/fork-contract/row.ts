import { always } from '../../src/contract/gates.ts';
import type { Judgement } from '../../src/contract/verdict.ts';
import type { Observation } from '../../src/evidence/types.ts';
import { defineJudgedScenario } from '../../src/runner/define-judged.ts';
import type { Check, Everything, Need, Recorded, Scenario } from '../../src/runner/scenario.ts';
import type { RequestedObservation } from '../shared/requested.ts';
import type { EventsUrlObservation } from '../shared/requested-fork.ts';
import type { ReadingObservation } from '../shared/reading.ts';
import type { RunObservation } from '../shared/run-observation.ts';

/** What the scenarios of this suite record. */
export type ForkObservation = RequestedObservation | RunObservation | EventsUrlObservation | ReadingObservation;

/** One check of a scenario together with its judge. */
export interface Row {
  /** The check's id: the requirement's id, or that id with a suffix. */
  readonly id: string;
  readonly title: string;
  readonly judge: (
    check: string,
    observations: readonly Recorded<Observation>[],
    /** What a vendor declared volatile: left out where logs are compared. */
    volatile: readonly string[],
    /** What all scenarios of the run recorded, for rows about every run and every fork. */
    everything: Everything,
  ) => Judgement;
}

interface ForkScenario {
  readonly id: string;
  readonly title: string;
  readonly rows: readonly Row[];
  readonly needs: readonly Need[];
  readonly drive: Scenario<ForkObservation>['drive'];
}

export const REPLAY: Need = { kind: 'fork', mode: 'replay', absent: 'not-applicable' };
export const BRANCH: Need = { kind: 'fork', mode: 'branch', absent: 'not-applicable' };

/** A scenario of this suite: each row judges the same observations. */
export function forkScenario({ id, title, rows, needs, drive }: ForkScenario): Scenario {
  return defineJudgedScenario<ForkObservation>({
    id,
    suite: 'fork-contract',
    title,
    checks: rows.map((row): Check => ({ id: row.id, requirement: requirementOf(row.id), title: row.title })),
    gate: always,
    needs,
    exclusive: [],
    drive,
    judge: (observations, { volatile }, everything = []) =>
      rows.map((row) => row.judge(row.id, observations, volatile, everything)),
  });
}

/** Ids of this group's requirements have two parts. */
function requirementOf(check: string): string {
  return check.split('.').slice(0, 2).join('.');
}
