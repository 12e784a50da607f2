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
import { type Handoff, handoffText, has, inPhase } from './chain.ts';
import { wrong } from './diagnoses.ts';
import type { HandoffRun } from './handoff-run.ts';
import { type Fault, OWNERS, ownFirst } from './owners.ts';
import { causeBeyond, type HandoffPlaces, type Places, placesOf, placesWithin } from './places.ts';
import { type Decision, FAILURE_EVENT, listed, type Phase, placeOf, type Transition } from './transition.ts';

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
  const places = placesOf(chain);
  const broken = chain.handoffs.flatMap((handoff): readonly Fault[] => {
    const within = { ...placesWithin(handoff), run: places };
    return handoff.transitions.flatMap((transition, index) => {
      if (only?.some((phase) => phase === transition.phase) === false) return [];
      const mismatch = linkOf(within, transition);
      if (mismatch === undefined) return [];
      if (isUndecided(within, transition)) return [{ ...mismatch, restsOn: OWNERS.loop }];
      if (isOffPath(within, transition, index)) return [{ ...mismatch, restsOn: path }];
      return [isBehindNothing(within, transition) ? { ...mismatch, restsOn: OWNERS.path } : mismatch];
    });
  });
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

/** The places of a handoff and of its run. */
interface Within extends HandoffPlaces {
  readonly run: Places;
}

/** Whether a link is broken because no decision is told that it could follow. */
function isUndecided(within: Within, { event, phase }: Transition): boolean {
  return isFirst(within, phase) && decisionsFor(within, event).size === 0;
}

/**
 * Whether a broken link is one of a handoff that leaves its path: what it has to follow is missing or stands behind it, or
 * it follows what stands before it in its handoff.
 */
function isOffPath(within: Within, { event, phase }: Transition, index: number): boolean {
  const { causationId, sequence } = event;
  const followed = isFirst(within, phase) ? undefined : followedBy(within, phase);
  // They stand in ascending order.
  if (followed !== undefined && (followed[0]?.event.sequence ?? Infinity) > sequence) return true;
  let before = index - 1;
  while (within.handoff.transitions[before]?.event.sequence === sequence) before -= 1;
  const previous = within.handoff.transitions[before]?.event.eventId;
  return previous !== undefined && previous === causationId;
}

/** Whether a dispatch fails without having begun, by an event that is nowhere: a host that shows no beginnings shows that in all its handoffs. */
function isBehindNothing(within: Within, { event, phase }: Transition): boolean {
  const { causationId } = event;
  const isShown = causationId === undefined || within.run.events.has(causationId);
  return phase === 'dispatch.failed' && isFirst(within, phase) && !isShown;
}

/** What a transition follows: undefined for one that follows nothing, none where its handoff has nothing of the kind. */
function followedBy({ byPhase }: HandoffPlaces, phase: string): readonly Transition[] | undefined {
  const before = BEFORE.get(phase);
  return before && (before.map((each) => byPhase.get(each)).find((each) => each !== undefined) ?? []);
}

function linkOf(within: Within, transition: Transition): Mismatch | undefined {
  const { event, phase } = transition;
  if (event.type === FAILURE_EVENT) return undefined;
  const place = `${placeOf(event)}: causationId is`;
  const isOfDecision = isFirst(within, phase);
  if (isOfDecision && followsDecision(within, transition)) return undefined;
  const followed = isOfDecision ? undefined : followedBy(within, phase);
  if (!isOfDecision && (followed === undefined || follows(within, event, followed[0]?.phase))) return undefined;
  const what = followed === undefined ? 'the decision that named the worker' : followedText(within, followed, phase);
  return { expected: `${place} the eventId of ${what}`, actual: `${place} ${causeText(within.run, event)}` };
}

/** A dispatch may fail before it began: the failure is the first transition then (rfc-0037, Conformance 3: "a single"). */
function isFirst({ byPhase }: HandoffPlaces, phase: string): boolean {
  return phase === 'dispatch.began' || (phase === 'dispatch.failed' && !byPhase.has('dispatch.began'));
}

/** Whether an event was caused by one of its handoff with such a phase. */
function follows(within: HandoffPlaces, event: RunEvent, phase: string | undefined): boolean {
  const cause = within.byId.get(causeBeyond(within, event) ?? '');
  return cause !== undefined && cause.phase === phase;
}

function followedText({ handoff }: HandoffPlaces, followed: readonly Transition[], phase: string): string {
  const [first] = followed;
  if (first === undefined) return `${BEFORE.get(phase)?.[0] ?? ''}, which ${handoffText(handoff)} does not have`;
  return `${first.phase} (${first.event.eventId}, sequence ${first.event.sequence})`;
}

/**
 * A handoff starts with the decision before it that names its worker, phases of the host's own in between. It may also follow
 * the last transition of a handoff that is over by then: that is the previous transition of the run.
 */
function followsDecision(within: Within, { event }: Transition): boolean {
  const cause = within.run.decisions.get(causeBeyond(within, event) ?? '');
  const isDecided = cause !== undefined && decisionsFor(within, event).has(cause);
  if (isDecided && cause.event.sequence < event.sequence) return true;
  const end = within.run.ends.get(event.causationId ?? '');
  return end !== undefined && end.handoff !== within.handoff && end.sequence < event.sequence;
}

/** The decisions that name the worker; where none names it, the last one before the event that asks for any. */
function decisionsFor({ run, handoff }: Within, { sequence }: RunEvent): ReadonlySet<Decision> {
  const naming = handoff.workerId === undefined ? undefined : run.naming.get(handoff.workerId);
  if (naming !== undefined) return naming;
  const last = run.before.get(sequence);
  return new Set(last === undefined ? [] : [last]);
}

function causeText({ events }: Places, { causationId, raw }: RunEvent): string {
  const given = member(raw, 'causationId') ?? undefined;
  if (causationId === undefined) return given === undefined ? 'missing' : `${shown(given)}, which is no text`;
  const cause = events.get(causationId);
  return cause === undefined ? `${causationId}, which is no event of this log` : `${causationId} (${placeOf(cause)})`;
}
