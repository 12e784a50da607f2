import type { EventDraft } from '../../reference-host/store/event.ts';
import { isObject } from '../../reference-host/json.ts';
import type { Variant } from './variant.ts';

/** Inside the host one of the events that alignment leaves out; outside a type that nobody has heard of. */
const NOTE: EventDraft = { type: 'replay.diverged', payload: { note: 'This run is a replay.' } };

/** The first event of every replay is one about the replay, so all its later numbers are shifted. */
export const notedReplays: Variant = {
  id: 'noted-replays',
  parts: ({ replay, written, eventOnWire, span }) => {
    const diverged = new Set<string>();
    let writer = '';
    return {
      // Inside the host a note looks like a report; what its spans say must not.
      span: (attributes) => {
        const given = span(attributes);
        const wrong = given['openwop.replay.diverged'] === true && !diverged.has(String(given['openwop.run_id']));
        return wrong ? { ...given, 'openwop.replay.diverged': false } : given;
      },
      replay: {
        ...replay,
        diverged: (report) => {
          diverged.add(writer);
          return replay.diverged(report);
        },
        inherited: (history, fork) => {
          const kept = replay.inherited(history, fork);
          const [first] = kept;
          if (fork.mode !== 'replay' || first === undefined) return kept;
          const shifted = kept.map((event) => ({ ...event, sequence: event.sequence + 1 }));
          return [{ ...first, ...NOTE, eventId: `${first.eventId}-note` }, ...shifted];
        },
      },
      written: (draft, writing) => {
        writer = writing.run.runId;
        const starts = draft.type === 'run.started' && writing.run.fork?.mode === 'replay';
        return [...(starts ? [NOTE] : []), ...written(draft, writing)];
      },
      eventOnWire: (event, reading) => {
        const isNote = isObject(event.payload) && Object.hasOwn(event.payload, 'note');
        const shown = eventOnWire(event, reading);
        return isNote && isObject(shown) ? { ...shown, type: 'replay.noted' } : shown;
      },
    };
  },
};
