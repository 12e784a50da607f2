import { advertisingWith, EXECUTION_MODEL } from '../shared/discovery-parts.ts';
import type { Mutant } from '../mutant.ts';

export const handoffUnsupportedAndTold: Mutant = {
  id: 'handoff-unsupported-and-told',
  breaks: 'A host tells its handoffs although it says that it does not support the execution model.',
  kills: ['handoff.not-unless-supported'],
  parts: advertisingWith(EXECUTION_MODEL, { supported: false }),
};
