import type { Mutant } from './mutant.ts';

export const replayAsksAgain: Mutant = {
  id: 'replay-asks-again',
  breaks: 'A replay asks the provider again although the response is recorded.',
  kills: ['cache-key.every-llm-node', 'refusal.cached-response-wins'],
  parts: ({ llmCache }) => ({ llmCache: { ...llmCache, onReplay: () => 'ask' } }),
};
