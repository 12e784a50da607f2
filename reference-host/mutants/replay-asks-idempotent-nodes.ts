import type { Mutant } from './mutant.ts';

export const replayAsksIdempotentNodes: Mutant = {
  id: 'replay-asks-idempotent-nodes',
  breaks: 'A replay asks the provider again for nodes that are marked idempotent.',
  kills: ['cache-key.every-llm-node'],
  parts: ({ llmCache }) => ({
    llmCache: { ...llmCache, onReplay: (call) => (call.idempotent ? 'ask' : llmCache.onReplay(call)) },
  }),
};
