import { endsRun } from '../../src/protocol/run-status.ts';
import type { Foundation } from '../../src/runner/scenario.ts';
import { eventsOf, rawOf } from '../shared/compare-runs.ts';
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
      return end === -1 || end === events.length - 1 ? undefined : { events: rawOf(events.slice(0, end + 1)) };
    },
  },
];
