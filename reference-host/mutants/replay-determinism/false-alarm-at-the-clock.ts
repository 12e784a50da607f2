import { alarm } from '../shared/false-alarm.ts';
import type { Mutant } from '../mutant.ts';

export const falseAlarmAtTheClock: Mutant = {
  id: 'false-alarm-at-the-clock',
  breaks: "A replay compares recorded times with the machine's clock, and reports that they differ.",
  kills: ['replay.no-false-divergence.clock'],
  parts: () => ({
    written: (draft, { run, source }) =>
      run.fork?.mode === 'replay' && draft.type === 'node.completed' && draft.nodeId === 'clock'
        ? [alarm(run, source()), draft]
        : [draft],
  }),
};
