import type { Mutant } from './mutant.ts';

export const cacheSharedAcrossTenants: Mutant = {
  id: 'cache-shared-across-tenants',
  breaks: 'A run is served the response that another tenant recorded for its structured call.',
  kills: ['cache-key.not-a-security-boundary.no-shared-response'],
  parts: ({ llmCache }) => ({
    llmCache: { ...llmCache, namespace: () => 'everyone', liveMayShare: ({ nodeId }) => nodeId === 'structured-call' },
  }),
};
