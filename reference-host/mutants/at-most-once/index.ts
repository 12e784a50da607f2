import { defects as failures } from './failures.ts';
import { defects as keys } from './keys.ts';
import { defects as recovery } from './recovery.ts';
import { defects as verification } from './verification.ts';

/** The mutants that checks of at-most-once have to kill. */
export const atMostOnceMutants = [recovery, failures, keys, verification];
