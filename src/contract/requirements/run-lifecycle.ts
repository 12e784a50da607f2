import type { Requirement } from '../requirement.ts';

/** The rows of the register about runs as such: what all other rows stand on. */
export const runLifecycle: readonly Requirement[] = [
  {
    id: 'run.created',
    suite: 'run-lifecycle',
    level: 'MUST',
    gate: '-',
    clause: 'a run of a workflow that the host names can be made, followed to its end and read',
    source: 'wire',
  },
  {
    id: 'run.snapshot-agrees',
    suite: 'run-lifecycle',
    level: 'MUST',
    gate: '-',
    clause: "a finished run's snapshot has the status, error code, variables and channels that its log ends with",
    source: '0041 §C.2, replay Phase 4 §C',
  },
];
