import type { Mutant } from '../mutant.ts';

export const regionLosesVariables: Mutant = {
  id: 'region-loses-variables',
  breaks: 'The other region leaves variables out of the history of a fork.',
  kills: ['region.same-fork.state'],
  parts: ({ secondRegion }) => ({
    secondRegion: {
      ...secondRegion,
      inherited: (history) =>
        history.map((event) =>
          event.type === 'variable.changed' ? { ...event, type: 'log.appended' as const } : event,
        ),
    },
  }),
};
