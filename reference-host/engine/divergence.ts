import { isDeepStrictEqual } from 'node:util';
import { inLogOf, isAboutReplay, type EventDraft, type RunEvent } from '../store/event.ts';

/** Makes the replay.diverged event, given the id of the replay's own event. */
export type DivergenceReport = (replayEventId: string) => EventDraft;

/**
 * Follows a replay event by event along its source's log, events about replays left out on both sides. Gives a report
 * for an event that differs from the source's at the same aligned place (replay.md, Failure surfaces), at most one for
 * each event of the source. A replay that diverged at a refusal is not compared any further: that is another class (0041 §B).
 */
export function divergenceFinder(
  source: readonly RunEvent[],
  runId: string,
): (event: EventDraft) => DivergenceReport | undefined {
  const originals = source.filter((event) => !isAboutReplay(event.type));
  let cursor = 0;
  let reported = -1;
  let refused = false;
  return (event) => {
    refused ||= event.type === 'replay.divergedAtRefusal';
    const original = originals[cursor];
    if (refused || original === undefined || isAboutReplay(event.type)) return undefined;
    if (sameEvent(event, inLogOf(runId, original))) {
      cursor += 1;
      return undefined;
    }
    const isNew = reported !== cursor;
    reported = cursor;
    const counterpart = originals.findIndex((each, index) => index >= cursor && sameLabel(event, each));
    if (counterpart !== -1) cursor = counterpart + 1;
    return isNew ? reportOn(original, event.nodeId) : undefined;
  };
}

function reportOn(original: RunEvent, nodeId: string | undefined): DivergenceReport {
  return (replayEventId) => ({
    type: 'replay.diverged',
    ...(nodeId === undefined ? {} : { nodeId }),
    payload: {
      sourceRunId: original.runId,
      atSequence: original.sequence,
      originalEventId: original.eventId,
      replayEventId,
      divergencePoint: original.sequence,
    },
  });
}

/** Whether two events are of the same kind and of the same node, whatever they say. */
export function sameLabel(one: EventDraft, other: EventDraft): boolean {
  return one.type === other.type && one.nodeId === other.nodeId;
}

/** Whether two events say the same. Identity, order, time and cause belong to the log, not to the event. */
export function sameEvent(one: EventDraft, other: EventDraft): boolean {
  return sameLabel(one, other) && samePayload(one.payload, other.payload);
}

function samePayload(one: unknown, other: unknown): boolean {
  return isDeepStrictEqual(one, other) || isDeepStrictEqual(asWritten(one), asWritten(other));
}

/** A payload as the log gives it back: without undefined members and negative zeros. */
function asWritten(payload: unknown): unknown {
  return JSON.parse(JSON.stringify(payload));
}
