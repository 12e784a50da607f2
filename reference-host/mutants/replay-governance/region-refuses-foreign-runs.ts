import type { Mutant } from '../mutant.ts';

export const regionRefusesForeignRuns: Mutant = {
  id: 'region-refuses-foreign-runs',
  breaks: 'The other region does not fork runs that it did not carry out.',
  kills: ['region.same-fork.served'],
  parts: ({ secondRegion }) => ({ secondRegion: { ...secondRegion, servesForks: () => false } }),
};
