import type { Mutant } from '../mutant.ts';
import { answeringExpired, withDetails } from '../shared/governance-parts.ts';

export const expiredDetailsOtherSource: Mutant = {
  id: 'expired-details-other-source',
  breaks: 'Its details name another source.',
  kills: ['retention.expired-range.details'],
  parts: answeringExpired((answer) => withDetails(answer, (details) => ({ ...details, sourceRunId: 'run_0' }))),
};
