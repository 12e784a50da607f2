import type { Suite } from '../../src/runner/scenario.ts';
import { generations } from './generations.ts';
import { notACopy } from './not-a-copy.ts';
import { parallelBranches } from './parallel.ts';
import { readings } from './readings.ts';
import { sideEffects } from './side-effects.ts';
import { sweepForks } from './sweep.ts';
import { diagnoses } from './diagnoses.ts';
import { foundations } from './foundations.ts';

/** observable-sequence: does a replay show what its source showed, event by event and state by state? */
export const observableSequence: Suite = {
  id: 'observable-sequence',
  scenarios: [sweepForks, sideEffects, parallelBranches, generations, notACopy, readings],
  diagnoses,
  foundations,
};
