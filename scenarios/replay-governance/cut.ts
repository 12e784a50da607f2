import type { Observation } from '../../src/evidence/types.ts';

/** The seam that makes the first part of a run's log expire. */
export const EXPIRE = 'retention/expire';

/** The source, when its log is read once more after that. */
export const LEFT = 'what is left of the source';

/** Where a log is cut, in sequence numbers: what stands below `boundary` goes, `below` is the last of it. */
export interface CutObservation extends Observation {
  readonly type: 'cut';
  readonly first: number;
  readonly below: number;
  readonly boundary: number;
}
