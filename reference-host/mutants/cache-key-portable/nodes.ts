import type { Defects } from '../mutant.ts';

/** LLM nodes and the cached responses behind the keys. */
export const defects: Defects = {
  'cache-shared-across-tenants': {
    breaks: 'A run is served the response that another tenant recorded for its structured call.',
    kills: ['cache-key.not-a-security-boundary.no-shared-response'],
    parts: ({ llmCache }) => ({
      llmCache: {
        ...llmCache,
        namespace: () => 'everyone',
        liveMayShare: ({ nodeId }) => nodeId === 'structured-call',
      },
    }),
  },
  'provider-responses-shared-across-tenants': {
    breaks: 'A run is served the response that another tenant recorded for a model outside the host.',
    kills: ['cache-key.not-a-security-boundary.counted-at-witness'],
    parts: ({ llmCache }) => ({
      llmCache: { ...llmCache, namespace: () => 'everyone', liveMayShare: ({ nodeId }) => nodeId === 'provider-call' },
    }),
  },
  'replay-asks-again': {
    breaks: 'A replay asks the provider again although the response is recorded.',
    kills: ['cache-key.every-llm-node', 'replay.no-second-external-call.model', 'refusal.cached-response-wins'],
    parts: ({ llmCache }) => ({ llmCache: { ...llmCache, onReplay: () => 'ask' } }),
  },
  'replay-asks-plain-nodes': {
    breaks: 'A replay asks the provider again for nodes that are not marked idempotent.',
    kills: ['cache-key.every-llm-node', 'replay.no-second-external-call.model', 'refusal.cached-response-wins'],
    parts: ({ llmCache }) => ({
      llmCache: { ...llmCache, onReplay: (call) => (call.idempotent ? llmCache.onReplay(call) : 'ask') },
    }),
  },
  'replay-asks-idempotent-nodes': {
    breaks: 'A replay asks the provider again for nodes that are marked idempotent.',
    kills: ['cache-key.every-llm-node'],
    parts: ({ llmCache }) => ({
      llmCache: { ...llmCache, onReplay: (call) => (call.idempotent ? 'ask' : llmCache.onReplay(call)) },
    }),
  },
  'replay-asks-chat': {
    breaks: 'A replay asks the provider again for chat nodes.',
    kills: ['cache-key.every-llm-node'],
    parts: ({ llmCache }) => ({
      llmCache: {
        ...llmCache,
        onReplay: (call) => (call.typeId === 'core.ai.chat' ? 'ask' : llmCache.onReplay(call)),
      },
    }),
  },
  'replay-asks-tool-calling': {
    breaks: 'A replay asks the provider again for tool calling nodes.',
    kills: ['cache-key.every-llm-node'],
    parts: ({ llmCache }) => ({
      llmCache: {
        ...llmCache,
        onReplay: (call) => (call.typeId === 'core.ai.toolCalling' ? 'ask' : llmCache.onReplay(call)),
      },
    }),
  },
  'replay-asks-structured-output': {
    breaks: 'A replay asks the provider again for structured output nodes.',
    kills: ['cache-key.every-llm-node', 'replay.no-second-external-call.model', 'refusal.cached-response-wins'],
    parts: ({ llmCache }) => ({
      llmCache: {
        ...llmCache,
        onReplay: (call) => (call.typeId === 'core.ai.structuredOutput' ? 'ask' : llmCache.onReplay(call)),
      },
    }),
  },
};
