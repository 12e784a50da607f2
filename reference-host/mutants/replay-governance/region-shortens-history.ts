import type { Mutant } from '../mutant.ts';

export const regionShortensHistory: Mutant = {
  id: 'region-shortens-history',
  breaks: 'Forks that the other region serves inherit the first event only.',
  kills: ['region.same-fork.log'],
  parts: ({ secondRegion }) => ({ secondRegion: { ...secondRegion, inherited: (history) => history.slice(0, 1) } }),
};
