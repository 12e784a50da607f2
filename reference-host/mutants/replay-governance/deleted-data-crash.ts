import type { Mutant } from '../mutant.ts';
import { answeringDeleted } from '../shared/governance-parts.ts';

export const deletedDataCrash: Mutant = {
  id: 'deleted-data-crash',
  breaks: 'A replay that needs deleted data is answered with 500.',
  kills: ['privacy.deleted-data'],
  parts: answeringDeleted((answer) => ({ ...answer, status: 500 })),
};
