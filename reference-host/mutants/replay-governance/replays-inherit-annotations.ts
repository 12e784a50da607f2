import type { Mutant } from '../mutant.ts';

export const replaysInheritAnnotations: Mutant = {
  id: 'replays-inherit-annotations',
  breaks: 'A replay starts with the annotations of its source.',
  kills: ['annotation.not-inherited.replay'],
  parts: ({ sideResources }) => ({ sideResources: { ...sideResources, inherits: (mode) => mode === 'replay' } }),
};
