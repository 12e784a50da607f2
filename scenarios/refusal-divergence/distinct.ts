import { isRecord, type RunEvent } from '../../src/host/run-event.ts';
import { eventsOf, named } from '../shared/compare-runs.ts';
import { RAISED, type Met } from './met.ts';
import { isWithin, nodeOf, spanOf, textMember } from './node-span.ts';
import type { SeenRun } from './observation.ts';
import type { Outcome } from './outcome.ts';

/** Phase 4 §B: exactly one replay.divergedAtRefusal, and no replay.diverged in its place or beside it for that node. */
export function judgeDistinct(met: Met): Outcome {
  const { events, raised, replay, evidence } = met;
  const generic = events.filter((event) => event.type === 'replay.diverged' && isAboutCall(event, met));
  if (raised.length === 1 && generic.length === 0) return { kind: 'pass', evidence };
  const places = [...raised, ...generic].map(({ type, sequence }) => `${type} at sequence ${sequence}`);
  return {
    kind: 'fail',
    expected: `one ${RAISED} for node ${met.situation.facts.nodeId}, and no replay.diverged for it`,
    actual: `${places.length === 0 ? 'neither' : places.join(', ')} in ${named(replay)}`,
    ...(generic.length === 0
      ? {}
      : { diagnosis: { code: 'generic-divergence', message: 'the refusal is reported as a generic replay.diverged' } }),
    evidence,
  };
}

/** By its node, or by a locator that leads to the call in the source's log or in the replay's. */
function isAboutCall(event: RunEvent, { situation, source, replay }: Met): boolean {
  const { nodeId } = situation.facts;
  const node = nodeOf(event);
  if (node !== undefined) return node === nodeId;
  const payload = isRecord(event.payload) ? event.payload : {};
  const leads = (run: SeenRun, name: string): boolean => {
    const eventId = textMember(payload, name);
    const found = eventsOf(run).find((each) => each.eventId === eventId);
    return found !== undefined && isWithin(spanOf(run, nodeId), found.sequence);
  };
  if (leads(source, 'originalEventId') || leads(replay, 'replayEventId')) return true;
  const at = Object.hasOwn(payload, 'atSequence') ? payload['atSequence'] : undefined;
  return typeof at === 'number' && isWithin(spanOf(source, nodeId), at);
}
