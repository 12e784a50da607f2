import type { Mutant } from '../mutant.ts';

export const logCopied: Mutant = {
  id: 'log-copied',
  breaks: 'A replay copies the log of its source instead of executing.',
  kills: [
    'sequence.not-a-copy',
    'fork.replay-defaults-to-zero',
    'refusal.valid-to-refusal',
    'refusal.refusal-to-valid',
  ],
  parts: ({ replay }) => ({ replay: { ...replay, carryOut: () => 'copy' } }),
};
