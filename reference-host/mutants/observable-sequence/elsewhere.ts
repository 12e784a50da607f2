import { member } from '../../json.ts';
import type { Defects } from '../mutant.ts';
import { recalling } from '../shared/replay-parts.ts';

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
  'entries-expire-anew': {
    breaks: 'A replay, which does not wait, drops the entries of a channel by the time at which it writes them itself.',
    kills: ['sequence.state-equal'],
    parts: recalling('core.channelWrite', () => undefined),
  },
};
