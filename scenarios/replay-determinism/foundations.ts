import type { Foundation } from '../../src/runner/scenario.ts';
import { isRun } from '../shared/every-run.ts';
import { FOUNDATIONS } from '../shared/foundations.ts';
import { lostInAll, replayedIn, withoutLost } from '../shared/lost-in-replays.ts';
import { FACTS } from './judge-silent.ts';

/** What no replay shows is counted once: others compare what is left. */
export const foundations: readonly Foundation[] = [
  {
    check: FOUNDATIONS.silence,
    without: (observation, shown) => {
      if (!isRun(observation)) return undefined;
      const lost = lostInAll(replayedIn(shown), FACTS);
      const events = lost && withoutLost(observation, lost);
      return events && { events };
    },
  },
];
