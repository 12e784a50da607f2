import { defects as answer } from './answer.ts';
import { defects as members } from './members.ts';
import { defects as replayDeterminism } from './replay-determinism.ts';

/** The mutants that checks of discovery have to kill. */
export const discoveryMutants = [answer, members, replayDeterminism];
