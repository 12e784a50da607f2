import type { Scenario } from '../../src/runner/scenario.ts';
import { named } from '../shared/compare-runs.ts';
import { runsOf, undecided } from '../shared/judging.ts';

/**
 * The same scenario with a judge that passes nothing where a fork was answered with the id of its own source: what was
 * read of that fork was read of the source. The rows of fork.created fail the answer itself.
 */
export function withOwnForks(scenario: Scenario): Scenario {
  return {
    ...scenario,
    judge: (observations, options) => {
      const judgements = scenario.judge(observations, options);
      const itself = runsOf(observations).find(({ fork, runId }) => runId !== null && runId === fork?.sourceRunId);
      if (itself === undefined) return judgements;
      const reason = `${named(itself)} is its own source, so no fork was seen: answer with a new runId`;
      return judgements.map((each) => (each.verdict === 'pass' ? undecided(each.check, reason, [itself]) : each));
    },
  };
}
