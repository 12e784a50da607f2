import type { Mutant } from '../mutant.ts';
import { governing } from '../shared/governance-parts.ts';

export const deletedDataAskedAgain: Mutant = {
  id: 'deleted-data-asked-again',
  breaks: 'A replay that needs deleted data asks for it again.',
  kills: ['privacy.deleted-data'],
  parts: governing(() => ({
    deletedFork: () => undefined,
    erase: ({ where }) => (where === 'events' || where === 'others' ? 'mark' : 'forget'),
  })),
};
