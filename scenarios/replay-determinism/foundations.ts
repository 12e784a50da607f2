import type { Observation } from '../../src/evidence/types.ts';
import type { Foundation, Recorded } from '../../src/runner/scenario.ts';
import { isRun } from '../shared/every-run.ts';
import { FOUNDATIONS } from '../shared/foundations.ts';
import { type Lost, lostInAll, replayedIn, withoutLost } from '../shared/lost-in-replays.ts';
import { FACTS } from './judge-silent.ts';

type Shown = readonly Recorded<Observation>[];

/** What is lost is asked of each run, and looked for once. */
const known = new WeakMap<Shown, { readonly lost: Lost | undefined }>();

function lostIn(shown: Shown): Lost | undefined {
  const found = known.get(shown) ?? { lost: lostInAll(replayedIn(shown), FACTS) };
  known.set(shown, found);
  return found.lost;
}

/** What no replay shows is counted once: others compare what is left. */
export const foundations: readonly Foundation[] = [
  {
    check: FOUNDATIONS.silence,
    without: (observation, shown) => {
      if (!isRun(observation)) return undefined;
      const lost = lostIn(shown);
      const events = lost && withoutLost(observation, lost);
      return events && { events };
    },
  },
];
