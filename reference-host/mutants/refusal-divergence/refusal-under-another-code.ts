import type { Mutant } from '../mutant.ts';
import { BOTH_CONTRACTS } from '../shared/refusal-parts.ts';

export const refusalUnderAnotherCode: Mutant = {
  id: 'refusal-under-another-code',
  breaks: 'A replay that met the other kind of envelope fails as a live run that was refused.',
  kills: [...BOTH_CONTRACTS],
  parts: ({ refusal }) => ({ refusal: { ...refusal, errorCode: 'envelope_refused' } }),
};
