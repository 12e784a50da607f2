import type { Mutant } from '../mutant.ts';

export const layerTwoIdSwapped: Mutant = {
  id: 'layer-two-id-swapped',
  breaks: 'The provider key stands before the attempt in a Layer-2 id.',
  kills: ['recovery.layer-two-id'],
  parts: ({ digest, llmCache }) => ({
    llmCache: {
      ...llmCache,
      invocationId: ({ runId, nodeId, attempt, providerKey }) => digest(`${runId}:${nodeId}:${providerKey}:${attempt}`),
    },
  }),
};
