import { phaseOf } from '../shared/handoff-parts.ts';
import type { Mutant } from '../mutant.ts';

export const handoffReplayHarvestsSilently: Mutant = {
  id: 'handoff-replay-harvests-silently',
  breaks: 'A replay does not tell the harvests of its source.',
  kills: ['handoff.replays'],
  parts: ({ written }) => ({
    written: (draft, writing) =>
      phaseOf(draft) === 'output.harvested' && writing.run.fork?.mode === 'replay' ? [] : written(draft, writing),
  }),
};
