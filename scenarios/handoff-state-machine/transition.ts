import { member } from '../../src/contract/discovery.ts';
import { readJsonText } from '../../src/host/json.ts';
import { isRecord, type RunEvent } from '../../src/host/run-event.ts';
import { CHAIN_EVENT } from '../shared/read-event.ts';
import { shown } from '../shared/compare-runs.ts';

/** The phases of the public schema, each a transition of the handoff state machine (readings, Handoff). */
export const PHASES = [
  'dispatch.began',
  'dispatch.succeeded',
  'dispatch.failed',
  'child.completed',
  'child.failed',
  'child.cancelled',
  'output.harvested',
] as const;

export type Phase = (typeof PHASES)[number];

/** One transition of a handoff as a parent's log reports it. */
export interface Transition {
  readonly event: RunEvent;
  /** One of `Phase`, or a phase of the host's own; '' where it names none. */
  readonly phase: string;
  readonly workerId: string | undefined;
  readonly childRunId: string | undefined;
}

/** One decision of a supervisor. */
export interface Decision {
  readonly event: RunEvent;
  /** next-worker, terminate, clarify, escalate; '' where it cannot be read. */
  readonly kind: string;
  /** The workers that it names. */
  readonly workers: readonly string[];
}

/** The other form of a failed dispatch (rfc-0037, Conformance 3). */
export const FAILURE_EVENT = 'core.dispatch.failed';
export const DECIDED = 'runOrchestrator.decided';

/** An event as a transition, or undefined where it is none. */
export function readTransition(event: RunEvent): Transition | undefined {
  const { type, payload } = event;
  if (type !== CHAIN_EVENT && type !== FAILURE_EVENT) return undefined;
  const phase = type === FAILURE_EVENT ? 'dispatch.failed' : (textIn(payload, 'phase') ?? '');
  return { event, phase, workerId: textIn(payload, 'workerId'), childRunId: textIn(payload, 'childRunId') };
}

/** An event as a decision, or undefined where it is none. */
export function readDecision(event: RunEvent): Decision | undefined {
  if (event.type !== DECIDED) return undefined;
  const decision = decisionIn(event.payload);
  const kind = typeof decision === 'string' ? decision : (textIn(decision, 'kind') ?? '');
  const workers = member(decision, 'nextWorkerIds');
  const named = Array.isArray(workers) ? workers : [];
  return { event, kind, workers: named.filter((each): each is string => typeof each === 'string') };
}

/** What a payload says was decided: in it, or in a member of it, which may be that kind's name, or a JSON text. */
function decisionIn(payload: unknown): unknown {
  const said = member(payload, 'decision') ?? payload;
  const read = typeof said === 'string' && said.startsWith('{') ? readJsonText(said) : undefined;
  return read?.ok === true ? read.value : said;
}

/** Whether a phase is one of those there are (rfc-0037 §B), not the host's own. */
export function isOfTheSchema(phase: string): boolean {
  return PHASES.some((each) => each === phase);
}

/** Whether transitions are reported, and none of them is one of those there are: the row about the path says so. */
export function isUnphased(transitions: readonly Transition[]): boolean {
  return transitions.length > 0 && transitions.every(({ phase }) => !isOfTheSchema(phase));
}

/** An event in words: its place, and what it says. */
export function placeOf(event: RunEvent): string {
  return `sequence ${event.sequence}, ${saying(event)}`;
}

/** Transitions that are named one by one, at most. */
const LISTED = 20;

/** Transitions in words: the first of them, and how many more there are. */
export function listed(transitions: readonly Transition[]): string {
  if (transitions.length === 0) return 'no transition';
  const places = transitions.slice(0, LISTED).map(({ event }) => placeOf(event));
  const more = transitions.length - places.length;
  return [...places, ...(more > 0 ? [`${more} more`] : [])].join('; ');
}

/** What an event says: the phase of a transition, the kind of a decision, the type of any other. */
function saying(event: RunEvent): string {
  const worker = textIn(event.payload, 'workerId');
  const of = worker === undefined ? '' : ` of worker ${worker}`;
  if (event.type === CHAIN_EVENT) return `${textIn(event.payload, 'phase') ?? 'no phase'}${of}`;
  const decision = readDecision(event);
  return decision === undefined ? `${event.type}${of}` : `${event.type} (${kindText(decision)})`;
}

/** The kind of a decision, or what stands in its place. */
function kindText({ event: { payload }, kind }: Decision): string {
  if (kind !== '') return kind;
  const decision = member(payload, 'decision');
  return isRecord(decision) ? `decision.kind: ${shown(decision['kind'])}` : `decision: ${shown(decision)}`;
}

function textIn(value: unknown, name: string): string | undefined {
  const found = member(value, name);
  return typeof found === 'string' && found !== '' ? found : undefined;
}
