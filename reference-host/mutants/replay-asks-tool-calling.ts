import type { Mutant } from './mutant.ts';

export const replayAsksToolCalling: Mutant = {
  id: 'replay-asks-tool-calling',
  breaks: 'A replay asks the provider again for tool calling nodes.',
  kills: ['cache-key.every-llm-node'],
  parts: ({ llmCache }) => ({
    llmCache: {
      ...llmCache,
      onReplay: (call) => (call.typeId === 'core.ai.toolCalling' ? 'ask' : llmCache.onReplay(call)),
    },
  }),
};
