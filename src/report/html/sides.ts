/** What is expected and what came: as JSON values where both texts hold one, else as texts whose difference is marked. */
export type Sides =
  | {
      readonly kind: 'json';
      readonly before: readonly [expected: string, actual: string];
      readonly expected: unknown;
      readonly actual: unknown;
    }
  | { readonly kind: 'text'; readonly expected: Marked; readonly actual: Marked };

/** A text in three parts; those at both ends are the other text's, too. */
export interface Marked {
  readonly start: string;
  readonly middle: string;
  readonly end: string;
}

/** Longer texts are no objects that somebody wants to see as a tree. */
const MOST_JSON = 200_000;

/** Puts two texts beside each other. */
export function sidesOf(expected: string, actual: string): Sides {
  const [left, right] = [parted(expected), parted(actual)];
  if (left !== undefined && right !== undefined) {
    return { kind: 'json', before: [left[0], right[0]], expected: left[1], actual: right[1] };
  }
  return { kind: 'text', ...marked(expected, actual) };
}

/** A text before the JSON value that it ends with. Judges write a place and what is there: `sequence 5, variable.changed: {"a":1}`. */
function parted(text: string): readonly [before: string, value: object] | undefined {
  const start = text.length > MOST_JSON ? -1 : text.search(/[[{]/u);
  if (start === -1) return undefined;
  try {
    const value: unknown = JSON.parse(text.slice(start));
    return typeof value === 'object' && value !== null ? [text.slice(0, start), value] : undefined;
  } catch {
    return undefined;
  }
}

const WORD = /\s+|[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu;

/** A difference is marked where at least this part of the longer text is the other one's, too. */
const ALIKE = 0.25;

/** Marks what two texts do not begin and end with, by whole words; nothing where they have little in common. */
function marked(expected: string, actual: string): { readonly expected: Marked; readonly actual: Marked } {
  const [a, b] = [expected.match(WORD) ?? [], actual.match(WORD) ?? []];
  const shorter = Math.min(a.length, b.length);
  let start = 0;
  while (start < shorter && a[start] === b[start]) start += 1;
  let end = 0;
  while (end < shorter - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end += 1;
  if (start + end < ALIKE * Math.max(a.length, b.length))
    return { expected: unmarked(expected), actual: unmarked(actual) };
  const cut = (words: readonly string[]): Marked => ({
    start: words.slice(0, start).join(''),
    middle: words.slice(start, words.length - end).join(''),
    end: words.slice(words.length - end).join(''),
  });
  return { expected: cut(a), actual: cut(b) };
}

function unmarked(text: string): Marked {
  return { start: text, middle: '', end: '' };
}
