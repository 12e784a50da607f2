import { member } from '../../src/contract/discovery.ts';
import type { RunEvent } from '../../src/host/run-event.ts';
import { shown } from '../shared/compare-runs.ts';
import type { Difference } from '../shared/compared.ts';
import { handoffText, inPhase, type Chain, type Handoff } from './chain.ts';
import { wrong } from './diagnoses.ts';
import {
  BEGAN,
  CANCELLED,
  COMPLETED,
  DISPATCH_FAILED,
  FAILED,
  FAILURE_EVENT,
  HARVESTED,
  placeOf,
  SUCCEEDED,
  type Decision,
  type Phase,
  type Transition,
} from './transition.ts';

/**
 * What each transition follows: the first of these that its handoff has. A host may have no child.completed, and its
 * output.harvested follows dispatch.succeeded then (readings, Handoff).
 */
const BEFORE: ReadonlyMap<string, readonly Phase[]> = new Map([
  [SUCCEEDED, [BEGAN]],
  [DISPATCH_FAILED, [BEGAN]],
  [COMPLETED, [SUCCEEDED, BEGAN]],
  [FAILED, [SUCCEEDED, BEGAN]],
  [CANCELLED, [SUCCEEDED, BEGAN]],
  [HARVESTED, [COMPLETED, SUCCEEDED, BEGAN]],
]);

/** The first transition of a run whose causationId is not that of the one before it, or undefined; of one phase only, where one is given. */
export function brokenLink(chain: Chain, phase?: Phase): Difference | undefined {
  for (const handoff of chain.handoffs) {
    for (const transition of handoff.transitions) {
      if (phase !== undefined && phase !== transition.phase) continue;
      const mismatch = linkOf(chain, handoff, transition);
      if (mismatch !== undefined) return { ...mismatch, diagnosis: wrong('broken-chain') };
    }
  }
  return undefined;
}

function linkOf(chain: Chain, handoff: Handoff, transition: Transition): Difference | undefined {
  const { event, phase } = transition;
  if (event.type === FAILURE_EVENT) return undefined;
  const place = `${placeOf(event)}: causationId is`;
  const actual = `${place} ${causeText(chain, event)}`;
  if (isFirst(handoff, phase)) {
    if (followsDecision(chain, handoff, transition)) return undefined;
    return { expected: `${place} the eventId of the decision that named the worker`, actual };
  }
  const before = BEFORE.get(phase);
  if (before === undefined) return undefined;
  const followed = before.map((each) => inPhase(handoff, each)).find((each) => each.length > 0) ?? [];
  const accepted = new Set(followed.map((each) => each.event.eventId));
  if (leadsTo(handoff, event, accepted)) return undefined;
  return { expected: `${place} the eventId of ${followedText(handoff, followed, before)}`, actual };
}

/** A dispatch may fail before it began: the failure is the first transition then (rfc-0037, Conformance 3: "a single"). */
function isFirst(handoff: Handoff, phase: string): boolean {
  return phase === BEGAN || (phase === DISPATCH_FAILED && inPhase(handoff, BEGAN).length === 0);
}

function followedText(handoff: Handoff, followed: readonly Transition[], before: readonly Phase[]): string {
  const [first] = followed;
  if (first === undefined) return `${before[0] ?? ''}, which ${handoffText(handoff)} does not have`;
  return `${first.phase} (${first.event.eventId}, sequence ${first.event.sequence})`;
}

/** Whether an event is caused by one of these, or by phases of the host's own in between: they are transitions too. */
function leadsTo({ transitions }: Handoff, event: RunEvent, accepted: ReadonlySet<string>): boolean {
  const own = transitions.filter(({ phase }) => phase !== BEGAN && !BEFORE.has(phase));
  let cause = event.causationId;
  for (let steps = 0; cause !== undefined && steps <= own.length; steps += 1) {
    if (accepted.has(cause)) return true;
    const between = own.find((each) => each.event.eventId === cause);
    cause = between?.event.causationId;
  }
  return false;
}

/**
 * A handoff starts with the decision that names its worker. It may also follow the last transition of a handoff that is
 * over by then: that is the previous transition of the run.
 */
function followsDecision(chain: Chain, handoff: Handoff, { event }: Transition): boolean {
  if (decisionsFor(chain, handoff, event).some((decision) => decision.event.eventId === event.causationId)) return true;
  return chain.handoffs.some((other) => other !== handoff && isOverBefore(other, event));
}

/** The decisions that name the worker; where none names it, the last one before the event that asks for any. */
function decisionsFor({ decisions }: Chain, { workerId }: Handoff, { sequence }: RunEvent): readonly Decision[] {
  const naming = decisions.filter(({ workers }) => workerId !== undefined && workers.includes(workerId));
  if (naming.length > 0) return naming;
  return decisions.filter(({ kind, event }) => kind === 'next-worker' && event.sequence < sequence).slice(-1);
}

/** Whether all transitions of a handoff stand before an event that the last of them caused, or a phase of the host's own behind it. */
function isOverBefore({ transitions }: Handoff, { causationId, sequence }: RunEvent): boolean {
  const last = transitions.findLastIndex(({ phase }) => phase === BEGAN || BEFORE.has(phase));
  const end = transitions[last]?.event.sequence ?? Infinity;
  return end < sequence && transitions.slice(last).some(({ event }) => event.eventId === causationId);
}

function causeText({ events }: Chain, { causationId, raw }: RunEvent): string {
  const given = member(raw, 'causationId') ?? undefined;
  if (causationId === undefined) return given === undefined ? 'missing' : `${shown(given)}, which is no text`;
  const cause = events.find(({ eventId }) => eventId === causationId);
  return cause === undefined ? `${causationId}, which is no event of this log` : `${causationId} (${placeOf(cause)})`;
}
