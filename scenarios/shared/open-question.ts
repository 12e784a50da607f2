import { member } from '../../src/contract/discovery.ts';
import type { Json } from '../../src/evidence/types.ts';
import type { RunEvent } from '../../src/host/run-event.ts';
import { endsRun } from '../../src/protocol/run-status.ts';
import { nodeOf } from './read-event.ts';

/** What a run waits for: the node to answer, where somebody named it, and what is said of the question. */
export interface Question {
  readonly nodeId: string | undefined;
  readonly payload: unknown;
}

/** How often each node was answered. */
export type Answered = ReadonlyMap<string, number>;

/** Each shows that a node waits for somebody (readings: waiting); a host may write both for one question. */
const ASKING = ['interrupt.requested', 'node.suspended'] as const;

/** Whether an event shows that a node waits for somebody. */
export function isAsking({ type }: Pick<RunEvent, 'type'>): boolean {
  return ASKING.some((each) => each === type);
}

/** Whether a log ends while a node waits for somebody: after its question come neither an answer, nor an event of it, nor an end. */
export function asksStill(events: readonly RunEvent[]): boolean {
  const requested = events.findLastIndex(isAsking);
  const question = events[requested];
  if (question === undefined) return false;
  const nodeId = nodeOf(question);
  const goesOn = (event: RunEvent): boolean =>
    endsRun(event) || event.type === 'interrupt.resolved' || (nodeId !== undefined && nodeOf(event) === nodeId);
  return !events.slice(requested + 1).some(goesOn);
}

/** Makes a reader of a log, event by event, which finds a question that is not answered yet; events may come more than once. */
export function questionFinder(answered: Answered): (event: RunEvent) => boolean {
  const found = new Map<string, Set<number>>();
  return (event) => {
    if (!isAsking(event)) return false;
    const nodeId = nodeOf(event) ?? '';
    const key = JSON.stringify([event.type, nodeId]);
    const requested = (found.get(key) ?? new Set()).add(event.sequence);
    found.set(key, requested);
    return requested.size > (answered.get(nodeId) ?? 0);
  };
}

/** The question of a log that is not answered yet; undefined where there is none. */
export function openQuestion(events: readonly RunEvent[], answered: Answered): Question | undefined {
  const isOpen = questionFinder(answered);
  const open = events.filter(isOpen);
  const [first] = open;
  if (first === undefined) return undefined;
  const nodeId = nodeOf(first);
  // Where a host writes both, the request says more than the suspension.
  const request = open.find((event) => event.type === ASKING[0] && nodeOf(event) === nodeId);
  return { nodeId, payload: (request ?? first).payload };
}

/** Words of actions that let a run go on. */
const GOES_ON = /^(?:accept|approve|ok|yes|confirm|continue|proceed|resume|allow|submit)/iu;

/**
 * What may resume a run, the likeliest first: by the actions or the questions that the request names, else an approval, as
 * most gates take it. At most three.
 */
export function answersTo({ payload }: Question): readonly Json[] {
  const data = member(payload, 'data');
  const given = (name: string): unknown => member(payload, name) ?? member(data, name);
  const actions = listOf(given('actions') ?? given('options')).map((each) => textIn(each, ['id', 'action', 'value']));
  const action = actions.find((each) => each !== undefined && GOES_ON.test(each)) ?? actions[0];
  const questions = listOf(given('questions')).flatMap((each) => textIn(each, ['id', 'key', 'name']) ?? []);
  const answers = Object.fromEntries(questions.map((id) => [id, 'blue']));
  const kind = given('kind');
  const all: readonly Json[] = [
    ...(action === undefined ? [] : [{ action }]),
    ...(questions.length === 0 ? [] : [{ answers }]),
    ...(kind === 'external-event' || kind === 'external' ? [eventOf(data)] : []),
    { approved: true },
    { action: 'accept' },
    { answers: {} },
  ];
  return all.slice(0, 3);
}

/** The event that is waited for, as far as the request describes it. */
function eventOf(data: unknown): Json {
  const [eventType, correlation] = [member(data, 'eventType'), member(data, 'correlation')];
  return {
    ...(eventType === undefined ? {} : { eventType: eventType as Json }),
    ...(correlation === undefined ? {} : { correlation: correlation as Json }),
  };
}

const LISTED = 20;

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value.slice(0, LISTED) : [];
}

/** A text, or the first text among members of an object; undefined for anything else and for what is long. */
function textIn(value: unknown, names: readonly string[]): string | undefined {
  const text = typeof value === 'string' ? value : names.map((name) => member(value, name)).find(isText);
  return isText(text) && text.length <= 200 && text !== '__proto__' ? text : undefined;
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}
