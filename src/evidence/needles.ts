import type { Span } from './plain-text.ts';

/** Texts that are looked for, all at once. */
export interface Needles {
  /** Where they stand in a text. */
  in(text: string): readonly Span[];
  /** Where parts of PIECE characters and more of them stand, between two places of a text. */
  piecesIn(text: string, start: number, end: number): readonly Span[];
  /** The length of the longest. */
  readonly longest: number;
}

/** Characters of a needle that are worth removing although the rest is missing; no needle is shorter. */
export const PIECE = 8;

/** Characters that are looked up at once. */
const GRAM = 4;
const TABLE_BITS = 14;

interface Place {
  readonly needle: string;
  readonly offset: number;
}

/**
 * Prepares a search that costs the same for many needles as for one: it looks at every few characters of a text, so far
 * apart that every occurrence is met at least once, and compares where a needle has the same characters. Linear in the
 * text, unless a needle repeats itself.
 */
export function createNeedles(needles: readonly string[]): Needles {
  const lengths = needles.map(({ length }) => length);
  const stride = Math.min(...lengths) - GRAM + 1;
  const longest = Math.max(0, ...lengths);
  const places = new Map<number, Place[]>();
  const known = new Uint8Array(2 ** TABLE_BITS);
  const pieces = new Set<string>();
  for (const needle of needles) {
    for (let offset = 0; offset + GRAM <= needle.length; offset += 1) {
      const hash = hashAt(needle, offset);
      known[hash] = 1;
      const group = places.get(hash);
      if (group === undefined) places.set(hash, [{ needle, offset }]);
      else group.push({ needle, offset });
    }
    for (let at = 0; at + PIECE <= needle.length; at += 1) pieces.add(needle.slice(at, at + PIECE));
  }
  return {
    longest,
    in: (text) => {
      const found: Span[] = [];
      if (needles.length === 0) return found;
      for (let at = 0; at + GRAM <= text.length; at += stride) {
        const hash = hashAt(text, at);
        if (known[hash] === 0) continue;
        for (const { needle, offset } of places.get(hash) ?? []) {
          const start = at - offset;
          if (start >= 0 && text.startsWith(needle, start)) found.push({ start, end: start + needle.length });
        }
      }
      return found;
    },
    piecesIn: (text, start, end) => {
      const found: Span[] = [];
      for (let at = Math.max(0, start); at + PIECE <= end; at += 1) {
        if (known[hashAt(text, at)] === 1 && pieces.has(text.slice(at, at + PIECE)))
          found.push({ start: at, end: at + PIECE });
      }
      return joined(found);
    },
  };
}

function hashAt(text: string, at: number): number {
  let hash = 0;
  for (let index = at; index < at + GRAM; index += 1) hash = Math.imul(hash, 31) + text.charCodeAt(index);
  return hash & (2 ** TABLE_BITS - 1);
}

/** The same parts in order, those that meet or overlap as one. */
export function joined(spans: readonly Span[]): readonly Span[] {
  const result: Span[] = [];
  for (const span of spans.toSorted((a, b) => a.start - b.start)) {
    const last = result.at(-1);
    if (last === undefined || span.start >= last.end) result.push(span);
    else if (span.end > last.end) result[result.length - 1] = { start: last.start, end: span.end };
  }
  return result;
}
