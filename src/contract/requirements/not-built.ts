import type { Requirement } from '../requirement.ts';

/** Why no check covers these rows. */
export const NOT_BUILT = 'not built yet';

const ROWS: readonly Omit<Requirement, 'excluded'>[] = [
  {
    id: 'fork.from-seq-anew',
    suite: 'fork-contract',
    level: 'SHOULD',
    gate: 'fork',
    clause: 'what the event at fromSeq tells of is done anew, not taken over',
    source: 'replay Endpoint table',
  },
];

/** Rows of all suites that are known and have no check yet, so that nothing is silently absent. */
export const notBuilt: readonly Requirement[] = ROWS.map((row) => ({ ...row, excluded: NOT_BUILT }));
