import { isObject } from '../../json.ts';
import type { EventDraft } from '../../store/event.ts';
import type { Defects, Parts } from '../mutant.ts';

const FAILURE = 'conformance-failure';

/** Changes how replays of the failing workflow end; they report no divergence. */
function endingReplays(change: (end: EventDraft) => EventDraft): Parts {
  return ({ written }) => ({
    written: (draft, writing) => {
      const { workflowId, fork } = writing.run;
      if (workflowId !== FAILURE || fork?.mode !== 'replay') return written(draft, writing);
      if (draft.type === 'replay.diverged') return [];
      return written(draft.type === 'run.failed' ? change(draft) : draft, writing);
    },
  });
}

/** Replays of runs that failed. */
export const defects: Defects = {
  'replay-failure-gone': {
    breaks: 'The replay of a run that failed completes.',
    kills: ['replay.same-failure'],
    parts: endingReplays(() => ({ type: 'run.completed', payload: {} })),
  },
  'replay-fails-otherwise': {
    breaks: 'The replay of a run that failed fails with another error.',
    kills: ['replay.same-failure'],
    parts: endingReplays((end) => {
      const error = { code: 'replay_failed', message: 'The replay failed.' };
      return { ...end, payload: isObject(end.payload) ? { ...end.payload, error } : { error } };
    }),
  },
};
