import type { Mutant } from '../mutant.ts';
import type { RunEvent } from '../../store/event.ts';
import { forkAnswered } from '../shared/fork-parts.ts';

function withMark(event: RunEvent): unknown {
  return { ...event, payload: { ...Object(event.payload), replayed: true } };
}

export const forkMarksSourceLog: Mutant = {
  id: 'fork-marks-source-log',
  breaks: 'A full replay leaves its mark in the log of its source, where that source called no model.',
  kills: ['fork.source-untouched'],
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
};
