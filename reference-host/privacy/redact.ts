import { isObject } from '../json.ts';
import { REDACTED, sensitiveName } from './find-secrets.ts';
import { ANY_CASE, type Spelling } from './spellings.ts';

/** A secret that is shorter stands for itself only: inside texts it would be found everywhere. */
const SHORTEST_INSIDE = 6;
/** A secret that is shorter than this is told by the name of its member alone. */
const SHORTEST_ALONE = 4;

/** Secrets, made ready to be looked for. */
export interface Needles {
  /** What a member with a sensitive name may hold. */
  readonly held: ReadonlySet<string>;
  /** What is looked for inside texts, the longest first: a secret may begin with another one. */
  readonly inside: readonly Needle[];
  /** What stands in the place of a secret. */
  readonly mark: string;
  /** Short texts that were searched last, without what was found: what a run shows, it shows on many surfaces. */
  readonly searched: Map<string, string>;
}

/** How long a text that is remembered may be, and how many are. */
const SHORT = 300;
const REMEMBERED = 200;

interface Needle {
  readonly text: string;
  readonly anyCase: boolean;
}

/** Needles for secrets, each with those of its spellings that are looked for, and the mark for all of them. */
export function needlesFor(secrets: ReadonlyMap<string, readonly Spelling[]>, mark: string = REDACTED): Needles {
  const held = [...secrets].filter(([, all]) => all.some(({ kind }) => kind === 'plain')).map(([secret]) => secret);
  const inside = [...secrets]
    .flatMap(([secret, all]) => (secret.length < SHORTEST_INSIDE ? [] : all))
    .filter(({ text }) => text.length >= SHORTEST_INSIDE)
    .toSorted((one, other) => other.text.length - one.text.length)
    .map(needle);
  return { held: new Set(held), inside, mark, searched: new Map() };
}

function needle({ kind, text }: Spelling): Needle {
  const anyCase = ANY_CASE.includes(kind);
  return { text: anyCase ? lowerAscii(text) : text, anyCase };
}

/** As long as the text was, which the other way to small letters does not promise. */
function lowerAscii(text: string): string {
  return text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

/** A text with the mark in the place of every needle. */
function without(text: string, needles: Needles): string {
  const { searched } = needles;
  const known = searched.get(text) ?? search(text, needles);
  if (text.length <= SHORT) {
    if (searched.size === REMEMBERED) searched.clear();
    searched.set(text, known);
  }
  return known;
}

function search(text: string, { inside, mark }: Needles): string {
  let rest = text;
  let lower: string | undefined;
  for (const { text: wanted, anyCase } of inside) {
    if (wanted.length > rest.length) continue;
    if (anyCase) lower ??= lowerAscii(rest);
    if (!(anyCase ? (lower ?? '') : rest).includes(wanted)) continue;
    rest = anyCase ? replaced(rest, wanted, mark) : rest.replaceAll(wanted, () => mark);
    lower = undefined;
  }
  return rest;
}

function replaced(text: string, wanted: string, mark: string): string {
  const parts = lowerAscii(text).split(wanted);
  let at = 0;
  const kept = parts.map((part) => {
    const own = text.slice(at, at + part.length);
    at += part.length + wanted.length;
    return own;
  });
  return kept.join(mark);
}

/** A JSON value with a mark in the place of every secret, names of members included. The value itself stays as it is. */
export function redact(value: unknown, needles: Needles): unknown {
  const { mark } = needles;
  const text = (given: string): string => without(given, needles);
  const walk = (each: unknown, isHeld: boolean): unknown => {
    if (typeof each === 'string') return isMarked(each, isHeld) ? mark : text(each);
    if (typeof each === 'number') return isHeld && needles.held.has(String(each)) ? mark : each;
    if (Array.isArray(each)) return each.map((item) => walk(item, isHeld));
    if (!isObject(each)) return each;
    const members = Object.entries(each).map(([name, held]) => {
      const isSecret = isHeld || sensitiveName(each, name) !== undefined;
      return [text(name), walk(held, isSecret)] as const;
    });
    return Object.fromEntries(members);
  };
  const isMarked = (each: string, isHeld: boolean): boolean =>
    needles.held.has(each) && (isHeld || each.length >= SHORTEST_ALONE);
  return walk(value, false);
}
