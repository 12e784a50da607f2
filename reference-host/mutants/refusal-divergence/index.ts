import { defects as contents } from './contents.ts';
import { defects as elsewhere } from './elsewhere.ts';
import { defects as emission } from './emission.ts';
import { defects as payload } from './payload.ts';

/** The mutants that checks of refusal-divergence have to kill. */
export const refusalDivergenceMutants = [emission, contents, payload, elsewhere];
