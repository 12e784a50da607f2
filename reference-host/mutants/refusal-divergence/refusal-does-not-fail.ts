import type { Mutant } from '../mutant.ts';
import { member, stringMember } from '../../json.ts';
import { BOTH_CONTRACTS } from '../shared/refusal-parts.ts';

export const refusalDoesNotFail: Mutant = {
  id: 'refusal-does-not-fail',
  breaks: 'A replay that met the other kind of envelope says so and completes.',
  kills: [...BOTH_CONTRACTS],
  parts: ({ written, refusal }) => ({
    written: (draft, writing) => {
      const code = stringMember(member(draft.payload, 'error'), 'code');
      const isRefusal = draft.type === 'run.failed' && code === refusal.errorCode;
      return written(isRefusal ? { type: 'run.completed', payload: {} } : draft, writing);
    },
  }),
};
