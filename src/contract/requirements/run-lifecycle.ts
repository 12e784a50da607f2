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
  {
    id: 'run.create-idempotency',
    suite: 'run-lifecycle',
    level: 'SHOULD',
    gate: '-',
    clause: 'POST /v1/runs twice under one Idempotency-Key is one run; with another body it is refused with 409',
    source: 'wire',
  },
  {
    id: 'run.error-envelope',
    suite: 'run-lifecycle',
    level: 'SHOULD',
    gate: '-',
    clause: 'creating and reading runs is refused in the error envelope, and with 401 where there is no credential',
    source: 'wire',
  },
  {
    id: 'run.stream-modes',
    suite: 'run-lifecycle',
    level: 'SHOULD',
    gate: '-',
    clause:
      'a stream mode that is unknown, or stands beside the exclusive one, is refused with 400 or ignored as a whole',
    source: 'wire',
  },
  {
    id: 'run.cursor',
    suite: 'run-lifecycle',
    level: 'SHOULD',
    gate: '-',
    clause: 'a reading of a log that is resumed after an event shows what follows that event, and nothing else',
    source: 'replay Why, wire',
  },
];
