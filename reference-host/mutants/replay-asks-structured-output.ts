import type { Mutant } from './mutant.ts';

export const replayAsksStructuredOutput: Mutant = {
  id: 'replay-asks-structured-output',
  breaks: 'A replay asks the provider again for structured output nodes.',
  kills: ['cache-key.every-llm-node', 'replay.no-second-external-call.model', 'refusal.cached-response-wins'],
  parts: ({ llmCache }) => ({
    llmCache: {
      ...llmCache,
      onReplay: (call) => (call.typeId === 'core.ai.structuredOutput' ? 'ask' : llmCache.onReplay(call)),
    },
  }),
};
