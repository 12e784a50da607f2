import type { Defects } from '../mutant.ts';

/** Layer-2 invocation ids. */
export const defects: Defects = {
  'layer-two-id-without-attempt': {
    breaks: 'The Layer-2 id of a call does not depend on the attempt.',
    kills: ['recovery.layer-two-id'],
    parts: ({ digest, llmCache }) => ({
      llmCache: {
        ...llmCache,
        invocationId: ({ runId, nodeId, providerKey }) => digest(`${runId}:${nodeId}:${providerKey}`),
      },
    }),
  },
  'layer-two-id-without-provider-key': {
    breaks: 'The Layer-2 id of a call does not depend on what is asked.',
    kills: ['recovery.layer-two-id'],
    parts: ({ digest, llmCache }) => ({
      llmCache: { ...llmCache, invocationId: ({ runId, nodeId, attempt }) => digest(`${runId}:${nodeId}:${attempt}`) },
    }),
  },
  'layer-two-id-joined-otherwise': {
    breaks: 'The parts of a Layer-2 id are joined by another character.',
    kills: ['recovery.layer-two-id'],
    parts: ({ digest, llmCache }) => ({
      llmCache: {
        ...llmCache,
        invocationId: ({ runId, nodeId, attempt, providerKey }) =>
          digest([runId, nodeId, attempt, providerKey].join('|')),
      },
    }),
  },
  'layer-two-id-upper-case': {
    breaks: 'A Layer-2 id is in upper case.',
    kills: ['recovery.layer-two-id'],
    parts: ({ digest, llmCache }) => ({
      llmCache: {
        ...llmCache,
        invocationId: ({ runId, nodeId, attempt, providerKey }) =>
          digest(`${runId}:${nodeId}:${attempt}:${providerKey}`).toUpperCase(),
      },
    }),
  },
  'layer-two-id-swapped': {
    breaks: 'The provider key stands before the attempt in a Layer-2 id.',
    kills: ['recovery.layer-two-id'],
    parts: ({ digest, llmCache }) => ({
      llmCache: {
        ...llmCache,
        invocationId: ({ runId, nodeId, attempt, providerKey }) =>
          digest(`${runId}:${nodeId}:${providerKey}:${attempt}`),
      },
    }),
  },
};
