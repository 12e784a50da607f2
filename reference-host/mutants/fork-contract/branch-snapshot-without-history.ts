import type { Mutant } from '../mutant.ts';

export const branchSnapshotWithoutHistory: Mutant = {
  id: 'branch-snapshot-without-history',
  breaks: "A branch's snapshot shows none of the variables that its log holds.",
  kills: ['fork.branch-applies-overlay.projected-state'],
  parts: () => ({
    snapshotOnWire: (snapshot) => (snapshot['forkMode'] === 'branch' ? { ...snapshot, variables: {} } : snapshot),
  }),
};
