import type { Mutant } from '../mutant.ts';

export const prefixRenumbered: Mutant = {
  id: 'prefix-renumbered',
  breaks: 'A replay counts its history from the next number on.',
  kills: ['refusal.mid-graph', 'sequence.prefix-equal'],
  parts: ({ replay }) => ({
    replay: {
      ...replay,
      inherited: (history, { mode }) =>
        mode === 'replay' ? history.map((event) => ({ ...event, sequence: event.sequence + 1 })) : history,
    },
  }),
};
