import type { Observation } from '../../src/evidence/types.ts';
import type { Foundation, Recorded } from '../../src/runner/scenario.ts';
import { addedInAll, type Kind, withoutAdded } from '../shared/added-in-replays.ts';
import { isRun } from '../shared/every-run.ts';
import { FOUNDATIONS } from '../shared/foundations.ts';
import { FACTS } from '../shared/happened.ts';
import { type Lost, lostInAll, type Replayed, replayedIn, withoutLost } from '../shared/lost-in-replays.ts';

type Shown = readonly Recorded<Observation>[];

/** What replays lose or add is asked of each run, and looked for once. */
const known = new WeakMap<Shown, { readonly lost: Lost | undefined; readonly added: readonly Kind[] }>();

function changedIn(shown: Shown): { readonly lost: Lost | undefined; readonly added: readonly Kind[] } {
  const found = known.get(shown) ?? changedBetween(replayedIn(shown));
  known.set(shown, found);
  return found;
}

function changedBetween(pairs: readonly Replayed[]) {
  return { lost: lostInAll(pairs, FACTS), added: addedInAll(pairs) };
}

/** What no replay shows, or all of them beside what their sources do, is counted once: others compare what is left. */
export const foundations: readonly Foundation[] = [
  {
    check: FOUNDATIONS.silence,
    without: (observation, shown, beside) => {
      if (!isRun(observation)) return undefined;
      const { lost, added } = changedIn(shown);
      const less = added.length === 0 ? undefined : withoutAdded(observation, added, beside);
      const left = lost && withoutLost({ ...observation, ...less }, lost);
      return left ?? less;
    },
  },
];
