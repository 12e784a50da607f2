import { type Candidate, extended, type Part } from './candidate.ts';
import { rulesFor } from './catalogue.ts';
import { keyOfText, writtenText } from './compute.ts';
import type { ObjectNode } from './json-node.ts';
import type { Recipe } from './recipe.ts';
import { formOf } from './rules/encodings.ts';
import type { Hints } from './rules/rule.ts';
import type { Steps } from './steps.ts';
import { KEPT, spend } from './work.ts';

/** A request that was read, and the key that somebody gave for it. */
export interface Given {
  readonly request: ObjectNode;
  readonly key: string;
}

/** What a variant does to one request. */
export interface Effect {
  readonly part: Part;
  /** The text that it writes; undefined where it leaves the writing alone. */
  readonly text: string | undefined;
}

/** What the rules do to a request, as far as it was looked at. */
export interface Effects {
  /** The variants that change the key, those that change it alike together, by the key that they give. */
  readonly byKey: ReadonlyMap<string, readonly Effect[]>;
  /** Looks at one variant more, in the catalogue's order; false where there is none. */
  readonly lookOn: () => boolean;
}

/** Several rows show a mistake by the same plain request: what the rules do to it is looked at once. */
const remembered = new WeakMap<ObjectNode, Map<string, Effects>>();

/** What each rule does to a request when it is added to `base`. */
export function effects(base: Candidate, given: Given): Effects {
  if (base.parts.length > 0) return createEffects(base, given);
  const known = remembered.get(given.request) ?? new Map<string, Effects>();
  const form = `${base.recipe} ${formOf(given)}`;
  const found = known.get(form) ?? createEffects(base, given);
  remembered.set(given.request, known.set(form, found));
  return found;
}

/** The same, looked at to the end. */
export function allEffects(base: Candidate, given: Given): Effects {
  const found = effects(base, given);
  while (found.lookOn());
  return found;
}

function createEffects(base: Candidate, given: Given): Effects {
  const { request } = given;
  const baseText = textOf(base.steps, request);
  const baseKey = baseText === undefined ? undefined : keyOfText(baseText, base.steps);
  const byKey = new Map<string, Effect[]>();
  const lookAt = (part: Part): void => {
    const { steps } = extended(base, part);
    const alike = writesAlike(steps, base.steps);
    const text = alike ? undefined : textOf(steps, request);
    const whole = alike ? baseText : text;
    if (whole === undefined || (whole === baseText && endsAlike(steps, base.steps))) return;
    const key = keyOfText(whole, steps);
    if (key === baseKey) return;
    spend(KEPT * (text?.length ?? 0));
    append(byKey, key, { part, text });
  };
  const parts = applicable(base, given).values();
  const lookOn = (): boolean => {
    const { done, value } = parts.next();
    if (done !== true) lookAt(value);
    return done !== true;
  };
  return { byKey, lookOn };
}

/** Adds an item to the list that a map has under a key. */
export function append<T>(lists: Map<string, T[]>, key: string, item: T): void {
  const known = lists.get(key);
  if (known === undefined) lists.set(key, [item]);
  else known.push(item);
}

/** One rule may stand twice in an explanation only where its variants add up. */
const cumulative = new Set(['extra-field-included']);

function applicable(base: Candidate, given: Given): readonly Part[] {
  const taken = new Set(base.parts.map(({ rule }) => rule.code).filter((code) => !cumulative.has(code)));
  const names = given.request.members.map(({ key }) => key);
  const { fields } = base.steps.recipe;
  const extraNames = [...new Set(names)].filter((name) => !fields.has(name) && !base.steps.extra(name));
  return ranked(base.recipe, { extraNames, key: given.key }).filter(({ rule }) => !taken.has(rule.code));
}

function ranked(recipe: Recipe, hints: Hints): readonly Part[] {
  let rank = 0;
  return rulesFor(recipe).flatMap((rule) => rule.variants(hints).map((variant) => ({ rule, variant, rank: rank++ })));
}

/** The text that a computation writes for a request; undefined where it has none. */
export function textOf(steps: Steps, request: ObjectNode): string | undefined {
  const written = writtenText(request, steps);
  return written.ok ? written.text : undefined;
}

const writing = [
  'recipe',
  'extra',
  'reshape',
  'toolOrder',
  'respell',
  'memberOrder',
  'number',
  'requote',
  'loneSurrogates',
  'layout',
] as const satisfies readonly (keyof Steps)[];

const ending = ['finish', 'bytes', 'hash', 'encode'] as const satisfies readonly (keyof Steps)[];

function writesAlike(a: Steps, b: Steps): boolean {
  return writing.every((step) => a[step] === b[step]);
}

function endsAlike(a: Steps, b: Steps): boolean {
  return ending.every((step) => a[step] === b[step]);
}
