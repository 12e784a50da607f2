import type { Foundation, Recorded } from '../../src/runner/scenario.ts';
import type { Observation } from '../../src/evidence/types.ts';
import { isRun } from '../shared/every-run.ts';
import { FOUNDATIONS } from '../shared/foundations.ts';
import { replaysAll, type ForkFacts } from '../shared/run-observation.ts';

/** Whether a fork was requested and made no run; one that was not requested says nothing. */
function unmade(isMeant: (fork: ForkFacts) => boolean): (observation: Recorded<Observation>) => boolean {
  return (observation) =>
    isRun(observation) &&
    observation.fork !== null &&
    observation.runId === null &&
    observation.answered !== null &&
    isMeant(observation.fork);
}

/** A fork that is not made decides nothing. */
export const foundations: readonly Foundation[] = [
  { check: FOUNDATIONS.replays, isBrokenBy: unmade(({ mode }) => mode === 'replay') },
  { check: FOUNDATIONS.laterReplays, isBrokenBy: unmade((fork) => fork.mode === 'replay' && !replaysAll({ fork })) },
  { check: FOUNDATIONS.branches, isBrokenBy: unmade(({ mode }) => mode === 'branch') },
];
