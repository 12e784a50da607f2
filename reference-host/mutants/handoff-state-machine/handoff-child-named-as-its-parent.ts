import type { Mutant } from '../mutant.ts';

export const handoffChildNamedAsItsParent: Mutant = {
  id: 'handoff-child-named-as-its-parent',
  breaks: "A dispatched run's snapshot has its parent's id.",
  kills: ['handoff.child-is-a-run'],
  parts: ({ snapshotOnWire }) => ({
    snapshotOnWire: (snapshot) =>
      snapshotOnWire(
        snapshot['parentNodeId'] === undefined ? snapshot : { ...snapshot, runId: snapshot['parentRunId'] },
      ),
  }),
};
