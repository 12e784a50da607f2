import type { Mutant } from '../mutant.ts';
import { movingToTheEnd } from '../shared/late-events.ts';
import { bothDirections } from '../shared/refusal-parts.ts';

export const refusalRaisedAfterTheEnd: Mutant = {
  id: 'refusal-raised-after-the-end',
  breaks: "The event follows the run's end.",
  kills: [...bothDirections('precedes-failure')],
  parts: ({ middleware }) => ({ middleware: (next) => middleware(movingToTheEnd(next)) }),
};
