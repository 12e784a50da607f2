import type { Mutant } from '../mutant.ts';

export const regionShowsAnotherStatus: Mutant = {
  id: 'region-shows-another-status',
  breaks: 'Snapshots that the other region shows have another status.',
  kills: ['region.same-fork.state'],
  parts: ({ secondRegion }) => ({
    secondRegion: {
      ...secondRegion,
      snapshotOnWire: (snapshot) => ({
        ...snapshot,
        status: snapshot['status'] === 'completed' ? 'failed' : snapshot['status'],
      }),
    },
  }),
};
