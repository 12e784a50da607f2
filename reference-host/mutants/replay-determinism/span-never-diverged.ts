import type { Mutant } from '../mutant.ts';

export const spanNeverDiverged: Mutant = {
  id: 'span-never-diverged',
  breaks: 'The span of every replay says that it did not diverge.',
  kills: ['replay.divergence-span'],
  parts: () => ({
    span: (attributes) => ({ ...attributes, 'openwop.replay.diverged': false }),
  }),
};
