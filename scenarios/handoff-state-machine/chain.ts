import { member } from '../../src/contract/discovery.ts';
import type { RunEvent } from '../../src/host/run-event.ts';
import { endOf } from '../../src/protocol/run-status.ts';
import { childrenNamedIn } from '../shared/read-event.ts';
import { eventsOf } from '../shared/compare-runs.ts';
import type { RunObservation } from '../shared/run-observation.ts';
import {
  type Decision,
  isOfTheSchema,
  type Phase,
  readDecision,
  readTransition,
  type Transition,
} from './transition.ts';

/** What one worker went through in one run. */
export interface Handoff {
  /** Undefined where no transition names one. */
  readonly workerId: string | undefined;
  /** In ascending order of their sequence numbers, phases of the host's own among them. */
  readonly transitions: readonly Transition[];
}

/** The handoffs of a run, read from its log. */
export interface Chain {
  /** All events, in ascending order of their sequence numbers. */
  readonly events: readonly RunEvent[];
  readonly decisions: readonly Decision[];
  readonly transitions: readonly Transition[];
  readonly handoffs: readonly Handoff[];
  /** The child runs that it names, each once. */
  readonly children: readonly string[];
  /** How the run ended; undefined where no event says so. */
  readonly end: string | undefined;
}

/** Reads the handoffs of a run. The workers of one run of a fixture are all different ones. */
export function readChain(run: Pick<RunObservation, 'events'>): Chain {
  return chainOf(withoutMirrored(eventsOf(run).toSorted((a, b) => a.sequence - b.sequence)));
}

/** The handoffs that events show, in ascending order of their sequence numbers. */
export function chainOf(events: readonly RunEvent[]): Chain {
  const transitions = events.flatMap((event) => readTransition(event) ?? []);
  const decisions = events.flatMap((event) => readDecision(event) ?? []);
  const end = endOf(events);
  const handoffs = handoffsOf(transitions, decisions);
  return { events, decisions, transitions, handoffs, children: childrenNamedIn(events), end };
}

/** Leaves out what a host shows of the handoffs of its children as well: those stand in their own logs. */
function withoutMirrored(events: readonly RunEvent[]): readonly RunEvent[] {
  const own = member(events[0]?.raw, 'runId');
  const children = new Set<unknown>(childrenNamedIn(events).filter((each) => each !== own));
  return events.filter(({ raw, payload }) => {
    const parent = member(payload, 'parentRunId');
    // A transition that calls its own child the parent is the run's own, and wrong.
    const isOfChild = children.has(parent) && parent !== member(payload, 'childRunId');
    return !children.has(member(raw, 'runId')) && !isOfChild;
  });
}

/** The transitions of a handoff, or of all handoffs of a run, with one of these phases. */
export function inPhase(
  { transitions }: Pick<Handoff, 'transitions'>,
  ...phases: readonly Phase[]
): readonly Transition[] {
  return transitions.filter((each) => phases.some((phase) => phase === each.phase));
}

/** Whether there is a transition with one of these phases. */
export function has(of: Pick<Handoff, 'transitions'>, ...phases: readonly Phase[]): boolean {
  return inPhase(of, ...phases).length > 0;
}

/** The id of a handoff's child, which its own transitions name, or the log where it names only one. */
export function childIdOf(handoff: Handoff, { children }: Chain): string | undefined {
  const own = handoff.transitions.find(({ childRunId }) => childRunId !== undefined)?.childRunId;
  return own ?? (children.length === 1 ? children[0] : undefined);
}

/** The workers that were decided on; none where a decision on some leaves out which, as it may (wire-contract, Documents). */
export function decidedOn(decisions: readonly Decision[]): ReadonlySet<string> {
  const on = decisions.filter(({ kind, workers }) => kind === 'next-worker' || workers.length > 0);
  const named = on.map(({ workers }) => workers);
  return new Set(named.some(({ length }) => length === 0) ? [] : named.flat());
}

/**
 * Whose a transition is: the one whose child it names; else the worker's that it names, where that one was decided on or
 * dispatched before, or is dispatched here, and is not past this phase while its cause is before it; else that of the transition
 * that caused it. So one that names another worker all
 * at once stays where it belongs, and is wrong there. Where the worker and the cause agree against the child, the child is what
 * is wrong. A begin that names a worker that nobody decided on is that of a handoff of its own, and so is one that names no
 * worker and that no transition caused. A handoff that names no worker is that of the first one that a transition names which it
 * caused. One that names none of these belongs to the handoff before it.
 */
function handoffsOf(transitions: readonly Transition[], decisions: readonly Decision[]): readonly Handoff[] {
  const decided = new Set(decisions.flatMap(({ workers }) => workers));
  const allDecided = decidedOn(decisions);
  const groups = new Map<string, Group>();
  const named = new Set<string | undefined>();
  const byChild = new Map<string, string>();
  const byEvent = new Map<string, string>();
  const strays = new Map<string | undefined, string>();
  const late = new Map<string | undefined, string>();
  let last = '';
  for (const transition of transitions) {
    const { event, phase, workerId, childRunId } = transition;
    const child = childRunId === undefined ? undefined : byChild.get(childRunId);
    const cause = event.causationId === undefined ? undefined : byEvent.get(event.causationId);
    const isBegin = phase === 'dispatch.began';
    if (isBegin && workerId !== undefined && allDecided.size > 0 && !allDecided.has(workerId)) {
      strays.set(workerId, `begin ${groups.size}`);
    }
    const stray = strays.get(workerId);
    const unnamed = isBegin && workerId === undefined ? `begin ${groups.size}` : undefined;
    const isDecided = decided.has(workerId ?? '');
    const isFirstNamed = isDecided && !named.has(workerId);
    if (cause !== undefined && isFirstNamed && isOpenFor(phase, groups.get(cause))) late.set(workerId, cause);
    const worker = workerId === undefined ? undefined : (stray ?? late.get(workerId) ?? `worker ${workerId}`);
    const hasCome = (to = ''): boolean => groups.get(to)?.phases.has(phase) === true;
    const isOfCause = cause !== undefined && isOfTheSchema(phase) && hasCome(worker) && !hasCome(cause);
    const isExpected = isBegin || (!isOfCause && stray === undefined && (isDecided || groups.has(worker ?? '')));
    const expected = isExpected ? worker : undefined;
    const key = (expected === cause ? expected : undefined) ?? child ?? expected ?? cause ?? worker ?? unnamed ?? last;
    const group = groups.get(key) ?? { workerId: undefined, transitions: [], phases: new Set() };
    groups.set(key, group);
    group.workerId ??= workerId;
    group.transitions.push(transition);
    group.phases.add(phase);
    named.add(workerId);
    if (childRunId !== undefined && child === undefined) byChild.set(childRunId, key);
    byEvent.set(event.eventId, key);
    last = key;
  }
  return [...groups.values()].map(({ workerId, transitions: own }) => ({ workerId, transitions: own }));
}

/** A handoff that is still being read. */
interface Group {
  workerId: string | undefined;
  readonly transitions: Transition[];
  readonly phases: Set<string>;
}

/** Whether a transition that is the first to name a worker may name that of a handoff: it names none and has no such phase yet. */
function isOpenFor(phase: string, group: Group | undefined): boolean {
  return group === undefined || (group.workerId === undefined && !group.phases.has(phase));
}

/** A handoff in words. */
export function handoffText({ workerId }: Pick<Handoff, 'workerId'>): string {
  return workerId === undefined ? 'the handoff' : `the handoff to ${workerId}`;
}
