import type { Mutant } from '../mutant.ts';
import { advertisingWith } from '../shared/discovery-parts.ts';

export const branchUnadvertised: Mutant = {
  id: 'branch-unadvertised',
  breaks: 'Branches are carried out although the replay block leaves them out.',
  kills: ['fork.unadvertised-mode'],
  parts: advertisingWith(['replay'], { modes: ['replay'] }),
};
