import type { Foundation } from '../../src/runner/scenario.ts';
import { isRun } from '../shared/every-run.ts';
import { FOUNDATIONS } from '../shared/foundations.ts';
import { isAgainstItsLog } from '../shared/snapshot-fault.ts';

/** A snapshot that is not that of its own log says nothing about anything else. */
export const foundations: readonly Foundation[] = [
  {
    check: FOUNDATIONS.snapshots,
    without: (observation) => (isRun(observation) && isAgainstItsLog(observation) ? { snapshot: null } : undefined),
  },
];
