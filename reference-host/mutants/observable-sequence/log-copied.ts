import type { Mutant } from '../mutant.ts';

export const logCopied: Mutant = {
  id: 'log-copied',
  breaks: 'A replay copies the log of its source instead of executing.',
  kills: [
    'sequence.not-a-copy',
    'fork.replay-defaults-to-zero',
    'refusal.valid-to-refusal',
    'refusal.refusal-to-valid',
    'once.verification-strict',
    'once.verification-warn',
    'once.verification-human',
  ],
  parts: ({ replay }) => ({ replay: { ...replay, carryOut: () => 'copy' } }),
};
