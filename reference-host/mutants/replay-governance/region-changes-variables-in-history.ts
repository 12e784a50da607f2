import type { Mutant } from '../mutant.ts';
import { isObject } from '../../json.ts';
export const regionChangesVariablesInHistory: Mutant = {
  id: 'region-changes-variables-in-history',
  breaks: 'The other region forks with other values of variables.',
  kills: ['region.same-fork.state', 'region.same-fork.log'],
  parts: ({ secondRegion }) => ({
    secondRegion: {
      ...secondRegion,
      inherited: (history) =>
        history.map((event) =>
          event.type === 'variable.changed' && isObject(event.payload)
            ? { ...event, payload: { ...event.payload, value: 'from the other region' } }
            : event,
        ),
    },
  }),
};
