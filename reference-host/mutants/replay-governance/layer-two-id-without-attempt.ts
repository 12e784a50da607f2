import type { Mutant } from '../mutant.ts';

export const layerTwoIdWithoutAttempt: Mutant = {
  id: 'layer-two-id-without-attempt',
  breaks: 'The Layer-2 id of a call does not depend on the attempt.',
  kills: ['recovery.layer-two-id'],
  parts: ({ digest, llmCache }) => ({
    llmCache: {
      ...llmCache,
      invocationId: ({ runId, nodeId, providerKey }) => digest(`${runId}:${nodeId}:${providerKey}`),
    },
  }),
};
