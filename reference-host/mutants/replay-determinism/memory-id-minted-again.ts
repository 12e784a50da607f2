import { newId } from '../../ids.ts';
import { onReplayOf, withPayload } from '../shared/replay-parts.ts';
import type { Mutant } from '../mutant.ts';

export const memoryIdMintedAgain: Mutant = {
  id: 'memory-id-minted-again',
  breaks: 'A replay mints new ids for memories.',
  kills: ['replay.recorded-facts-verbatim'],
  parts: onReplayOf('core.memory.write', (recorded) => ({
    ...recorded,
    events: recorded.events.map((event) =>
      event.type === 'memory.written' ? withPayload(event, { memoryId: newId('mem') }) : event,
    ),
  })),
};
