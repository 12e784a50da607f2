import { defects as modes } from './modes.ts';
import { defects as requests } from './requests.ts';
import { defects as runs } from './runs.ts';
import { defects as shapes } from './shapes.ts';
import { defects as snapshots } from './snapshots.ts';

/** The mutants that checks of run-lifecycle have to kill. */
export const runLifecycleMutants = [runs, snapshots, requests, modes, shapes];
