import type { Mutant } from '../mutant.ts';
import { answeringDeleted } from '../shared/governance-parts.ts';

export const deletedDataReplayedWithout: Mutant = {
  id: 'deleted-data-replayed-without',
  breaks: 'A replay goes on with the mark in the place of deleted data.',
  kills: ['privacy.deleted-data'],
  parts: answeringDeleted(() => undefined),
};
