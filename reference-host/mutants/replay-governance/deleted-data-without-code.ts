import type { Mutant } from '../mutant.ts';
import { answeringDeleted } from '../shared/governance-parts.ts';

export const deletedDataWithoutCode: Mutant = {
  id: 'deleted-data-without-code',
  breaks: 'The refusal of a replay that needs deleted data has a message and no code.',
  kills: ['privacy.deleted-data.canonical-error'],
  parts: answeringDeleted((answer) => ({ ...answer, body: { message: 'Data that this replay needs was deleted.' } })),
};
