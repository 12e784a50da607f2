import type { RunEvent } from '../../store/event.ts';
import type { Defects } from '../mutant.ts';
import { forkAnswered, snapshotOnceForked } from '../shared/fork-parts.ts';

/** What a fork does to its source. */
export const defects: Defects = {
  'fork-marks-source-log': {
    breaks: 'A full replay leaves its mark in the log of its source, where that source called no model.',
    kills: ['fork.source-untouched', 'fork.source-untouched.refused', 'fork.source-untouched.duplicates'],
    parts: (conformant) => {
      const replayed = new Set<string>();
      const called = new Set<string>();
      return {
        ...forkAnswered((answer, { text, sourceRunId }) => {
          if (text === '{"mode":"replay"}') replayed.add(sourceRunId);
          return answer;
        })(conformant),
        eventOnWire: (event) => {
          if (event.type === 'provider.usage') called.add(event.runId);
          const marked = event.type === 'run.started' && replayed.has(event.runId) && !called.has(event.runId);
          return marked ? withMark(event) : event;
        },
      };
    },
  },
  'fork-reopens-source': {
    breaks: 'A run that was forked says in its snapshot that it runs.',
    kills: [
      'fork.source-untouched',
      'fork.source-untouched.refused',
      'fork.source-untouched.duplicates',
      'fork.source-untouched.branch',
    ],
    parts: snapshotOnceForked(
      (_, status) => status === 201,
      (snapshot) => ({ ...snapshot, status: 'running' }),
    ),
  },
  'refused-fork-tagged': {
    breaks: 'A refused fork leaves a tag at its source.',
    kills: ['fork.source-untouched.refused', 'fork.source-untouched.branch'],
    parts: snapshotOnceForked(
      (_, status) => status === 422,
      (snapshot) => ({ ...snapshot, tags: ['fork-failed'] }),
    ),
  },
};

function withMark(event: RunEvent): unknown {
  return { ...event, payload: { ...Object(event.payload), replayed: true } };
}
