import { defects as causes } from './causes.ts';
import { defects as children } from './children.ts';
import { defects as decisions } from './decisions.ts';
import { defects as harvest } from './harvest.ts';
import { defects as payloads } from './payloads.ts';
import { defects as replays } from './replays.ts';
import { defects as transitions } from './transitions.ts';

/** The mutants that checks of handoff-state-machine have to kill. */
export const handoffStateMachineMutants = [transitions, harvest, causes, decisions, children, replays, payloads];
