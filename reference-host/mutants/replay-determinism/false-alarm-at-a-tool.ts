import { alarm } from '../shared/false-alarm.ts';
import type { Mutant } from '../mutant.ts';

export const falseAlarmAtATool: Mutant = {
  id: 'false-alarm-at-a-tool',
  breaks: 'A replay that takes the answer of a tool from the record reports that the tool was not called.',
  kills: ['replay.no-false-divergence.every-fixture'],
  parts: () => ({
    written: (draft, { run, source }) =>
      run.fork?.mode === 'replay' &&
      draft.type === 'node.completed' &&
      run.workflowId === 'conformance-determinism-side-effects'
        ? [alarm(run, source()), draft]
        : [draft],
  }),
};
