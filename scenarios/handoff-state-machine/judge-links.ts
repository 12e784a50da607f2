import { member } from '../../src/contract/discovery.ts';
import {
  fail,
  type Mismatch,
  notApplicable,
  type Outcome,
  pass,
  rests,
  undecided,
} from '../../src/contract/outcome.ts';
import type { RunEvent } from '../../src/host/run-event.ts';
import { named, shown } from '../shared/compare-runs.ts';
import { FOUNDATIONS } from '../shared/foundations.ts';
import { CHAIN_EVENT, shareIds } from '../shared/read-event.ts';
import { type Chain, type Handoff, handoffText, has, inPhase } from './chain.ts';
import { wrong } from './diagnoses.ts';
import type { HandoffRun } from './handoff-run.ts';
import { type Fault, OWNERS, ownFirst } from './owners.ts';
import {
  type Decision,
  FAILURE_EVENT,
  isOfTheSchema,
  listed,
  type Phase,
  placeOf,
  type Transition,
} from './transition.ts';

/**
 * What each transition follows: the first of these that its handoff has. A host may have no child.completed, and its
 * output.harvested follows dispatch.succeeded then (readings, Handoff).
 */
const BEFORE: ReadonlyMap<string, readonly Phase[]> = new Map([
  ['dispatch.succeeded', ['dispatch.began']],
  ['dispatch.failed', ['dispatch.began']],
  ['child.completed', ['dispatch.succeeded', 'dispatch.began']],
  ['child.failed', ['dispatch.succeeded', 'dispatch.began']],
  ['child.cancelled', ['dispatch.succeeded', 'dispatch.began']],
  ['output.harvested', ['child.completed', 'dispatch.succeeded', 'dispatch.began']],
]);

/**
 * rfc-0037 §B: the causation ids of the transitions of a run with so many workers; `path` is the check that says which
 * transitions there are.
 */
export function judgeLinks(
  { run, chain }: Pick<HandoffRun, 'run' | 'chain'>,
  workers: number,
  path: string = OWNERS.path,
): Outcome {
  const outcome = judgeEachLink({ run, chain, path });
  if (outcome.kind !== 'pass') return outcome;
  const isFollowed = chain.transitions.some(({ phase }) => BEFORE.has(phase));
  if (isFollowed && chain.handoffs.length >= workers && chain.transitions.length > workers) return outcome;
  return undecided(`${named(run)} has ${listed(chain.transitions)}: no chain to follow`, [run]);
}

/** The causation ids of the transitions of a sub-workflow: no decision asked for it, so that the first may follow anything. */
export function judgeLaterLinks({ run, chain }: Pick<HandoffRun, 'run' | 'chain'>): Outcome {
  const outcome = judgeEachLink({ run, chain, path: OWNERS.subWorkflow }, LATER);
  if (outcome.kind === 'fail') return rests(OWNERS.chain, outcome);
  if (outcome.kind !== 'pass' || has(chain, ...LATER)) return outcome;
  return undecided(`${named(run)} has ${listed(chain.transitions)}: no chain to follow`, [run]);
}

/** What follows a transition in any handoff. */
const LATER: readonly Phase[] = ['dispatch.succeeded', 'child.completed', 'output.harvested'];

/** The transitions that end a handoff without a harvest, and the checks that say which stand before them. */
const ENDS = {
  'child.failed': OWNERS.failed,
  'child.cancelled': OWNERS.cancelled,
  'dispatch.failed': OWNERS.notDispatched,
} as const;

/** rfc-0037 §B: the causation id of the transition that ends a handoff without a harvest. Only that: other rows judge the rest. */
export function judgeEndLink({ run, chain }: HandoffRun, phase: keyof typeof ENDS): Outcome {
  if (!inPhase(chain, phase).some(({ event }) => event.type === CHAIN_EVENT)) {
    if (phase === 'dispatch.failed' && has(chain, phase)) {
      return notApplicable(`the host reports the failure as ${FAILURE_EVENT}, which is no transition`, [run]);
    }
    return undecided(`${named(run)} has ${listed(chain.transitions)}: no ${phase} to follow back`, [run]);
  }
  const isAlone = (each: Handoff): boolean => has(each, phase) && !has(each, 'dispatch.began', 'dispatch.succeeded');
  if (phase !== 'dispatch.failed' && chain.handoffs.some(isAlone)) {
    return undecided(`${named(run)} has nothing before its ${phase}: ${listed(chain.transitions)}`, [run]);
  }
  return judgeEachLink({ run, chain, path: ENDS[phase] }, [phase]);
}

/** A run's handoffs, and the check that says which transitions they have. */
interface Followed extends Pick<HandoffRun, 'run' | 'chain'> {
  readonly path: string;
}

/**
 * The causation ids of all transitions, or of those in some phases. In a log in which events share an id no link can be
 * followed. A link that is broken by itself goes before one that handoffs break which leave their path.
 */
function judgeEachLink({ run, chain, path }: Followed, only?: readonly Phase[]): Outcome {
  if (shareIds(chain.events)) {
    const reason = `events of ${named(run)} share their eventId, so that a causationId leads nowhere`;
    return rests(FOUNDATIONS.events, undecided(reason, [run]));
  }
  const broken = chain.handoffs.flatMap((handoff): readonly Fault[] =>
    (only === undefined ? handoff.transitions : inPhase(handoff, ...only)).flatMap((transition) => {
      const mismatch = linkOf(chain, handoff, transition);
      if (mismatch === undefined) return [];
      if (isUndecided(chain, handoff, transition)) return [{ ...mismatch, restsOn: OWNERS.loop }];
      if (isOffPath(handoff, transition)) return [{ ...mismatch, restsOn: path }];
      return [isBehindNothing(chain, handoff, transition) ? { ...mismatch, restsOn: OWNERS.path } : mismatch];
    }),
  );
  const first = ownFirst(broken);
  if (first === undefined) return pass([run]);
  // Where no transition says what caused it, that is no matter of one handoff.
  const isUncaused = chain.transitions.every(({ event }) => event.causationId === undefined);
  const isNoText = chain.transitions.every(({ event }) => isNoId(member(event.raw, 'causationId')));
  const owner = isNoText ? FOUNDATIONS.events : OWNERS.chain;
  const restsOn = isUncaused ? (first.restsOn ?? owner) : first.restsOn;
  return fail({ ...first, restsOn, diagnosis: wrong('broken-chain') }, [run]);
}

