import { newId } from '../../ids.ts';
import { withPayload } from '../shared/replay-parts.ts';
import type { Mutant } from '../mutant.ts';

export const memoryIdMintedInHistory: Mutant = {
  id: 'memory-id-minted-in-history',
  breaks: 'A fork mints new ids for the memories of its history.',
  kills: ['replay.recorded-facts-verbatim.in-history', 'sequence.prefix-equal'],
  parts: ({ replay }) => ({
    replay: {
      ...replay,
      inherited: (history) =>
        history.map((event) =>
          event.type === 'memory.written' ? withPayload(event, { memoryId: newId('mem') }) : event,
        ),
    },
  }),
};
