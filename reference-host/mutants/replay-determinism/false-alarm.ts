import { alarm } from '../shared/false-alarm.ts';
import type { Mutant } from '../mutant.ts';

export const falseAlarm: Mutant = {
  id: 'false-alarm',
  breaks: 'A replay reports a divergence at its end, whatever it did.',
  kills: ['replay.no-false-divergence'],
  parts: () => ({
    written: (draft, { run, source }) =>
      run.fork?.mode === 'replay' && draft.type === 'run.completed' && run.workflowId === 'conformance-multi-node'
        ? [alarm(run, source()), draft]
        : [draft],
  }),
};
