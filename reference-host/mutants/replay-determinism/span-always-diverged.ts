import type { Mutant } from '../mutant.ts';

export const spanAlwaysDiverged: Mutant = {
  id: 'span-always-diverged',
  breaks: 'The span of every replay says that it diverged.',
  kills: ['replay.no-false-divergence.span'],
  parts: () => ({
    span: (attributes) => ({ ...attributes, 'openwop.replay.diverged': true }),
  }),
};
