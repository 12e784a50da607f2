import { member } from '../../reference-host/json.ts';
import type { Variant } from './variant.ts';

/** A replay that diverges at a refusal also tells about its call: what it used, and that the provider refused. */
export const wordyRefusals: Variant = {
  id: 'wordy-refusals',
  parts: ({ written }) => ({
    written: (draft, writing) => {
      const drafts = written(draft, writing);
      if (draft.type !== 'replay.divergedAtRefusal' || draft.nodeId === undefined) return drafts;
      const { nodeId } = draft;
      const usage = { type: 'provider.usage', nodeId, payload: { provider: 'mock', totalTokens: 0 } } as const;
      const refused = { type: 'envelope.refusal', nodeId, payload: { nodeId, stopReason: 'safety' } } as const;
      const isRefused = member(draft.payload, 'replayEnvelopeKind') === 'refusal';
      return [...drafts, usage, ...(isRefused ? [refused] : [])];
    },
  }),
};
