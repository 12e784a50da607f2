import { isRecord, type RunEvent } from '../../src/host/run-event.ts';
import { eventsOf, named } from '../shared/compare-runs.ts';
import type { Difference } from '../shared/compared.ts';
import { nodeOf } from '../shared/node-of.ts';
import { wrong } from './diagnoses.ts';
import { RAISED, type Met } from './met.ts';
import { isWithin, spanOf, textMember, type NodeSpan } from './node-span.ts';
import type { SeenRun } from './observation.ts';
import type { Outcome } from './outcome.ts';

const SHOWN_EVENTS = 10;

/** Phase 4 §B: exactly one replay.divergedAtRefusal, and no replay.diverged in its place or beside it for that node. */
export function judgeDistinct(met: Met): Outcome {
  const { events, raised, replay, evidence } = met;
  const isAboutCall = aboutCall(met);
  const generic = events.filter((event) => event.type === 'replay.diverged' && isAboutCall(event));
  if (raised.length === 1 && generic.length === 0) return { kind: 'pass', evidence };
  const places = [...raised, ...generic]
    .slice(0, SHOWN_EVENTS)
    .map(({ type, sequence }) => `${type} at sequence ${sequence}`);
  return {
    kind: 'fail',
    expected: `one ${RAISED} for node ${met.situation.facts.nodeId}, and no replay.diverged for it`,
    actual: `${places.length === 0 ? 'neither' : places.join(', ')} in ${named(replay)}`,
    ...diagnosisOf(raised.length, generic.length),
    evidence,
  };
}

function diagnosisOf(raised: number, generic: number): Pick<Difference, 'diagnosis'> {
  if (generic > 0) return { diagnosis: wrong('generic-divergence') };
  if (raised === 0) return {};
  return { diagnosis: wrong('raised-again') };
}

/** Tells whether an event is about the call: by its node, or by a locator that leads to it in one of the two logs. */
function aboutCall({ situation, source, replay }: Met): (event: RunEvent) => boolean {
  const { nodeId } = situation.facts;
  const span = spanOf(source, nodeId);
  const [originals, replayed] = [idsWithin(source, span), idsWithin(replay, spanOf(replay, nodeId))];
  return (event) => {
    const node = nodeOf(event);
    if (node !== undefined) return node === nodeId;
    const payload = isRecord(event.payload) ? event.payload : {};
    if (originals.has(textMember(payload, 'originalEventId'))) return true;
    if (replayed.has(textMember(payload, 'replayEventId'))) return true;
    const at = Object.hasOwn(payload, 'atSequence') ? payload['atSequence'] : undefined;
    return typeof at === 'number' && isWithin(span, at);
  };
}

function idsWithin(run: SeenRun, span: NodeSpan | undefined): ReadonlySet<string | undefined> {
  const within = eventsOf(run).filter(({ sequence }) => isWithin(span, sequence));
  return new Set(within.map(({ eventId }) => eventId));
}
