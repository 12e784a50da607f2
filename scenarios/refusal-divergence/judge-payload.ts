import { member } from '../../src/contract/discovery.ts';
import { fail, type Outcome, pass, rests } from '../../src/contract/outcome.ts';
import type { RunEvent } from '../../src/host/run-event.ts';
import { eventsOf, named, shown } from '../shared/compare-runs.ts';
import type { Difference } from '../shared/compared.ts';
import { FOUNDATIONS, REPLAYED_OVERLAY } from '../shared/foundations.ts';
import { nodeOf, shareIds } from '../shared/read-event.ts';
import { wrong } from './diagnoses.ts';
import { type Met, noEvent, RAISED, rowOf } from './met.ts';
import { isWithin, namesCall, type NodeSpan, placeIn, spanOf, startOf, textMember } from './node-in-log.ts';
import { undecidedOn } from './observation.ts';

/** 0041 §B, payload: the four required members, the kinds in the right direction, the source named. */
export function judgePayload(met: Met): Outcome {
  const { raised, evidence } = met;
  const [event] = raised;
  if (event === undefined) return noEvent(met);
  const mismatch = wrongPayload(event, met);
  if (mismatch !== undefined) return fail(mismatch, evidence);
  return pass(evidence, nodeOf(event) === undefined ? 'advisory: the event names no nodeId' : undefined);
}

/** Two runs whose models gave these kinds of envelope. */
type Meeting = Pick<Met, 'source' | 'replay' | 'direction'>;

/** What is wrong in the payload of a replay's event, or undefined. */
export function wrongPayload(event: RunEvent, meeting: Meeting): Difference | undefined {
  const mistake = wrongMember(event, meeting);
  if (mistake === undefined) return undefined;
  const { name, expected, code } = mistake;
  const [at, is] = [`sequence ${event.sequence} /payload/${name}`, member(event.payload, name)];
  const actual = `${at}: ${is === undefined ? 'absent' : shown(is)} in ${named(meeting.replay)}`;
  const isOfFirst = name === 'sourceRunId' && typeof is === 'string' && is === meeting.source.fork?.sourceRunId;
  return {
    expected: `${at}: ${expected}`,
    actual,
    diagnosis: wrong(code),
    ...(isOfFirst && { restsOn: REPLAYED_OVERLAY }),
  };
}

interface WrongMember {
  readonly name: string;
  readonly expected: string;
  readonly code: Parameters<typeof wrong>[0];
}

const REQUIRED = ['sourceRunId', 'atSequence', 'originalEnvelopeKind', 'replayEnvelopeKind'] as const;

function wrongMember(event: RunEvent, { source, direction }: Meeting): WrongMember | undefined {
  const { payload } = event;
  const missing = REQUIRED.find((name) => member(payload, name) === undefined);
  if (missing !== undefined) return { name: missing, expected: 'a required member', code: 'member-missing' };
  const [sourceRunId, , original, replay] = REQUIRED.map((name) => member(payload, name));
  if (sourceRunId !== source.runId) {
    return { name: 'sourceRunId', expected: shown(source.runId), code: 'wrong-source' };
  }
  if (placeIn(event) === undefined) {
    return { name: 'atSequence', expected: 'a sequence number', code: 'no-sequence-number' };
  }
  if (original === direction.original && replay === direction.replay) return undefined;
  const isSwapped = original === direction.replay && replay === direction.original;
  const code = original === replay ? 'kinds-equal' : isSwapped ? 'kinds-swapped' : 'unknown-kind';
  return original === direction.original
    ? { name: 'replayEnvelopeKind', expected: shown(direction.replay), code }
    : { name: 'originalEnvelopeKind', expected: shown(direction.original), code };
}

/** Phase 4 §B: what the event says about the place leads to the call that diverged. */
export function judgeLocates(met: Met): Outcome {
  const { source, replay, raised, evidence, situation } = met;
  const [event] = raised;
  if (event === undefined) return noEvent(met);
  const { nodeId } = situation.facts;
  const span = spanOf(source, nodeId);
  if (span === undefined) {
    return undecidedOn(situation, `no event of ${named(source)} names the node ${nodeId}`, evidence);
  }
  const originalEventId = textMember(event.payload, 'originalEventId');
  if (shareIds(eventsOf(source).filter(({ eventId }) => eventId === originalEventId))) {
    const reason = `several events of ${named(source)} have the id ${originalEventId ?? ''}`;
    return undecidedOn(situation, reason, evidence);
  }
  const mistake = wrongPlace(event, met, span);
  if (mistake === undefined) return namesCall(event) ? pass(evidence) : unlocated(met, event);
  const { name, expected, is } = mistake;
  const actual = `${name}: ${shown(is)} at sequence ${event.sequence} of ${named(replay)}`;
  const restsOn = isRenamed(mistake, met) ? FOUNDATIONS.histories : undefined;
  return fail({ expected: `${name}: ${expected}`, actual, diagnosis: wrong('wrong-place'), restsOn }, evidence);
}

/** Whether a replay calls the node by a name that its source does not know, and starts it so: its history is another one. */
function isRenamed({ is, name }: WrongPlace, { source, replay, situation }: Met): boolean {
  if (name !== 'nodeId' || typeof is !== 'string') return false;
  const isNew = startOf(replay, is) !== undefined && spanOf(source, is) === undefined;
  return isNew && startOf(replay, situation.facts.nodeId) === undefined;
}

/** An event that names no place, or one that is none, leads nowhere: that it has to name one, the row about its members says. */
function unlocated({ replay, direction, situation, evidence }: Met, event: RunEvent): Outcome {
  const reason = `${RAISED} at sequence ${event.sequence} of ${named(replay)} ${NAMES_NONE}`;
  return rests(rowOf('payload', direction), undecidedOn(situation, reason, evidence));
}

/** What is said of an event that names no call, and what to do about it. */
export const NAMES_NONE = 'names no sequence number that leads to its call: give it as atSequence';

interface WrongPlace {
  readonly name: string;
  readonly expected: string;
  readonly is: unknown;
}

/** What of the place leads elsewhere; `span` is where the call stands in the source's log. */
function wrongPlace(event: RunEvent, { source, replay, situation }: Met, span: NodeSpan): WrongPlace | undefined {
  const { nodeId } = situation.facts;
  const call = `of the call ${nodeId} in ${named(source)} (sequences ${span.first} to ${span.last})`;
  // readings: it counts in the source's log or in the replay's, but it must resolve. What is no number fails the payload.
  const at = placeIn(event);
  if (at !== undefined && !isWithin(span, at) && !isWithin(spanOf(replay, nodeId), at)) {
    return { name: '/payload/atSequence', expected: `the sequence of an event ${call}`, is: at };
  }
  const originalEventId = textMember(event.payload, 'originalEventId');
  const original = eventsOf(source).find(({ eventId }) => eventId === originalEventId);
  if (originalEventId !== undefined && (original === undefined || !isWithin(span, original.sequence))) {
    return { name: '/payload/originalEventId', expected: `the id of an event ${call}`, is: originalEventId };
  }
  const names = [textMember(event.payload, 'nodeId'), nodeOf(event)];
  const other = names.find((name) => name !== undefined && name !== nodeId);
  return other === undefined ? undefined : { name: 'nodeId', expected: shown(nodeId), is: other };
}
