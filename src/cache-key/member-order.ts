import type { Member } from './json-node.ts';
import { NODE, spend } from './work.ts';

/** Ascending by UTF-16 code unit, as RFC 8785 §3.2.3 orders names: negative, zero or positive. */
export function byCodeUnit(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** Ascending by Unicode code point: differs from code units where U+E000–U+FFFF meets a character beyond U+FFFF. */
export function byCodePoint(a: string, b: string): number {
  const left = Array.from(a);
  const right = Array.from(b);
  for (const [index, character] of left.entries()) {
    const other = right[index];
    if (other === undefined) return 1;
    const difference = (character.codePointAt(0) ?? 0) - (other.codePointAt(0) ?? 0);
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
}

/** So many names are looked through one by one faster than a table of them is made: a message has two. */
const FEW = 8;

/** Of many, which are never changed: each of hundreds of wrong rules asks for those of the same request. */
const looked = new WeakMap<readonly Member[], readonly Member[]>();

function isBefore(members: readonly Member[], end: number, name: string): boolean {
  for (let index = 0; index < end; index += 1) if (members[index]?.key === name) return true;
  return false;
}

/** The members with every name once: the first place, the last value, as JSON.parse leaves them. */
export function withoutRepeats(members: readonly Member[]): readonly Member[] {
  spend(NODE * members.length);
  if (members.length <= FEW && members.every(({ key }, index) => !isBefore(members, index, key))) return members;
  const known = looked.get(members);
  if (known !== undefined) return known;
  const unique = new Map<string, Member>();
  for (const member of members) unique.set(member.key, member);
  const once = unique.size === members.length ? members : [...unique.values()];
  looked.set(members, once);
  return once;
}

/** The order of RFC 8785: names ascending by UTF-16 code unit. */
export function sortedMembers(members: readonly Member[]): readonly Member[] {
  const sorted = members.toSorted((a, b) => byCodeUnit(a.key, b.key));
  // The sort is stable, so the last of equal names is the last value.
  return sorted.filter(({ key }, index) => key !== sorted[index + 1]?.key);
}

const arrayIndexLimit = 4_294_967_295;

function isArrayIndex(key: string): boolean {
  return /^(?:0|[1-9][0-9]{0,9})$/.test(key) && Number(key) < arrayIndexLimit;
}

/** The order in which a JavaScript object lists members that were set in the given order: array indices come first. */
export function objectOrder(members: readonly Member[]): readonly Member[] {
  const unique = withoutRepeats(members);
  const indices = unique.filter(({ key }) => isArrayIndex(key)).toSorted((a, b) => Number(a.key) - Number(b.key));
  return indices.length === 0 ? unique : [...indices, ...unique.filter(({ key }) => !isArrayIndex(key))];
}
