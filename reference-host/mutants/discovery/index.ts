import { defects as document } from './document.ts';

/** The mutants that checks of discovery have to kill. */
export const discoveryMutants = [document];
