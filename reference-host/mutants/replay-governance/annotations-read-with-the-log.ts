import type { Mutant } from '../mutant.ts';
import { rememberingAnnotations } from '../shared/annotated-runs.ts';
import { rewritingEvents } from '../shared/run-wire.ts';
export const annotationsReadWithTheLog: Mutant = {
  id: 'annotations-read-with-the-log',
  breaks: 'Whoever reads the log of a run gets its annotations as events.',
  kills: ['annotation.not-an-event.log', 'annotation.not-an-event.fork'],
  parts: () => {
    const annotated = new Map<string, unknown>();
    const reading = rewritingEvents(/\/events$/, (events) => {
      const last = events.at(-1);
      const payload = annotated.get(String(last?.['runId']));
      if (last === undefined || payload === undefined) return events;
      const sequence = Number(last['sequence']) + 1;
      return [...events, { ...last, eventId: `annotated-${sequence}`, sequence, type: 'run.annotated', payload }];
    })();
    return { middleware: (next) => rememberingAnnotations(reading.middleware?.(next) ?? next, annotated) };
  },
};
