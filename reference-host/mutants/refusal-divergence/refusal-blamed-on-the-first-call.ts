import type { Mutant } from '../mutant.ts';
import { isObject } from '../../json.ts';
import { raising } from '../shared/refusal-parts.ts';

export const refusalBlamedOnTheFirstCall: Mutant = {
  id: 'refusal-blamed-on-the-first-call',
  breaks: 'The event names the first model call of the run, whichever diverged.',
  kills: ['refusal.mid-graph'],
  parts: raising((raised) =>
    raised.nodeId === 'second-call'
      ? [
          {
            ...raised,
            nodeId: 'first-call',
            payload: { ...(isObject(raised.payload) ? raised.payload : {}), nodeId: 'first-call' },
          },
        ]
      : [raised],
  ),
};
