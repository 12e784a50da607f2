import type { LogEvent } from './event.ts';
import type { Difference } from './same.ts';

/** What kind of defect a divergence is. */
export type DivergenceClass =
  | 'value'
  | 'order'
  | 'missing'
  | 'extra'
  | 'type'
  | 'regenerated-fact'
  | 'clock-leak'
  | 'duplicate-effect';

const MEANING: Readonly<Record<DivergenceClass, string>> = {
  value: 'the same event says something else',
  order: 'the event stands elsewhere in the other log',
  missing: 'the replay lacks an event of the source',
  extra: 'the replay has an event that the source lacks',
  type: 'another event stands in its place',
  'regenerated-fact': 'a recorded fact was made anew, not re-emitted (replay.md, Determinism 5)',
  'clock-leak': 'only clock values in the payload differ: they are not the recorded ones (replay.md, Determinism 4)',
  'duplicate-effect': 'an effect of this node happened again (replay.md, Determinism 1 and 2)',
};

/** All classes of divergence. */
export const DIVERGENCE_CLASSES = Object.keys(MEANING) as readonly DivergenceClass[];

/** What a class of divergence means, as a sentence. */
export function meaningOf(divergence: DivergenceClass): string {
  return MEANING[divergence];
}

const ISO_TIME = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d/u;
const CLOCK_NAME = /(?:(?:^|_)(?:at|ts|time|timestamp|date|clock)|(?:At|Time|Timestamp|Date|Clock|Ms|Ts))$/u;
const ID_NAME = /(?:(?:^|_)u?u?id|Id|ID|Uuid|UUID|Ulid)$/u;

/** A UUID or a ULID, on its own or behind a prefix. */
const MADE_ID = /(?:^|[-_:/.])(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-hjkmnp-tv-z]{26})$/iu;

/** Which defect two events of one place show, from all places where they differ. */
export function classifyPair(source: LogEvent, differences: readonly Difference[]): DivergenceClass {
  if (differences.some(({ pointer }) => pointer === '/type')) return 'type';
  const inPayload = differences.filter(({ pointer }) => pointer.startsWith('/payload'));
  if (source.type.startsWith('memory.') && inPayload.some((each) => isId(each) || isClock(each))) {
    return 'regenerated-fact';
  }
  return inPayload.length > 0 && inPayload.length === differences.length && inPayload.every(isClock)
    ? 'clock-leak'
    : 'value';
}

function isId({ pointer }: Difference): boolean {
  return ID_NAME.test(lastName(pointer));
}

function isClock({ pointer, source, replay }: Difference): boolean {
  const named = CLOCK_NAME.test(lastName(pointer));
  return isTime(source, named) && isTime(replay, named);
}

/** An ISO 8601 time, milliseconds since 1970 from 2001 on, or seconds where the name says that it is a time. */
function isTime(value: unknown, named: boolean): boolean {
  if (typeof value === 'string') return ISO_TIME.test(value);
  return typeof value === 'number' && value >= (named ? 1e9 : 1e12) && value < 4e12;
}

/** Whether a value holds an identifier or a time, at any depth: what a fact that is made anew has otherwise. */
export function holdsIdOrTime(value: unknown, name = ''): boolean {
  if (typeof value === 'object' && value !== null) {
    return Object.entries(value).some(([key, each]) => holdsIdOrTime(each, Array.isArray(value) ? name : key));
  }
  const isText = typeof value === 'string' && value !== '';
  if (!isText && typeof value !== 'number') return false;
  return ID_NAME.test(name) || CLOCK_NAME.test(name) || isTime(value, false) || (isText && MADE_ID.test(value));
}

function lastName(pointer: string): string {
  return pointer.slice(pointer.lastIndexOf('/') + 1);
}

/** The effects of one log so far, as many of the latest as are remembered. */
export interface EffectMemory {
  /** Whether the event tells of an effect that an earlier event told of already; remembers it. */
  seen(event: LogEvent): boolean;
}

/** Events that tell of something outside the run: asked again, they are a second effect. */
const EFFECTS = new Set([
  'provider.usage',
  'memory.written',
  'node.dispatched',
  'interrupt.requested',
  'interrupt.resolved',
]);

const REMEMBERED = 1024;

/** Remembers the node and type of the last 1,024 effects; more are forgotten. */
export function createEffectMemory(): EffectMemory {
  const known = new Set<string>();
  return {
    seen: ({ type, nodeId }) => {
      if (!EFFECTS.has(type)) return false;
      const name = `${type}\n${nodeId ?? ''}`;
      if (known.has(name)) return true;
      for (const oldest of known.size === REMEMBERED ? [...known].slice(0, 1) : []) known.delete(oldest);
      known.add(name);
      return false;
    },
  };
}
