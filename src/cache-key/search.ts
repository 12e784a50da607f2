import {
  candidateKey,
  explain,
  extended,
  rightCandidate,
  simplicity,
  type Candidate,
  type Explanation,
  type Part,
} from './candidate.ts';
import { keyOfText, readRequest, remembering } from './compute.ts';
import { allEffects, append, effects, textOf, type Effect, type Effects, type Given } from './effects.ts';
import type { Recipe } from './recipe.ts';
import { rawBody, rawBodyKey } from './rules/other.ts';
import { bounded, KEPT, SEARCH_OF_ONE, spend } from './work.ts';

/** Every candidate that gives exactly this key by adding one rule to `base`, in the catalogue's order, looked for one by one. */
export function* withOneRule(base: Candidate, given: Given): Generator<Candidate, void> {
  const { byKey, lookOn } = effects(base, given);
  for (let at = 0; ;) {
    const found = byKey.get(given.key)?.[at];
    if (found !== undefined) {
      at += 1;
      yield extended(base, found.part);
    } else if (!lookOn()) return;
  }
}

/** Variants that do the same to this request are tried once; each stands for at most this many when it fits. */
const mostAlike = 6;

/** Two groups of variants, each of which does the same to a request: any of the one with any of the other. */
type Pair = readonly [readonly Effect[], readonly Effect[]];

/** Where nothing explains a host, each row asks about the same plain requests: what their pairs give is kept. */
const remembered = remembering<ReadonlyMap<string, readonly Pair[]>>(8);

/**
 * Every candidate that gives exactly this key by adding two rules to `base`. Tries each pair of variants that change this
 * request's key, some thousands of them, or of those that `mayBe` one of two: for the few requests where one rule explains nothing.
 */
export function withTwoRules(base: Candidate, given: Given, mayBe?: (part: Part) => boolean): readonly Candidate[] {
  const found = allEffects(base, given);
  const { byKey } = found;
  const { length } = given.key;
  if (candidateKey(base, given.request)?.length !== length && ![...byKey.keys()].some((key) => key.length === length)) {
    return [];
  }
  const all = (): ReadonlyMap<string, readonly Pair[]> => pairs(found, base, given, mayBe);
  const isPlain = base.parts.length === 0 && mayBe === undefined;
  const fitting = (isPlain ? remembered(found, all) : all()).get(given.key) ?? [];
  return fitting.flatMap(([first, second]) =>
    first
      .slice(0, mostAlike)
      .flatMap((one) => second.slice(0, mostAlike).map((other) => extended(base, one.part, other.part))),
  );
}

/** What each two of these variants give together, by the key. */
function pairs(
  { byKey }: Effects,
  base: Candidate,
  given: Given,
  mayBe: (part: Part) => boolean = () => true,
): ReadonlyMap<string, readonly Pair[]> {
  const isOne = ({ part }: Effect): boolean => part.variant.alone !== true && mayBe(part);
  const groups = [...byKey.values()].map((group) => group.filter(isOne)).filter(({ length }) => length > 0);
  const baseText = textOf(base.steps, given.request);
  const found = new Map<string, Pair[]>();
  for (const [index, first] of groups.entries()) {
    for (const second of groups.slice(index + 1)) {
      const [a, b] = [first[0], second[0]];
      if (a === undefined || b === undefined || a.part.rule.code === b.part.rule.code) continue;
      const { steps } = extended(base, a.part, b.part);
      // Writing costs the most, and where only one of the two writes otherwise its text is known.
      const both = a.text !== undefined && b.text !== undefined;
      const text = both ? textOf(steps, given.request) : (a.text ?? b.text ?? baseText);
      if (text === undefined) continue;
      const key = keyOfText(text, steps);
      append(found, key, [first, second]);
    }
  }
  return found;
}

/** An explanation of one key; `digest` is the key that the wrong rules give, equal to the one that was asked about. */
type KeyExplanation = Explanation & { readonly digest: string };

/**
 * The combinations of wrong rules that turn this request into exactly this key, the likeliest first: fewer rules before
 * more, then the catalogue's order. Empty where the key is right, where nothing in the catalogue gives it, and where the
 * request cannot be read; undefined where a large request ends the search before that is known.
 */
export function diagnoseKey(requestText: string, key: string, recipe: Recipe): readonly KeyExplanation[] | undefined {
  return bounded(SEARCH_OF_ONE, () => search(requestText, key, recipe));
}

function search(requestText: string, key: string, recipe: Recipe): readonly KeyExplanation[] {
  spend(KEPT * requestText.length);
  const read = readRequest(requestText);
  const right = rightCandidate(recipe);
  if (!read.ok || candidateKey(right, read.request) === key) return [];
  const given = { request: read.request, key };
  const single = [...withOneRule(right, given)];
  if (single.length === 0 && rawBodyKey(requestText) === key) {
    return [{ codes: [rawBody.code], message: rawBody.message, breaks: rawBody.breaks, digest: key }];
  }
  const found = single.length > 0 ? single : withTwoRules(right, given);
  const byWords = new Map<string, KeyExplanation>();
  for (const candidate of found.toSorted(simplicity)) {
    const explanation = explain(candidate);
    if (!byWords.has(explanation.message)) byWords.set(explanation.message, { ...explanation, digest: key });
  }
  return [...byWords.values()];
}
