import { member, isObject } from '../../reference-host/json.ts';
import type { EventDraft } from '../../reference-host/store/event.ts';
import type { Variant } from './variant.ts';
import { around, isEventStream, rewritingText } from './wire.ts';

/** A report of a divergence names the source and a sequence number of it, and no event. */
export const divergenceBySequence: Variant = {
  id: 'divergence-by-sequence',
  parts: ({ replay }) => ({
    replay: {
      ...replay,
      diverged: (report) =>
        replay.diverged(report).map((each) => {
          const { payload } = each;
          const place = { sourceRunId: member(payload, 'sourceRunId'), atSequence: member(payload, 'atSequence') };
          return { ...each, payload: { ...place, divergenceKind: 'output' } };
        }),
    },
  }),
};

function isShown(event: unknown): boolean {
  return member(event, 'type') !== 'replay.diverged';
}

function withoutReports(body: unknown): unknown {
  const events = member(body, 'events');
  return isObject(body) && Array.isArray(events) ? { ...body, events: events.filter(isShown) } : body;
}

/** The host writes whole events at a time. */
function withoutReportLines(text: string): string {
  return text
    .split('\n\n')
    .filter((message) => !/^event: replay\.diverged$/m.test(message))
    .join('\n\n');
}

/** What is said about a divergence is seen in the stream mode debug and nowhere else. */
export const divergenceInDebugOnly: Variant = {
  id: 'divergence-in-debug-only',
  parts: around(/\/events(\/poll)?$/, async (request, next) => {
    const response = await next(request);
    if (request.url.includes('streamMode=debug') || response.status !== 200) return response;
    if (isEventStream(response)) return rewritingText(response, withoutReportLines);
    return Response.json(withoutReports(await response.json()));
  }),
};

/** replay.divergedAtRefusal has the four required members only, and its atSequence counts in the replay's own log. */
export const bareRefusalEvent: Variant = {
  id: 'bare-refusal-event',
  parts: ({ eventOnWire }) => ({
    eventOnWire: (event, reading) => {
      if (event.type !== 'replay.divergedAtRefusal') return eventOnWire(event, reading);
      const { nodeId: _, ...bare } = event;
      const payload = {
        sourceRunId: member(event.payload, 'sourceRunId'),
        atSequence: event.sequence,
        originalEnvelopeKind: member(event.payload, 'originalEnvelopeKind'),
        replayEnvelopeKind: member(event.payload, 'replayEnvelopeKind'),
      };
      return eventOnWire({ ...bare, payload }, reading);
    },
  }),
};

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
