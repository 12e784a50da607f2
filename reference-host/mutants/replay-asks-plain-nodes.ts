import type { Mutant } from './mutant.ts';

export const replayAsksPlainNodes: Mutant = {
  id: 'replay-asks-plain-nodes',
  breaks: 'A replay asks the provider again for nodes that are not marked idempotent.',
  kills: ['cache-key.every-llm-node', 'replay.no-second-external-call.model', 'refusal.cached-response-wins'],
  parts: ({ llmCache }) => ({
    llmCache: { ...llmCache, onReplay: (call) => (call.idempotent ? llmCache.onReplay(call) : 'ask') },
  }),
};
