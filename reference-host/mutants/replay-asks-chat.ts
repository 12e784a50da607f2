import type { Mutant } from './mutant.ts';

export const replayAsksChat: Mutant = {
  id: 'replay-asks-chat',
  breaks: 'A replay asks the provider again for chat nodes.',
  kills: ['cache-key.every-llm-node'],
  parts: ({ llmCache }) => ({
    llmCache: {
      ...llmCache,
      onReplay: (call) => (call.typeId === 'core.ai.chat' ? 'ask' : llmCache.onReplay(call)),
    },
  }),
};
