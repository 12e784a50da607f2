import type { RunEvent } from '../../src/host/run-event.ts';

/** A member of an event that reads otherwise in another reading of it, with both values as JSON text. */
export interface ChangedMember {
  readonly name: string;
  readonly first: string;
  readonly second: string;
}

/** The first member of an event that both readings have and that differs; the order of an object's members does not count. */
export function changedMember(
  first: RunEvent,
  second: RunEvent,
  except: ReadonlySet<string> = new Set(),
): ChangedMember | undefined {
  const [changed] = changedMembers(first, second, except);
  return changed;
}

/** All of them but for those of some names, in their order. */
export function* changedMembers(
  first: RunEvent,
  second: RunEvent,
  except: ReadonlySet<string>,
): Generator<ChangedMember, void> {
  const [a, b] = [membersOf(first), membersOf(second)];
  for (const [name, value] of a) {
    const other = b.get(name);
    if (other === undefined || except.has(name) || isSame(value, other)) continue;
    yield { name, first: sortedText(value), second: sortedText(other) };
  }
}

/** The spellings of one member that hosts may mix (wire-contract, Documents). */
const SPELLINGS: Readonly<Record<string, string>> = { seq: 'sequence', data: 'payload' };

function membersOf({ raw }: RunEvent): ReadonlyMap<string, unknown> {
  return new Map(
    Object.entries(raw)
      .filter(([, value]) => value !== undefined && value !== null)
      .map(([name, value]) => [(Object.hasOwn(SPELLINGS, name) ? SPELLINGS[name] : undefined) ?? name, value]),
  );
}

/** One moment may be written in several ways. */
function isSame(a: unknown, b: unknown): boolean {
  if (sortedText(a) === sortedText(b)) return true;
  const [first, second] = [momentOf(a), momentOf(b)];
  return first !== undefined && first === second;
}

const MOMENT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/u;

function momentOf(value: unknown): number | undefined {
  if (typeof value !== 'string' || !MOMENT.test(value)) return undefined;
  const moment = Date.parse(value);
  return Number.isNaN(moment) ? undefined : moment;
}

function sortedText(value: unknown): string {
  return JSON.stringify(sorted(value)) ?? 'nothing';
}

/** What may not change of an event that was read twice, as texts. Which node it is about, one reading may lack (wire-contract, SSE). */
export function contentsOf(first: RunEvent, second: RunEvent): readonly [string, string] {
  const hasNode = first.nodeId !== undefined && second.nodeId !== undefined;
  const contentOf = ({ type, sequence, nodeId, payload }: RunEvent): string =>
    JSON.stringify([sequence, type, hasNode ? nodeId : null, sorted(payload)]);
  return [contentOf(first), contentOf(second)];
}

/** Whether two readings of an event show the same. */
export function isSameContent(first: RunEvent, second: RunEvent): boolean {
  const [one, other] = contentsOf(first, second);
  return one === other;
}

/** A value with the members of its objects sorted by name. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([name, each]): [string, unknown] => [name, sorted(each)]);
  return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
