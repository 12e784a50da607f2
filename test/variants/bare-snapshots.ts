import type { Variant } from './variant.ts';

const REQUIRED: ReadonlySet<string> = new Set(['runId', 'workflowId', 'status']);

/** Snapshots have their required members only: state and error codes are read from the log. */
export const bareSnapshots: Variant = {
  id: 'bare-snapshots',
  notApplicable: ['fork.branch-applies-overlay.tags', 'fork.branch-applies-overlay.metadata'],
  parts: ({ snapshotOnWire }) => ({
    snapshotOnWire: (snapshot) =>
      snapshotOnWire(Object.fromEntries(Object.entries(snapshot).filter(([name]) => REQUIRED.has(name)))),
  }),
};
