import { isObject, type JsonObject } from '../../json.ts';
import type { EventDraft, EventType } from '../../store/event.ts';
import type { Parts } from '../mutant.ts';
import { noticing } from './run-memory.ts';
import { showingEvents } from './run-wire.ts';

/** Replays show no event of a type that they executed, where its payload is meant. */
export function losingEvents(type: EventType, isMeant: (payload: unknown) => boolean = () => true): Parts {
  return showingOthers(type, (event) => (isMeant(event['payload']) ? [] : [event]));
}

/** Replays show others instead of events of a type that they executed; they report what differs beside that. */
export function showingOthers(type: EventType, change: (event: JsonObject) => readonly JsonObject[]): Parts {
  return ({ middleware }) => {
    const starts = new Map<string, number>();
    const isExecuted = (runId: unknown, sequence: unknown): boolean =>
      Number(sequence) >= (starts.get(String(runId)) ?? Infinity);
    const showing = showingEvents(
      () => true,
      (event) => (event['type'] === type && isExecuted(event['runId'], event['sequence']) ? change(event) : [event]),
    );
    return {
      middleware: (next) =>
        noticing(showing(middleware(next)), /:fork$/u, ({ asked, runId }) => {
          if (asked['mode'] === 'replay') starts.set(runId, Number(asked['fromSeq'] ?? 0));
        }),
    };
  };
}

/** Replays write other payloads into events of a type, and do not report them. */
export function writingPayloads(type: EventType, change: (payload: JsonObject) => JsonObject): Parts {
  return writingInstead(type, saying(change));
}

/** A draft of which the payload says something else. */
export function saying(change: (payload: JsonObject) => JsonObject): (draft: EventDraft) => readonly EventDraft[] {
  return (draft) => [isObject(draft.payload) ? { ...draft, payload: change(draft.payload) } : draft];
}

/** Replays write others instead of events of a type, and report them where they are compared. */
export function writingOthers(type: EventType, change: (draft: EventDraft) => readonly EventDraft[]): Parts {
  return ({ written }) => ({
    written: (draft, writing) => {
      const isMeant = writing.run.fork?.mode === 'replay' && draft.type === type;
      return (isMeant ? change(draft) : [draft]).flatMap((each) => written(each, writing));
    },
  });
}

/** Replays write others instead of events of a type, and do not report them. */
export function writingInstead(type: EventType, change: (draft: EventDraft) => readonly EventDraft[]): Parts {
  return (parts) => {
    const { replay, written } = { ...parts, ...writingOthers(type, change)(parts) };
    let last: EventDraft | undefined;
    return {
      replay: { ...replay, diverged: (report) => (last?.type === type ? [] : replay.diverged(report)) },
      written: (draft, writing) => {
        last = draft;
        return written(draft, writing);
      },
    };
  };
}
