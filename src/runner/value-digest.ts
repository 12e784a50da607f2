import { randomBytes } from 'node:crypto';

/** Nobody can look for two values with one digest: it is another one in every process. */
const [FIRST, SECOND] = [randomBytes(4).readInt32LE(), randomBytes(4).readInt32LE()];
const BETWEEN = 0x10000;

/**
 * A digest of 52 bits of a JSON value, made of those of its members in their order: a document takes one walk, however deep it nests. `visit`
 * is given that of each value inside, too.
 */
export function digestOf(value: unknown, visit: (digest: number) => void = () => undefined): number {
  let first = FIRST;
  let second = SECOND;
  const add = (unit: number): void => {
    first = Math.imul(first ^ unit, 0x9e3779b1);
    first ^= first >>> 15;
    second = Math.imul(second ^ unit, 0x85ebca6b);
    second ^= second >>> 13;
  };
  const addText = (text: string): void => {
    for (let at = 0; at < text.length; at += 1) add(text.charCodeAt(at));
    add(BETWEEN);
  };
  if (typeof value !== 'object' || value === null) addText(JSON.stringify(value));
  else {
    addText(Array.isArray(value) ? '[' : '{');
    for (const [name, each] of Object.entries(value)) {
      if (!Array.isArray(value)) addText(name);
      const inner = digestOf(each, visit);
      add(Math.floor(inner / 2 ** 32));
      add(inner | 0);
    }
  }
  const digest = (first >>> 0) * 2 ** 20 + (second >>> 12);
  visit(digest);
  return digest;
}

/** Digests in order, each once. */
export type Digests = Float64Array;

/** Makes such a list. */
export function inOrder(digests: Iterable<number>): Digests {
  return Float64Array.from(digests).toSorted();
}

/** Whether a digest stands in a list. */
export function holds(digests: Digests, digest: number): boolean {
  let low = 0;
  let high = digests.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((digests[middle] ?? 0) < digest) low = middle + 1;
    else high = middle;
  }
  return digests[low] === digest;
}
