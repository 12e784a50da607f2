import type { Mutant } from '../mutant.ts';
import type { RunEvent } from '../../store/event.ts';
import { forkAnswered } from '../shared/fork-parts.ts';

function withMark(event: RunEvent): unknown {
  return { ...event, payload: { ...Object(event.payload), replayed: true } };
}

export const forkMarksSourceLog: Mutant = {
  id: 'fork-marks-source-log',
  breaks: 'A replay leaves its mark in the log of its source.',
  kills: ['fork.source-untouched'],
  parts: (conformant) => {
    const replayed = new Set<string>();
    return {
      ...forkAnswered((answer, { body, sourceRunId }) => {
        if (body['mode'] === 'replay') replayed.add(sourceRunId);
        return answer;
      })(conformant),
      eventOnWire: (event) => (event.type === 'run.started' && replayed.has(event.runId) ? withMark(event) : event),
    };
  },
};
