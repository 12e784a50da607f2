import type { Mutant } from '../mutant.ts';
import { governing } from '../shared/governance-parts.ts';

export const deletedDataServed: Mutant = {
  id: 'deleted-data-served',
  breaks: 'Deleted data is erased of the log and kept where replays are served from.',
  kills: ['privacy.deleted-data', 'privacy.deleted-data.re-exposed'],
  parts: governing(() => ({
    deletedFork: () => undefined,
    erase: ({ where }) => (where === 'events' || where === 'others' ? 'mark' : 'keep'),
  })),
};
