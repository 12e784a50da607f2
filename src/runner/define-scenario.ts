import { always } from '../contract/gates.ts';
import { isOutcome, type Outcome } from '../contract/outcome.ts';
import { requirementOf } from '../contract/requirements/index.ts';
import type { Judgement } from '../contract/verdict.ts';
import type { Observation } from '../evidence/types.ts';
import { damageIn } from './damage.ts';
import type { Everything, Recorded, Scenario, ScenarioOptions } from './scenario.ts';

/** What a judge may read besides the observations. */
export interface Judging {
  readonly options: ScenarioOptions;
  /** What all scenarios of the run recorded; empty for a scenario that is no foundation. */
  readonly everything: Everything;
}

/** One verdict that a scenario gives, with its judge. */
export interface JudgedCheck<Seen> {
  /** The requirement's id, or that id with `.something` appended. */
  readonly id: string;
  /** The checked sentence. */
  readonly title: string;
  /** Pure: no clock, no network, no environment. */
  judge(recorded: Seen, judging: Judging): Outcome;
}

type Optional = 'gate' | 'needs' | 'exclusive';

/** A scenario as its file declares it: what it needs, how it is driven, and its checks. */
export interface ScenarioDefinition<O extends Observation, Seen>
  extends Omit<Scenario<O>, 'checks' | 'judge' | Optional>, Partial<Pick<Scenario, Optional>> {
  /**
   * What the checks judge, read once from what was recorded: typed, by role; or the outcome that is left to all of them
   * without it. Absent where they judge the observations.
   */
  readonly see?: (recorded: readonly Recorded<O>[], judging: Judging) => Seen | Outcome;
  readonly checks: readonly JudgedCheck<Seen>[];
}

/**
 * Declares a scenario, its observations and what is seen in them checked by type. It applies to every host and needs
 * nothing, where nothing else is said.
 */
export function defineScenario<O extends Observation, Seen = readonly Recorded<O>[]>({
  see,
  checks,
  ...scenario
}: ScenarioDefinition<O, Seen>): Scenario {
  const judged: Scenario<O> = {
    gate: always,
    needs: [],
    exclusive: [],
    ...scenario,
    checks: checks.map(({ id, title }) => ({ id, title, requirement: requirementOf(id) })),
    judge: (recorded, options, everything = [], only = () => true) => {
      const judging = { options, everything };
      const damaged = damageIn(scenario.suite, recorded);
      // Without `see`, what the checks judge are the observations.
      const observed = damaged ?? (see === undefined ? (recorded as unknown as Seen) : see(recorded, judging));
      return checks
        .filter(({ id }) => only(id))
        .map((check) => judgementBy(check, () => (isLeft(observed) ? observed : check.judge(observed, judging))));
    },
  };
  return judged;
}

/** Whether what is seen is the outcome that is left to all checks. */
function isLeft(recorded: unknown): recorded is Outcome {
  return typeof recorded === 'object' && recorded !== null && isOutcome(recorded);
}

/** A judge that throws spoils its own check only. */
function judgementBy({ id }: { readonly id: string }, judge: () => Outcome): Judgement {
  try {
    return judgementOf(id, judge());
  } catch (thrown) {
    return failedJudge(id, thrown);
  }
}

/** The verdict where a judge threw: our own bug. */
export function failedJudge(check: string, thrown: unknown): Judgement {
  const reason = `the judge failed: ${thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown)}`;
  return { check, verdict: 'error', reason, evidence: [] };
}

/** An outcome under its check's name. */
export function judgementOf(check: string, outcome: Outcome): Judgement {
  switch (outcome.kind) {
    case 'pass':
    case 'fail':
    case 'not-applicable': {
      const { kind: verdict, ...rest } = outcome;
      return { check, verdict, ...rest };
    }
    case 'undecided': {
      const { kind: _kind, ...rest } = outcome;
      return { check, verdict: 'inconclusive', ...rest };
    }
    case 'rests':
      return { ...judgementOf(check, outcome.otherwise), restsOn: outcome.on };
  }
}
