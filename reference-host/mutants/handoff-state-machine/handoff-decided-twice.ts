import { writingSteps } from '../shared/handoff-parts.ts';
import type { Mutant } from '../mutant.ts';

export const handoffDecidedTwice: Mutant = {
  id: 'handoff-decided-twice',
  breaks: 'A turn emits its decision twice.',
  kills: ['handoff.loop', 'handoff.loop.turns'],
  parts: writingSteps(({ kind, drafts }) => (kind === 'decided' ? [...drafts, ...drafts] : drafts)),
};
