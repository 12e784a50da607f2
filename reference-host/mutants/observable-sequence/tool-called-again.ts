import { recalling } from '../shared/recorded-acts.ts';
import type { Mutant } from '../mutant.ts';

export const toolCalledAgain: Mutant = {
  id: 'tool-called-again',
  breaks: 'A replay calls tools again although their answers are recorded.',
  kills: [
    'sequence.nondeterministic-tool',
    'sequence.side-effects-cached',
    'sequence.content-addressed-tools',
    'replay.no-second-external-call',
    'once.idempotency-key.replay',
    'once.verification-strict',
    'once.verification-warn',
    'once.verification-human',
  ],
  parts: recalling('core.tool.http', () => undefined),
};
