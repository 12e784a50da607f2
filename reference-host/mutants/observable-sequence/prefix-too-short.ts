import type { Mutant } from '../mutant.ts';

export const prefixTooShort: Mutant = {
  id: 'prefix-too-short',
  breaks: 'A replay inherits one event less than it should, and makes it anew.',
  kills: ['sequence.prefix-equal.changed-code'],
  parts: ({ replay }) => ({
    replay: {
      ...replay,
      inherited: (history, { mode }) => (mode === 'replay' ? history.slice(0, -1) : history),
    },
  }),
};
