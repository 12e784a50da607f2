import type { RunEvent } from '../../src/host/run-event.ts';

/** Whether two of these events have one id: then an id leads to neither of them. */
export function shareIds(events: readonly Pick<RunEvent, 'eventId'>[]): boolean {
  return new Set(events.map(({ eventId }) => eventId)).size < events.length;
}
