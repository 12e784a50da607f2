import type { Observation } from '../../src/evidence/types.ts';
import type { Foundation, Recorded } from '../../src/runner/scenario.ts';
import { isRun } from '../shared/every-run.ts';
import { FOUNDATIONS, SOURCE_UNTOUCHED } from '../shared/foundations.ts';
import { isOfOtherMode } from '../shared/other-mode.ts';
import { addedPastEnd, isEndLost, lateUnforked, withEndOf, withoutAdded } from '../shared/past-the-end.ts';
import { type ForkFacts, replaysAll } from '../shared/run-observation.ts';
import { withoutLostStart } from './lost-start.ts';
import { isFromElsewhere, madeOtherwise } from './made-otherwise.ts';

/** Whether a fork was requested and made no run; one that was not requested says nothing. */
function unmade(isMeant: (fork: ForkFacts) => boolean): (observation: Recorded<Observation>) => boolean {
  return (observation) =>
    isRun(observation) &&
    observation.fork !== null &&
    observation.runId === null &&
    observation.answered !== null &&
    isMeant(observation.fork);
}

/**
 * A fork that is not made decides nothing, nor does one that lost the state at its fork point; what forks add to their source, or take from its end, is so in each row that reads that.
 */
export const foundations: readonly Foundation[] = [
  {
    check: FOUNDATIONS.replays,
    isBrokenBy: unmade(({ mode }) => mode === 'replay'),
    without: madeOtherwise((fork, answer) => fork.mode === 'replay' && isOfOtherMode(fork, answer)),
  },
  {
    check: FOUNDATIONS.laterReplays,
    isBrokenBy: unmade((fork) => fork.mode === 'replay' && !replaysAll({ fork })),
    without: madeOtherwise((fork, answer) => fork.mode === 'replay' && isFromElsewhere(fork, answer)),
  },
  {
    check: SOURCE_UNTOUCHED,
    without: (observation, shown, beside) => {
      if (isEndLost(shown)) return withEndOf(observation, beside);
      const added = lateUnforked(shown).length === 0 ? addedPastEnd(shown) : undefined;
      return added && withoutAdded(observation, added);
    },
  },
  {
    check: FOUNDATIONS.branches,
    isBrokenBy: unmade(({ mode }) => mode === 'branch'),
    without: madeOtherwise((fork, answer) => fork.mode === 'branch' && isOfOtherMode(fork, answer)),
  },
  {
    check: 'fork.branch-applies-overlay.projected-state',
    without: (observation, _, beside) => withoutLostStart(observation, beside),
  },
  {
    check: FOUNDATIONS.sameStates,
    isAlone: true,
    without: (observation, _, beside) =>
      isRun(observation) && observation.fork?.mode === 'replay' ? withoutLostStart(observation, beside) : undefined,
  },
];
