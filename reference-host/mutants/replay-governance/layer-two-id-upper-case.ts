import type { Mutant } from '../mutant.ts';

export const layerTwoIdUpperCase: Mutant = {
  id: 'layer-two-id-upper-case',
  breaks: 'A Layer-2 id is in upper case.',
  kills: ['recovery.layer-two-id'],
  parts: ({ digest, llmCache }) => ({
    llmCache: {
      ...llmCache,
      invocationId: ({ runId, nodeId, attempt, providerKey }) =>
        digest(`${runId}:${nodeId}:${attempt}:${providerKey}`).toUpperCase(),
    },
  }),
};
