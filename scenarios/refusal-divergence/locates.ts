import { isRecord, type RunEvent } from '../../src/host/run-event.ts';
import { eventsOf, named, shown } from '../shared/compare-runs.ts';
import { shareIds } from '../shared/event-ids.ts';
import { noEvent, type Met } from './met.ts';
import { isWithin, spanOf, textMember, type NodeSpan } from './node-span.ts';
import type { Outcome } from './outcome.ts';
import { nodeOf } from '../shared/node-of.ts';
import { wrong } from './diagnoses.ts';

/** Phase 4 §B: what the event says about the place leads to the call that diverged. */
export function judgeLocates(met: Met): Outcome {
  const { source, replay, evidence, situation } = met;
  const [event] = met.raised;
  if (event === undefined) return noEvent(met);
  const { nodeId } = situation.facts;
  const span = spanOf(source, nodeId);
  if (span === undefined) {
    return { kind: 'open', reason: `no event of ${named(source)} names the node ${nodeId}`, evidence };
  }
  const originalEventId = textMember(isRecord(event.payload) ? event.payload : {}, 'originalEventId');
  if (shareIds(eventsOf(source).filter(({ eventId }) => eventId === originalEventId))) {
    return {
      kind: 'open',
      reason: `several events of ${named(source)} have the id ${originalEventId ?? ''}`,
      evidence,
    };
  }
  const mistake = wrongPlace(event, { met, span, nodeId });
  if (mistake === undefined) return { kind: 'pass', evidence };
  return {
    kind: 'fail',
    expected: `${mistake.name}: ${mistake.expected}`,
    actual: `${mistake.name}: ${shown(mistake.actual)} at sequence ${event.sequence} of ${named(replay)}`,
    diagnosis: wrong('wrong-place'),
    evidence,
  };
}

interface Place {
  readonly met: Met;
  /** Where the call stands in the source's log. */
  readonly span: NodeSpan;
  readonly nodeId: string;
}

function wrongPlace(
  event: RunEvent,
  { met: { source, replay }, span, nodeId }: Place,
): { readonly name: string; readonly expected: string; readonly actual: unknown } | undefined {
  const payload = isRecord(event.payload) ? event.payload : {};
  const at = Object.hasOwn(payload, 'atSequence') ? payload['atSequence'] : undefined;
  const call = `of the call ${nodeId} in ${named(source)} (sequences ${span.first} to ${span.last})`;
  // readings: it counts in the source's log or in the replay's, but it must resolve. What is no number fails the payload.
  if (typeof at === 'number' && !isWithin(span, at) && !isWithin(spanOf(replay, nodeId), at)) {
    return { name: '/payload/atSequence', expected: `the sequence of an event ${call}`, actual: at };
  }
  const originalEventId = textMember(payload, 'originalEventId');
  const original = eventsOf(source).find(({ eventId }) => eventId === originalEventId);
  if (originalEventId !== undefined && (original === undefined || !isWithin(span, original.sequence))) {
    return { name: '/payload/originalEventId', expected: `the id of an event ${call}`, actual: originalEventId };
  }
  const names = [textMember(payload, 'nodeId'), nodeOf(event)].filter((name) => name !== undefined);
  const other = names.find((name) => name !== nodeId);
  return other === undefined ? undefined : { name: 'nodeId', expected: shown(nodeId), actual: other };
}
