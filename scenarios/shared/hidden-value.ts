import { isDeepStrictEqual } from 'node:util';
import { member } from '../../src/contract/discovery.ts';
import { isRecord } from '../../src/host/run-event.ts';

/** What stands in the place of a value that is not shown. */
const HIDDEN = /^[^\p{L}\p{N}]+$|[*•█…]|\b(?:redacted|masked|hidden|removed|omitted|filtered)\b|[\da-f]{32}/iu;

/** Whether a text stands in the place of a value that a host hides. An empty one is a value. */
export function isHidden(value: unknown): boolean {
  return typeof value === 'string' && HIDDEN.test(value);
}

/** Whether two values are equal wherever neither of them is hidden. What one of them hides, the other may leave out. */
export function areEqualButHidden(one: unknown, other: unknown): boolean {
  if (one === other || isHidden(one) || isHidden(other)) return true;
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length === other.length && one.every((each, index) => areEqualButHidden(each, other[index]));
  }
  if (!isRecord(one) || !isRecord(other)) return isDeepStrictEqual(one, other);
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...names].every((name) => areEqualButHidden(member(one, name), member(other, name)));
}
