import type { Foundation } from '../../src/runner/scenario.ts';
import { faultBesideSource } from '../shared/beside-source.ts';
import { isRun } from '../shared/every-run.ts';
import { FOUNDATIONS } from '../shared/foundations.ts';
import { isAgainstItsLog } from '../shared/snapshot-fault.ts';

/**
 * A run that is not made, or not read, decides nothing; a snapshot that is not that of its own log says nothing about anything
 * else.
 */
export const foundations: readonly Foundation[] = [
  {
    check: FOUNDATIONS.runs,
    isBrokenBy: (observation) =>
      isRun(observation) &&
      observation.fork === null &&
      (observation.problem !== null || observation.snapshot === null),
  },
  {
    check: FOUNDATIONS.snapshots,
    isBrokenBy: (observation) => isRun(observation) && isAgainstItsLog(observation),
    without: (observation, _, beside) => {
      if (!isRun(observation)) return undefined;
      const isOtherwise =
        isAgainstItsLog(observation) ||
        faultBesideSource(
          observation,
          beside.filter((each) => isRun(each)),
        ) !== undefined;
      return isOtherwise ? { snapshot: null } : undefined;
    },
  },
];
