import { defects as divergence } from './divergence.ts';
import { defects as failures } from './failures.ts';
import { defects as records } from './records.ts';
import { defects as silences } from './silences.ts';

/** The mutants that checks of replay-determinism have to kill. */
export const replayDeterminismMutants = [records, silences, divergence, failures];
