import type { Mutant } from '../mutant.ts';

export const layerTwoIdWithoutProviderKey: Mutant = {
  id: 'layer-two-id-without-provider-key',
  breaks: 'The Layer-2 id of a call does not depend on what is asked.',
  kills: ['recovery.layer-two-id'],
  parts: ({ digest, llmCache }) => ({
    llmCache: { ...llmCache, invocationId: ({ runId, nodeId, attempt }) => digest(`${runId}:${nodeId}:${attempt}`) },
  }),
};
