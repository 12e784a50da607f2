import type { Mutant } from '../mutant.ts';

export const replayAsksOutsideModel: Mutant = {
  id: 'replay-asks-outside-model',
  breaks: 'A replay asks a model outside the host again.',
  kills: ['replay.no-second-external-call.model', 'refusal.cached-response-wins'],
  parts: ({ llmCache }) => ({
    llmCache: {
      ...llmCache,
      onReplay: (call) => (call.nodeId === 'provider-call' ? 'ask' : llmCache.onReplay(call)),
    },
  }),
};
