import type { Mutant } from '../mutant.ts';

export const layerTwoIdJoinedOtherwise: Mutant = {
  id: 'layer-two-id-joined-otherwise',
  breaks: 'The parts of a Layer-2 id are joined by another character.',
  kills: ['recovery.layer-two-id'],
  parts: ({ digest, llmCache }) => ({
    llmCache: {
      ...llmCache,
      invocationId: ({ runId, nodeId, attempt, providerKey }) =>
        digest([runId, nodeId, attempt, providerKey].join('|')),
    },
  }),
};
