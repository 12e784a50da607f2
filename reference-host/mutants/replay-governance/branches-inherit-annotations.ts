import type { Mutant } from '../mutant.ts';

export const branchesInheritAnnotations: Mutant = {
  id: 'branches-inherit-annotations',
  breaks: 'A branch starts with the annotations of its source.',
  kills: ['annotation.not-inherited.branch'],
  parts: ({ sideResources }) => ({ sideResources: { ...sideResources, inherits: (mode) => mode === 'branch' } }),
};
