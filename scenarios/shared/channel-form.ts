import { holdsNothing } from './emptiness.ts';
import { isDeepStrictEqual } from 'node:util';
import { member } from '../../src/contract/discovery.ts';
import { isRecord } from '../../src/host/run-event.ts';

/**
 * What a channel is beside what was written to it. No document gives channels a form or names their reducers: one that keeps the first of
 * two messages, merges, joins, counts or sums up is as good as one that appends.
 */
export type ChannelRead =
  /** Something that was written is in it. */
  | 'held'
  /** Nothing that was written can be looked for in it: a sum, a count, or a form of the host's own. */
  | 'own form'
  /** It is empty, or holds such values as were written, and none of these. */
  | 'lost';

/** How deep what was written is looked for, and how many values of many: those at the beginning and at the end. */
const [DEPTH, MANY] = [8, 50];

/** How many places are looked at, at most: what is not found by then is not known. */
const PLACES = 500_000;

/** A search, and how many places it may look at yet. */
interface Search {
  left: number;
}

/** Reads what a snapshot shows of a channel beside all values that were written to it. */
export function readChannel(is: unknown, written: readonly unknown[]): ChannelRead {
  const [values, search] = [someOf(written), { left: PLACES }];
  if (values.toReversed().some((value) => holds(is, value, DEPTH, search))) return 'held';
  if (holdsNothing(is)) return holdsNothing(written.at(-1)) ? 'held' : 'lost';
  if (isMany(written) || written.some(isMany)) return 'own form';
  const isLikely = values.some((value) => isLike(is, value, DEPTH, search));
  const isMade = values.some((value) => isReckoned(is, value, DEPTH, search));
  return isLikely && !isMade && search.left > 0 ? 'lost' : 'own form';
}

/** Whether a search ends here: it is deep enough, or has looked at enough. */
function isOver(depth: number, search: Search): boolean {
  search.left -= 1;
  return depth === 0 || search.left <= 0;
}

/** Whether there are more values than are looked for. */
function isMany(values: unknown): boolean {
  return Array.isArray(values) && values.length > 2 * MANY;
}

function someOf(values: readonly unknown[]): readonly unknown[] {
  return !isMany(values) ? values : [...values.slice(0, MANY), ...values.slice(-MANY)];
}

/** Whether a value is another one or was made from it by a reducer: appended, merged, joined. Of a list some of it suffices. */
function holds(whole: unknown, part: unknown, depth: number, search: Search): boolean {
  if (isDeepStrictEqual(whole, part)) return true;
  if (isOver(depth, search)) return false;
  if (Array.isArray(part)) return someOf(part).some((each) => holds(whole, each, depth - 1, search));
  if (typeof whole === 'string') return typeof part === 'string' && part !== '' && whole.includes(part);
  if (Array.isArray(whole)) return whole.some((item) => holds(item, part, depth - 1, search));
  if (!isRecord(whole)) return false;
  const isMade = isMerged(whole, part, (is, value) => holds(is, value, depth - 1, search));
  return isMade || Object.values(whole).some((value) => holds(value, part, depth - 1, search));
}

/** Whether an object has all members of another one, as they are or as `isMade` says. */
function isMerged(
  whole: Readonly<Record<string, unknown>>,
  part: unknown,
  isMade: (is: unknown, value: unknown) => boolean,
): boolean {
  if (!isRecord(part)) return false;
  const members = Object.entries(part);
  return members.length > 0 && members.every(([name, value]) => isMade(member(whole, name), value));
}

/** Whether numbers were reckoned up, alone or as members of what was merged. */
function isReckoned(whole: unknown, part: unknown, depth: number, search: Search): boolean {
  if (typeof whole === 'number' && typeof part === 'number') return true;
  if (isOver(depth, search) || !isRecord(whole)) return false;
  return isMerged(
    whole,
    part,
    (is, value) => holds(is, value, depth - 1, search) || isReckoned(is, value, depth - 1, search),
  );
}

/** The member in which a host that keeps more than a value shows the value. */
const VALUE = 'value';

/** Whether what is shown is of a form in which what was written would be found: of its kind, or made of such. */
function isLike(whole: unknown, part: unknown, depth: number, search: Search): boolean {
  if (isOver(depth, search)) return false;
  if (Array.isArray(part)) return someOf(part).some((each) => isLike(whole, each, depth - 1, search));
  if (Array.isArray(whole)) return whole.some((item) => isLike(item, part, depth - 1, search));
  if (!isRecord(whole)) return !isRecord(part) && part !== null && typeof whole === typeof part;
  if (isRecord(part) && Object.keys(part).some((name) => Object.hasOwn(whole, name))) return true;
  return Object.entries(whole).some(
    ([name, value]) =>
      (name === VALUE || (typeof value === 'object' && value !== null)) && isLike(value, part, depth - 1, search),
  );
}
