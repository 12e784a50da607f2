import type { Mutant } from './mutant.ts';

export const replayAsksAgain: Mutant = {
  id: 'replay-asks-again',
  breaks: 'A replay asks the provider again although the response is recorded.',
  kills: ['cache-key.every-llm-node', 'replay.no-second-external-call.model', 'refusal.cached-response-wins'],
  parts: ({ llmCache }) => ({ llmCache: { ...llmCache, onReplay: () => 'ask' } }),
};
