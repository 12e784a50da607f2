import { isDeepStrictEqual } from 'node:util';
import { isObject } from '../json.ts';
import { DELETED } from '../privacy/find-secrets.ts';
import { needlesFor, redact, type Needles } from '../privacy/redact.ts';
import { spellingsOf } from '../privacy/spellings.ts';

/** Takes one value out of JSON values, wherever it stands in them. */
export interface Eraser {
  /** A value without it. `isNear` says that the value is about the place that the deletion names. */
  erase(from: unknown, isNear: boolean): unknown;
}

/**
 * An eraser for a value: what equals it goes, and each of its texts inside other texts, encoded ones included. What is too
 * common to be told again, such as a number or a short word, goes near its place only.
 */
export function eraserOf(value: unknown): Eraser {
  const texts = [...textsIn(value)];
  const needles: Needles = needlesFor(new Map(texts.map((text) => [text, spellingsOf(text)])), DELETED);
  const common = isCommon(value);
  const walk = (each: unknown, isNear: boolean): unknown => {
    if (each === DELETED) return each;
    if ((isNear || !common) && isDeepStrictEqual(each, value)) return DELETED;
    if (Array.isArray(each)) return each.map((item) => walk(item, isNear));
    if (!isObject(each)) return each;
    return Object.fromEntries(Object.entries(each).map(([name, held]) => [name, walk(held, isNear)]));
  };
  const inTexts = { ...needles, held: new Set<string>() };
  return { erase: (from, isNear) => redact(walk(from, isNear), inTexts) };
}

const LONG_ENOUGH = 6;

function isCommon(value: unknown): boolean {
  return typeof value === 'object' && value !== null
    ? Object.values(value).every(isCommon)
    : typeof value !== 'string' || value.length < LONG_ENOUGH;
}

/** The texts of a value, names of members not included: those are the tool's words. */
function* textsIn(value: unknown): Generator<string> {
  if (typeof value === 'string') {
    if (value.length >= LONG_ENOUGH) yield value;
  } else if (typeof value === 'object' && value !== null) for (const each of Object.values(value)) yield* textsIn(each);
}
