import { alarm } from '../shared/false-alarm.ts';
import type { Mutant } from '../mutant.ts';

export const falseAlarmFromTheMiddle: Mutant = {
  id: 'false-alarm-from-the-middle',
  breaks: 'A replay that inherits history reports a divergence where it begins to execute.',
  kills: ['replay.no-false-divergence'],
  parts: () => ({
    written: (draft, { run, source }) =>
      run.fork?.mode === 'replay' &&
      run.fork.fromSeq > 0 &&
      draft.type === 'run.completed' &&
      run.workflowId === 'conformance-determinism-constant'
        ? [alarm(run, source()), draft]
        : [draft],
  }),
};
