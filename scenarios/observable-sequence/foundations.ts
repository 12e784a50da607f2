import { endsRun } from '../../src/protocol/run-status.ts';
import type { Foundation } from '../../src/runner/scenario.ts';
import { eventsOf, isAboutReplay, rawOf } from '../shared/compare-runs.ts';
import { isRun } from '../shared/every-run.ts';
import { FOUNDATIONS } from '../shared/foundations.ts';
import { isDisordered } from '../shared/numbers-note.ts';

/** Numbers that go back order nothing; what follows the end of a log belongs to no run. */
export const foundations: readonly Foundation[] = [
  {
    check: FOUNDATIONS.numbers,
    isBrokenBy: (observation) => isRun(observation) && isDisordered({ events: eventsOf(observation) }),
  },
  {
    check: FOUNDATIONS.ends,
    without: (observation) => {
      const events = isRun(observation) ? eventsOf(observation) : [];
      const end = events.findIndex(endsRun);
      // What speaks about the replay stays: that it stands before the end is a row of its own (refusal.precedes-failure).
      const kept = events.filter((event, index) => index <= end || isAboutReplay(event));
      return end === -1 || kept.length === events.length ? undefined : { events: rawOf(kept) };
    },
  },
];
