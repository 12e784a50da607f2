import { defects as elsewhere } from './elsewhere.ts';
import { defects as histories } from './histories.ts';
import { defects as readings } from './readings.ts';
import { defects as sequences } from './sequences.ts';
import { defects as tools } from './tools.ts';

/** The mutants that checks of observable-sequence have to kill. */
export const observableSequenceMutants = [sequences, tools, histories, readings, elsewhere];
