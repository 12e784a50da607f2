import type { Mutant } from '../mutant.ts';

export const regionChangesHistory: Mutant = {
  id: 'region-changes-history',
  breaks: 'The other region changes what nodes gave back in the history of a fork.',
  kills: ['region.same-fork.log'],
  parts: ({ secondRegion }) => ({
    secondRegion: {
      ...secondRegion,
      inherited: (history) =>
        history.map((event) =>
          event.type === 'node.completed' ? { ...event, payload: { output: 'from the other region' } } : event,
        ),
    },
  }),
};
