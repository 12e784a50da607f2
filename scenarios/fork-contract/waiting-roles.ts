const ROW = 'fork.branch-is-independent';
/** The scenario, which is its first check, and the second one. */
export const [WAITING, CANCELLED] = [`${ROW}.waiting`, `${ROW}.cancelled`] as const;

/** The runs: one that waits, with three branches that ask the same, and another one with one. */
export const ROLES = {
  source: 'source',
  /** From the last event that its source shows while it waits, where that stands behind the start of the question. */
  behind: 'branch from behind the question',
  /** From the start, as all others are; made where the one from behind takes no answer. */
  branch: 'branch',
  /** Answered after its source. */
  left: 'branch that is left waiting',
  other: 'branch to be cancelled',
  cancelled: 'cancelled branch',
  again: 'source again',
  second: 'source to be cancelled',
  gone: 'cancelled source',
  orphan: 'branch of the cancelled source',
  orphanAgain: 'branch of the cancelled source again',
} as const;

/** A branch from the end of the cancelled source; recorded where it was refused: what else it comes to no document says. */
export const CANCELLED_BRANCH = 'branch from the end of the cancelled source';

/** The role of a cancelled run whose snapshot was waited for. */
export const awaitedAs = (role: string): string => `${role}, waited for`;

/** The row of the requests to cancel a run; each is named after what that is to be. */
export const CANCEL = 'cancel';

/** The status of a duplicate of a fork in flight, and of nothing else (replay.md, Status codes). */
export const DUPLICATE = 409;
