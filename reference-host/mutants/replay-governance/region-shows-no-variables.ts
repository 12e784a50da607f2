import type { Mutant } from '../mutant.ts';

export const regionShowsNoVariables: Mutant = {
  id: 'region-shows-no-variables',
  breaks: 'Snapshots that the other region shows have no variables.',
  kills: ['region.same-fork.state'],
  parts: ({ secondRegion }) => ({
    secondRegion: { ...secondRegion, snapshotOnWire: (snapshot) => ({ ...snapshot, variables: {} }) },
  }),
};
