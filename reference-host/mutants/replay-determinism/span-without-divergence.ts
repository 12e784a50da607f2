import type { Mutant } from '../mutant.ts';

export const spanWithoutDivergence: Mutant = {
  id: 'span-without-divergence',
  breaks: 'The span of a replay does not say that it diverged.',
  kills: ['replay.divergence-span'],
  parts: () => ({
    span: (attributes) =>
      Object.fromEntries(Object.entries(attributes).filter(([name]) => name !== 'openwop.replay.diverged')),
  }),
};
