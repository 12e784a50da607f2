import type { Mutant } from '../mutant.ts';
import { bothDirections, describing } from '../shared/refusal-parts.ts';

export const refusalNamesAnotherNode: Mutant = {
  id: 'refusal-names-another-node',
  breaks: 'The event names another node.',
  kills: [...bothDirections('locates-the-call')],
  parts: describing((divergence) => ({ ...divergence, nodeId: 'another-node' })),
};
