import { member } from '../../json.ts';
import type { Defects } from '../mutant.ts';
import { divergedAs, recalling } from '../shared/replay-parts.ts';

function longer(value: unknown): object {
  return { waitedMs: Number(member(value, 'waitedMs')) + 1 };
}

/** Defects that only workflows show which public hosts have. */
export const defects: Defects = {
  'replay-loses-an-input': {
    breaks: 'A replay begins without the object that its source was given as a variable.',
    kills: ['sequence.state-equal'],
    parts: ({ written }) => ({
      written: (draft, writing) => {
        const isInput = draft.type === 'variable.changed' && member(draft.payload, 'name') === 'payload';
        return isInput && writing.run.fork?.mode === 'replay' ? [] : written(draft, writing);
      },
    }),
  },
  'replay-waits-longer': {
    breaks: 'A replay says of a wait that it took longer than the record says, and not that it differs.',
    kills: ['replay.divergence-is-reported.every-fixture'],
    parts: (conformant) => {
      const silent = divergedAs((report) => (report.nodeId === 'wait' ? [] : [report]))(conformant);
      return recalling('core.delay', (recorded) => ({ ...recorded, value: longer(recorded.value) }))({
        ...conformant,
        ...silent,
      });
    },
  },
  'replay-waits-longer-and-says-so': {
    breaks: 'A replay says of a wait that it took longer than the record says, and reports that it differs.',
    kills: ['sequence.state-equal.every-fixture'],
    parts: recalling('core.delay', (recorded) => ({ ...recorded, value: longer(recorded.value) })),
  },
  'replayed-replay-waits-longer': {
    breaks: 'A replay of a replay says of a wait that it took longer than the record says, and not that it differs.',
    kills: ['sequence.replay-of-replay.every-fixture'],
    parts: (conformant) => {
      const silent = divergedAs((report) => (report.nodeId === 'wait' ? [] : [report]))(conformant);
      return recalling('core.delay', (recorded, { ofFork }) =>
        ofFork ? { ...recorded, value: longer(recorded.value) } : recorded,
      )({ ...conformant, ...silent });
    },
  },
  'entries-expire-anew': {
    breaks: 'A replay, which does not wait, drops the entries of a channel by the time at which it writes them itself.',
    kills: ['sequence.state-equal'],
    parts: recalling('core.channelWrite', () => undefined),
  },
};
