import { runSteps } from './compute.ts';
import type { ObjectNode } from './json-node.ts';
import type { Recipe } from './recipe.ts';
import { rightSteps } from './right-steps.ts';
import type { Rule, Variant } from './rules/rule.ts';
import type { Steps } from './steps.ts';

/** One rule's variant, with its place in the catalogue. */
export interface Part {
  readonly rule: Rule;
  readonly variant: Variant;
  readonly rank: number;
}

/** Wrong rules put together; none of them is the right computation. */
export interface Candidate {
  readonly recipe: Recipe;
  readonly parts: readonly Part[];
  readonly steps: Steps;
}

/** The computation without any mistake. */
export function rightCandidate(recipe: Recipe): Candidate {
  return { recipe, parts: [], steps: rightSteps[recipe] };
}

/** A candidate with some rules more. */
export function extended(base: Candidate, ...added: readonly Part[]): Candidate {
  const { recipe } = base;
  const parts = [...base.parts, ...added].toSorted((a, b) => a.rank - b.rank);
  const [only, second] = parts;
  const steps =
    only === undefined || second !== undefined
      ? parts.reduce((sum, { variant }) => variant.apply(sum), rightSteps[recipe])
      : mistaken(only.variant, recipe);
  return { recipe, parts, steps };
}

/** The steps of one mistake alone, the same ones each time: what is known by them is known again. */
const alone = { 'rfc-0041': new WeakMap<Variant, Steps>(), 'rfc-0150': new WeakMap<Variant, Steps>() };

function mistaken(variant: Variant, recipe: Recipe): Steps {
  const known = alone[recipe].get(variant);
  if (known !== undefined) return known;
  const steps = variant.apply(rightSteps[recipe]);
  alone[recipe].set(variant, steps);
  return steps;
}

const keys = new WeakMap<Steps, WeakMap<ObjectNode, { readonly key: string | undefined }>>();

/** The key that a candidate computes; undefined where it gives none. Computed once for each request that was read. */
export function candidateKey({ steps }: Candidate, request: ObjectNode): string | undefined {
  const known = keys.get(steps) ?? new WeakMap<ObjectNode, { readonly key: string | undefined }>();
  const found = known.get(request);
  if (found !== undefined) return found.key;
  const result = runSteps(request, steps);
  const key = result.ok ? result.cacheKey : undefined;
  keys.set(steps, known.set(request, { key }));
  return key;
}

/** Negative where `a` is the better explanation of two that explain equally much: fewer rules, then earlier ones. */
export function simplicity(a: Candidate, b: Candidate): number {
  if (a.parts.length !== b.parts.length) return a.parts.length - b.parts.length;
  const at = a.parts.findIndex((part, index) => part.rank !== b.parts[index]?.rank);
  return (a.parts[at]?.rank ?? 0) - (b.parts[at]?.rank ?? 0);
}

/** Wrong rules that give a key, in words and as data. */
export interface Explanation {
  /** The catalogue's names, each once. */
  readonly codes: readonly string[];
  readonly message: string;
  /** Requirement ids that these mistakes break besides `cache-key.reproducible-offline`. */
  readonly breaks: readonly string[];
}

/** What a candidate says about the host that it explains. */
export function explain({ parts }: Candidate): Explanation {
  const labels = new Map<string, string[]>();
  for (const { rule, variant } of parts) {
    const known = labels.get(rule.message) ?? [];
    labels.set(rule.message, variant.label === '' ? known : [...known, variant.label]);
  }
  return {
    codes: [...new Set(parts.map(({ rule }) => rule.code))],
    message: [...labels]
      .map(([message, all]) => (all.length === 0 ? message : `${message}: ${all.join(', ')}`))
      .join('; '),
    breaks: [...new Set(parts.flatMap(({ rule }) => rule.breaks))],
  };
}
