import type { Mutant } from '../mutant.ts';
import { alarm } from '../shared/refusal-alarm.ts';

export const alarmAtTheSameRefusal: Mutant = {
  id: 'alarm-at-the-same-refusal',
  breaks: 'A replay that is refused like its source claims to have diverged.',
  kills: ['refusal.no-false-alarm.refusal-to-refusal'],
  parts: ({ written }) => ({
    written: (draft, writing) => {
      const { nodeId } = draft;
      const original = writing.source().find((event) => event.type === 'envelope.refusal' && event.nodeId === nodeId);
      const drafts = written(draft, writing);
      const isAgain = draft.type === 'envelope.refusal' && original !== undefined;
      return isAgain ? [alarm(original, 'refusal'), ...drafts] : drafts;
    },
  }),
};
