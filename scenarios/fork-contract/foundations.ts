import type { Foundation, Recorded } from '../../src/runner/scenario.ts';
import type { Json, Observation } from '../../src/evidence/types.ts';
import { isRun, sourceAmong } from '../shared/every-run.ts';
import { FOUNDATIONS, SOURCE_UNTOUCHED } from '../shared/foundations.ts';
import { replayMembers, withMembersOf, type Member } from '../shared/source-members.ts';
import { replaysAll, type ForkFacts, type RunObservation } from '../shared/run-observation.ts';
import { addedPastEnd, isEndLost, withEndOf, withoutAdded } from '../shared/past-the-end.ts';

/** Whether a fork was requested and made no run; one that was not requested says nothing. */
function unmade(isMeant: (fork: ForkFacts) => boolean): (observation: Recorded<Observation>) => boolean {
  return (observation) =>
    isRun(observation) &&
    observation.fork !== null &&
    observation.runId === null &&
    observation.answered !== null &&
    isMeant(observation.fork);
}

/** The row about the smallest replay that there is. */
const FULL_REPLAY = 'fork.replay-defaults-to-zero';

/** What a host writes otherwise into that replay, and so into replays as such. */
function membersIn(shown: readonly Recorded<Observation>[]): ReturnType<typeof replayMembers> {
  const replay = shown.filter(isRun).find(({ fork }) => fork !== null);
  const source = replay && sourceAmong(replay, shown);
  return source && replay && replayMembers(source, replay);
}

/** The events of a fork with these members as its source has them, which may be a fork itself; undefined for other runs. */
function restored(
  run: RunObservation,
  members: readonly Member[],
  beside: readonly Recorded<Observation>[],
): { readonly events: readonly Json[] } | undefined {
  const source = sourceAmong(run, beside);
  if (source === undefined || source === run) return undefined;
  const others = beside.filter((each) => !Object.is(each, source));
  return { events: withMembersOf({ ...source, ...restored(source, members, others) }, run, members) };
}

/**
 * A fork that is not made decides nothing; what is written otherwise into every replay is so in each row that reads one, what forks add
 * to their source, or take from its end, in each that reads that.
 */
export const foundations: readonly Foundation[] = [
  { check: FOUNDATIONS.replays, isBrokenBy: unmade(({ mode }) => mode === 'replay') },
  { check: FOUNDATIONS.laterReplays, isBrokenBy: unmade((fork) => fork.mode === 'replay' && !replaysAll({ fork })) },
  {
    check: FULL_REPLAY,
    onlyPasses: true,
    without: (observation, shown, beside) => {
      const members = isRun(observation) && observation.fork !== null ? membersIn(shown) : undefined;
      return members && isRun(observation) ? restored(observation, members, beside) : undefined;
    },
  },
  {
    check: SOURCE_UNTOUCHED,
    without: (observation, shown, beside) => {
      if (isEndLost(shown)) return withEndOf(observation, beside);
      const added = addedPastEnd(shown);
      return added && withoutAdded(observation, added);
    },
  },
  { check: FOUNDATIONS.branches, isBrokenBy: unmade(({ mode }) => mode === 'branch') },
];
