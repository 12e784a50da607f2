import type { Mutant } from '../mutant.ts';
import { isDeepStrictEqual } from 'node:util';
import { alarm } from '../shared/refusal-alarm.ts';

const LLM_NODES: ReadonlySet<string> = new Set(['gated-call', 'provider-call']);

export const alarmAtOtherContent: Mutant = {
  id: 'alarm-at-other-content',
  breaks: 'A replay whose model gives another valid envelope claims to have met a refusal.',
  kills: ['refusal.no-false-alarm.valid-to-valid'],
  parts: ({ written }) => ({
    written: (draft, writing) => {
      const { nodeId, payload } = draft;
      const original = writing.source().find((event) => event.type === 'node.completed' && event.nodeId === nodeId);
      const isOther =
        draft.type === 'node.completed' &&
        original !== undefined &&
        LLM_NODES.has(nodeId ?? '') &&
        !isDeepStrictEqual(payload, original.payload);
      const drafts = written(draft, writing);
      return isOther ? [alarm(original, 'valid'), ...drafts] : drafts;
    },
  }),
};
