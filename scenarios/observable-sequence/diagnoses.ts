import { causes } from '../shared/causes.ts';

/** The causes that the judges of this suite alone name. */
export const { diagnoses, wrong } = causes([
  [
    'return-value-only',
    'the recorded result is there, but not everything that the recorded call did',
    ['sequence.nondeterministic-tool', 'sequence.side-effects-cached', 'sequence.content-addressed-tools'],
  ],
]);
