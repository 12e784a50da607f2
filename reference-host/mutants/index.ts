import type { Mutant } from './mutant.ts';

/** All mutants, grouped by the suite that kills them. */
export const MUTANTS: readonly Mutant[] = [];
