import { isObject } from '../json.ts';
import { REDACTED, sensitiveName } from './find-secrets.ts';
import type { Spelling } from './spellings.ts';
import { ANY_CASE } from './spellings.ts';

/** A secret that is shorter stands for itself only: inside texts it would be found everywhere. */
const SHORTEST_INSIDE = 6;
/** A secret that is shorter than this is told by the name of its member alone. */
const SHORTEST_ALONE = 4;

/** Secrets, made ready to be looked for. */
export interface Needles {
  /** What a member with a sensitive name may hold. */
  readonly held: ReadonlySet<string>;
  readonly inside: readonly RegExp[];
}

/** Needles for secrets, each with those of its spellings that are looked for. */
export function needlesFor(secrets: ReadonlyMap<string, readonly Spelling[]>): Needles {
  const spellings = [...secrets].flatMap(([secret, all]) => (secret.length < SHORTEST_INSIDE ? [] : all));
  const exact = spellings.filter(({ kind }) => !ANY_CASE.includes(kind));
  const anyCase = spellings.filter(({ kind }) => ANY_CASE.includes(kind));
  const held = [...secrets].filter(([, all]) => all.some(({ kind }) => kind === 'plain')).map(([secret]) => secret);
  return { held: new Set(held), inside: [...pattern(exact, 'g'), ...pattern(anyCase, 'gi')] };
}

/** The longest goes first: a secret may begin with another one. */
function pattern(spellings: readonly Spelling[], flags: string): RegExp[] {
  const texts = spellings.map(({ text }) => text).filter((text) => text.length >= SHORTEST_INSIDE);
  if (texts.length === 0) return [];
  const alternatives = texts.toSorted((one, other) => other.length - one.length).map(literal);
  return [new RegExp(alternatives.join('|'), flags)];
}

function literal(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\/-]/g, String.raw`\$&`);
}

/** A JSON value with a mark in the place of every secret, names of members included. The value itself stays as it is. */
export function redact(value: unknown, needles: Needles, mark: string = REDACTED): unknown {
  const text = (given: string): string =>
    needles.inside.reduce((redacted, needle) => redacted.replace(needle, () => mark), given);
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
