import { defects as requests } from './requests.ts';
import { defects as runs } from './runs.ts';
import { defects as shapes } from './shapes.ts';

/** The mutants that checks of run-lifecycle have to kill. */
export const runLifecycleMutants = [runs, requests, shapes];
