import type { Mutant } from './mutant.ts';

export const providerResponsesSharedAcrossTenants: Mutant = {
  id: 'provider-responses-shared-across-tenants',
  breaks: 'A run is served the response that another tenant recorded for a model outside the host.',
  kills: ['cache-key.not-a-security-boundary.counted-at-witness'],
  parts: ({ llmCache }) => ({
    llmCache: { ...llmCache, namespace: () => 'everyone', liveMayShare: ({ nodeId }) => nodeId === 'provider-call' },
  }),
};
