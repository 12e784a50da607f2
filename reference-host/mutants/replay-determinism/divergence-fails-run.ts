import { divergedAs } from '../shared/replay-parts.ts';
import type { Mutant } from '../mutant.ts';

export const divergenceFailsRun: Mutant = {
  id: 'divergence-fails-run',
  breaks: 'A replay that differs from its source fails.',
  kills: ['replay.divergence-continues', 'once.verification-human'],
  parts: divergedAs((report) => {
    const error = { code: 'replay_diverged', message: 'The replay differs from its source.' };
    return [report, { type: 'run.failed', payload: { error } }];
  }),
};
