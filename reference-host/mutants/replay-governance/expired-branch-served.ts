import type { Mutant } from '../mutant.ts';
import { answeringExpired } from '../shared/governance-parts.ts';

export const expiredBranchServed: Mutant = {
  id: 'expired-branch-served',
  breaks: 'Branches are made of what is left where the events that they need have expired.',
  kills: ['retention.expired-range.branch'],
  parts: answeringExpired((answer, { mode }) => (mode === 'replay' ? answer : undefined)),
};
