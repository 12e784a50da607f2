import { rulesFor } from './catalogue.ts';
import { keyOfText, runSteps, writtenText } from './compute.ts';
import type { ObjectNode } from './json-node.ts';
import type { Recipe } from './recipe.ts';
import { rightSteps } from './right-steps.ts';
import type { Rule, Variant } from './rules/rule.ts';
import type { Steps } from './steps.ts';

/** One rule's variant, with its place in the catalogue. */
interface Part {
  readonly rule: Rule;
  readonly variant: Variant;
  readonly rank: number;
}

/** Wrong rules put together; none of them is the right computation. */
export interface Candidate {
  readonly parts: readonly Part[];
  readonly steps: Steps;
}

/** A request that was read, and the key that somebody gave for it. */
export interface Given {
  readonly request: ObjectNode;
  readonly key: string;
}

/** The computation without any mistake. */
export function rightCandidate(recipe: Recipe): Candidate {
  return { parts: [], steps: rightSteps[recipe] };
}

/** The key that a candidate computes; undefined where it gives none. */
export function candidateKey(candidate: Candidate, request: ObjectNode): string | undefined {
  const result = runSteps(request, candidate.steps);
  return result.ok ? result.cacheKey : undefined;
}

function extended(base: Candidate, added: readonly Part[], recipe: Recipe): Candidate {
  const parts = [...base.parts, ...added].toSorted((a, b) => a.rank - b.rank);
  return { parts, steps: parts.reduce((steps, { variant }) => variant.apply(steps), rightSteps[recipe]) };
}

/** One rule may stand twice in an explanation only where its variants add up. */
const cumulative = new Set(['extra-field-included']);

function applicable(base: Candidate, given: Given, recipe: Recipe): readonly Part[] {
  const taken = new Set(base.parts.map(({ rule }) => rule.code).filter((code) => !cumulative.has(code)));
  const names = given.request.members.map(({ key }) => key);
  const { fields } = base.steps.recipe;
  const extraNames = [...new Set(names)].filter((name) => !fields.has(name) && !base.steps.extra(name));
  let rank = 0;
  const parts: Part[] = [];
  for (const rule of rulesFor(recipe)) {
    for (const variant of rule.variants({ extraNames, key: given.key })) {
      if (!taken.has(rule.code)) parts.push({ rule, variant, rank });
      rank += 1;
    }
  }
  return parts;
}

/** What a variant does to one request. */
interface Effect {
  readonly part: Part;
  /** The text that it writes; undefined where it leaves the writing alone. */
  readonly text: string | undefined;
}

/** The variants that change this request's key, those that change it alike together, by the key that they give. */
function effects(base: Candidate, given: Given, recipe: Recipe): ReadonlyMap<string, readonly Effect[]> {
  const baseText = textOf(base.steps, given);
  const baseKey = baseText === undefined ? undefined : keyOfText(baseText, base.steps);
  const byKey = new Map<string, Effect[]>();
  for (const part of applicable(base, given, recipe)) {
    const { steps } = extended(base, [part], recipe);
    const text = writesAlike(steps, base.steps) ? undefined : textOf(steps, given);
    const whole = text ?? (writesAlike(steps, base.steps) ? baseText : undefined);
    const key = whole === undefined ? undefined : keyOfText(whole, steps);
    if (key === undefined || key === baseKey) continue;
    const same = byKey.get(key);
    if (same === undefined) byKey.set(key, [{ part, text }]);
    else same.push({ part, text });
  }
  return byKey;
}

function textOf(steps: Steps, { request }: Given): string | undefined {
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

function writesAlike(a: Steps, b: Steps): boolean {
  return writing.every((step) => a[step] === b[step]);
}

/** Every candidate that gives exactly this key by adding one rule to `base`, in the catalogue's order. */
export function withOneRule(base: Candidate, given: Given, recipe: Recipe): readonly Candidate[] {
  return (effects(base, given, recipe).get(given.key) ?? []).map(({ part }) => extended(base, [part], recipe));
}

/** Variants that do the same to this request are tried once; each stands for at most this many when it fits. */
const mostAlike = 6;

/**
 * Every candidate that gives exactly this key by adding two rules to `base`. Tries each pair of variants that change this
 * request's key, some thousands of them: for the few requests where one rule explains nothing.
 */
export function withTwoRules(base: Candidate, given: Given, recipe: Recipe): readonly Candidate[] {
  const byKey = effects(base, given, recipe);
  const { length } = given.key;
  if (candidateKey(base, given.request)?.length !== length && ![...byKey.keys()].some((key) => key.length === length)) {
    return [];
  }
  const groups = [...byKey.values()];
  const baseText = textOf(base.steps, given);
  const found: Candidate[] = [];
  for (const [index, first] of groups.entries()) {
    for (const second of groups.slice(index + 1)) {
      const [a, b] = [first[0], second[0]];
      if (a === undefined || b === undefined || a.part.rule.code === b.part.rule.code) continue;
      const { steps } = extended(base, [a.part, b.part], recipe);
      // Writing costs the most, and where only one of the two writes otherwise its text is known.
      const both = a.text !== undefined && b.text !== undefined;
      const text = both ? textOf(steps, given) : (a.text ?? b.text ?? baseText);
      if (text === undefined || keyOfText(text, steps) !== given.key) continue;
      for (const one of first.slice(0, mostAlike)) {
        found.push(...second.slice(0, mostAlike).map((other) => extended(base, [one.part, other.part], recipe)));
      }
    }
  }
  return found;
}

/** Negative where `a` is the better explanation of two that explain equally much: fewer rules, then earlier ones. */
export function simplicity(a: Candidate, b: Candidate): number {
  if (a.parts.length !== b.parts.length) return a.parts.length - b.parts.length;
  const at = a.parts.findIndex((part, index) => part.rank !== b.parts[index]?.rank);
  return (a.parts[at]?.rank ?? 0) - (b.parts[at]?.rank ?? 0);
}
