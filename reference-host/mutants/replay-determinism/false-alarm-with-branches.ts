import { alarm } from '../shared/false-alarm.ts';
import type { Mutant } from '../mutant.ts';

export const falseAlarmWithBranches: Mutant = {
  id: 'false-alarm-with-branches',
  breaks: 'A replay compares concurrent branches by their places in the log, and reports that they differ.',
  kills: ['replay.no-false-divergence.every-fixture'],
  parts: () => ({
    written: (draft, { run, source }) =>
      run.fork?.mode === 'replay' &&
      draft.type === 'run.completed' &&
      run.workflowId === 'conformance-determinism-parallel'
        ? [alarm(run, source()), draft]
        : [draft],
  }),
};
