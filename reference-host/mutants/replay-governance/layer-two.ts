import type { LayerTwoCall } from '../../parts.ts';
import type { Defect, Defects } from '../mutant.ts';

/** A defect that names provider calls otherwise. */
function naming(breaks: string, name: (call: LayerTwoCall, digest: (text: string) => string) => string): Defect {
  return {
    breaks,
    kills: ['recovery.layer-two-id'],
    parts: ({ digest, llmCache }) => ({ llmCache: { ...llmCache, invocationId: (call) => name(call, digest) } }),
  };
}

/** Layer-2 invocation ids. */
export const defects: Defects = {
  'layer-two-id-without-attempt': naming(
    'The Layer-2 id of a call does not depend on the attempt.',
    ({ runId, nodeId, providerKey }, digest) => digest(`${runId}:${nodeId}:${providerKey}`),
  ),
  'layer-two-id-without-provider-key': naming(
    'The Layer-2 id of a call does not depend on what is asked.',
    ({ runId, nodeId, attempt }, digest) => digest(`${runId}:${nodeId}:${attempt}`),
  ),
  'layer-two-id-joined-otherwise': naming(
    'The parts of a Layer-2 id are joined by another character.',
    ({ runId, nodeId, attempt, providerKey }, digest) => digest([runId, nodeId, attempt, providerKey].join('|')),
  ),
  'layer-two-id-upper-case': naming(
    'A Layer-2 id is in upper case.',
    ({ runId, nodeId, attempt, providerKey }, digest) =>
      digest(`${runId}:${nodeId}:${attempt}:${providerKey}`).toUpperCase(),
  ),
  'layer-two-id-swapped': naming(
    'The provider key stands before the attempt in a Layer-2 id.',
    ({ runId, nodeId, attempt, providerKey }, digest) => digest(`${runId}:${nodeId}:${providerKey}:${attempt}`),
  ),
  'response-forgotten-by-crash': {
    breaks: 'A host that was started again asks the provider again for what is on record.',
    kills: ['recovery.layer-two-lookup'],
    parts: ({ llmCache }) => {
      const known = new Set<string>();
      const servesOwn = (invocationId: string, hostId: string): boolean => {
        const call = `${hostId} ${invocationId}`;
        const isKnown = known.has(call);
        known.add(call);
        return isKnown;
      };
      return { llmCache: { ...llmCache, servesOwn } };
    },
  },
};
