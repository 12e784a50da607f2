import type { Mutant } from '../mutant.ts';
import { answeringExpired } from '../shared/governance-parts.ts';

export const expiredDetailsMissing: Mutant = {
  id: 'expired-details-missing',
  breaks: 'The refusal of a fork below the retention boundary has no details.',
  kills: ['retention.expired-range.details'],
  parts: answeringExpired((answer) => {
    const { error, message } = answer.body as { readonly error: string; readonly message: string };
    return { ...answer, body: { error, message } };
  }),
};