/** Whether something stands in the place of an id and is none: the row about events says so. */
function isNoId(value: unknown): boolean {
  return value !== undefined && value !== null && typeof value !== 'string';
}

/** Whether a link is broken because no decision is told that it could follow. */
function isUndecided(chain: Chain, handoff: Handoff, { event, phase }: Transition): boolean {
  return isFirst(handoff, phase) && decisionsFor(chain, handoff, event).length === 0;
}

/**
 * Whether a broken link is one of a handoff that leaves its path: what it has to follow is missing or stands behind it, or
 * it follows what stands before it in its handoff.
 */
function isOffPath(handoff: Handoff, { event, phase }: Transition): boolean {
  const { causationId, sequence } = event;
  const followed = isFirst(handoff, phase) ? undefined : followedBy(handoff, phase);
  if (followed?.every((each) => each.event.sequence > sequence) === true) return true;
  const previous = handoff.transitions.findLast((each) => each.event.sequence < sequence)?.event.eventId;
  return previous !== undefined && previous === causationId;
}

/** Whether a dispatch fails without having begun, by an event that is nowhere: a host that shows no beginnings shows that in all its handoffs. */
function isBehindNothing({ events }: Chain, handoff: Handoff, { event, phase }: Transition): boolean {
  const { causationId } = event;
  const isShown = causationId === undefined || events.some(({ eventId }) => eventId === causationId);
  return phase === 'dispatch.failed' && isFirst(handoff, phase) && !isShown;
}

/** What a transition follows: undefined for one that follows nothing, none where its handoff has nothing of the kind. */
function followedBy(handoff: Handoff, phase: string): readonly Transition[] | undefined {
  const before = BEFORE.get(phase);
  return before && (before.map((each) => inPhase(handoff, each)).find((each) => each.length > 0) ?? []);
}

function linkOf(chain: Chain, handoff: Handoff, transition: Transition): Mismatch | undefined {
  const { event, phase } = transition;
  if (event.type === FAILURE_EVENT) return undefined;
  const place = `${placeOf(event)}: causationId is`;
  const actual = `${place} ${causeText(chain, event)}`;
  if (isFirst(handoff, phase)) {
    if (followsDecision(chain, handoff, transition)) return undefined;
    return { expected: `${place} the eventId of the decision that named the worker`, actual };
  }
  const followed = followedBy(handoff, phase);
  if (followed === undefined) return undefined;
  const accepted = new Set(followed.map((each) => each.event.eventId));
  if (leadsTo(handoff, event, accepted)) return undefined;
  return { expected: `${place} the eventId of ${followedText(handoff, followed, phase)}`, actual };
}

/** A dispatch may fail before it began: the failure is the first transition then (rfc-0037, Conformance 3: "a single"). */
function isFirst(handoff: Handoff, phase: string): boolean {
  return phase === 'dispatch.began' || (phase === 'dispatch.failed' && !has(handoff, 'dispatch.began'));
}

function followedText(handoff: Handoff, followed: readonly Transition[], phase: string): string {
  const [first] = followed;
  if (first === undefined) return `${BEFORE.get(phase)?.[0] ?? ''}, which ${handoffText(handoff)} does not have`;
  return `${first.phase} (${first.event.eventId}, sequence ${first.event.sequence})`;
}

/** Whether an event is caused by one of these, or by phases of the host's own in between: they are transitions too. */
function leadsTo({ transitions }: Handoff, event: RunEvent, accepted: ReadonlySet<string>): boolean {
  const own = transitions.filter(({ phase }) => !isOfTheSchema(phase));
  let cause = event.causationId;
  for (let steps = 0; cause !== undefined && steps <= own.length; steps += 1) {
    if (accepted.has(cause)) return true;
    const between = own.find((each) => each.event.eventId === cause);
    cause = between?.event.causationId;
  }
  return false;
}

/**
 * A handoff starts with the decision before it that names its worker, phases of the host's own in between. It may also follow
 * the last transition of a handoff that is over by then: that is the previous transition of the run.
 */
function followsDecision(chain: Chain, handoff: Handoff, { event }: Transition): boolean {
  const decisions = decisionsFor(chain, handoff, event).filter((each) => each.event.sequence < event.sequence);
  if (leadsTo(handoff, event, new Set(decisions.map((decision) => decision.event.eventId)))) return true;
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
  const last = transitions.findLastIndex(({ phase }) => isOfTheSchema(phase));
  const end = transitions[last]?.event.sequence ?? Infinity;
  return end < sequence && transitions.slice(last).some(({ event }) => event.eventId === causationId);
}

function causeText({ events }: Chain, { causationId, raw }: RunEvent): string {
  const given = member(raw, 'causationId') ?? undefined;
  if (causationId === undefined) return given === undefined ? 'missing' : `${shown(given)}, which is no text`;
  const cause = events.find(({ eventId }) => eventId === causationId);
  return cause === undefined ? `${causationId}, which is no event of this log` : `${causationId} (${placeOf(cause)})`;
}
