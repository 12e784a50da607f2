import type { Suite } from '../../src/runner/scenario.ts';
import { diagnoses } from './diagnoses.ts';
import { foundations } from './foundations.ts';
import { created } from './created.ts';
import { creating } from './creating.ts';
import { resuming } from './resuming.ts';
import { shapes } from './shapes.ts';
import { snapshot } from './snapshot.ts';

/** run-lifecycle: can a run be made, followed and read, and do its readings say the same of it? */
export const runLifecycle: Suite = {
  id: 'run-lifecycle',
  scenarios: [created, snapshot, creating, resuming, shapes],
  diagnoses,
  foundations,
};
