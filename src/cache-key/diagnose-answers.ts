import { computeKey, readRequest } from './compute.ts';
import { explain, type Explanation } from './explanation.ts';
import type { Recipe } from './recipe.ts';
import {
  type Candidate,
  candidateKey,
  type Given,
  rightCandidate,
  simplicity,
  withOneRule,
  withTwoRules,
} from './search.ts';

/** A key that a host gave for a request. */
export interface KeyAnswer {
  readonly name: string;
  readonly request: string;
  readonly key: string;
}

/** The key that a rule gives for a request text; undefined where it gives none. */
type KeyOf = (requestText: string) => string | undefined;

/** An answer that departs from the right key, which is undefined where the request has none. */
interface Mismatch extends KeyAnswer {
  readonly expected: string | undefined;
}

/** What one computation accounts for all or most of the answers. */
export type AnswersDiagnosis =
  | { readonly kind: 'right'; readonly total: number; readonly keyOf: KeyOf }
  | {
      readonly kind: 'explained';
      readonly explanation: Explanation;
      /** The first answer, in the given order, that shows the mistake; its key is the wrong rule's digest. */
      readonly first: Mismatch;
      readonly explained: number;
      readonly total: number;
      readonly keyOf: KeyOf;
    }
  | {
      readonly kind: 'unexplained';
      readonly first: Mismatch;
      readonly right: number;
      readonly total: number;
      readonly keyOf: KeyOf;
    };

const mostRules = 6;
const beamWidth = 8;
const sampledMismatches = 16;
const sampledMatches = 12;
const finalists = 4;
const refinements = 4;
const addedCounterexamples = 6;

/**
 * Finds the one combination of wrong rules that reproduces the most answers, the right ones included. Candidates come from
 * the smallest mismatches and are compared on a bounded sample, so the cost hardly grows with the number of answers.
 */
export function diagnoseAnswers(
  answers: readonly KeyAnswer[],
  recipe: Recipe,
  atOnce: 'two rules' | 'one rule' = 'two rules',
): AnswersDiagnosis {
  const rightKeyOf: KeyOf = (request) => {
    const result = computeKey(request, recipe);
    return result.ok ? result.cacheKey : undefined;
  };
  const mismatches: Mismatch[] = [];
  const matches: KeyAnswer[] = [];
  for (const answer of answers) {
    const expected = rightKeyOf(answer.request);
    if (expected === answer.key) matches.push(answer);
    else mismatches.push({ ...answer, expected });
  }
  const [first] = mismatches;
  const total = answers.length;
  if (first === undefined) return { kind: 'right', total, keyOf: rightKeyOf };
  const best = refined(smallest(mismatches, sampledMismatches, matches), answers, { recipe, atOnce });
  const shown = best && mismatches.find(({ request, key }) => best.keyOf(request) === key);
  if (best === undefined || shown === undefined || best.explained <= matches.length) {
    return { kind: 'unexplained', first, right: matches.length, total, keyOf: rightKeyOf };
  }
  return { kind: 'explained', ...best, first: shown, total };
}

/** What a search adds, and how many of it in one step where a single one never helps. */
interface Rules {
  readonly recipe: Recipe;
  readonly atOnce: 'two rules' | 'one rule';
}

function bySize(a: KeyAnswer, b: KeyAnswer): number {
  return a.request.length - b.request.length;
}

function smallest(
  mismatches: readonly KeyAnswer[],
  count: number,
  matches: readonly KeyAnswer[],
): readonly KeyAnswer[] {
  return [...mismatches.toSorted(bySize).slice(0, count), ...matches.toSorted(bySize).slice(0, sampledMatches)];
}

function readable(sample: readonly KeyAnswer[]): readonly Given[] {
  return sample.flatMap(({ request, key }) => {
    const result = readRequest(request);
    return result.ok ? [{ request: result.request, key }] : [];
  });
}

/** Searches again with the answers that the winner does not account for, until there are none or they do not help. */
function refined(start: readonly KeyAnswer[], answers: readonly KeyAnswer[], rules: Rules): Winner | undefined {
  let sample = start;
  let best: Winner | undefined;
  for (let round = 0; round < refinements; round += 1) {
    const found = winner(search(readable(sample), rules), answers);
    if (found === undefined || (best !== undefined && found.explained <= best.explained)) break;
    best = found;
    const left = answers.filter(({ request, key }) => found.keyOf(request) !== key);
    if (left.length === 0) break;
    const known = new Set(sample);
    sample = [
      ...sample,
      ...smallest(
        left.filter((answer) => !known.has(answer)),
        addedCounterexamples,
        [],
      ),
    ];
  }
  return best;
}

interface Scored {
  readonly candidate: Candidate;
  readonly score: number;
}

function scored(candidate: Candidate, sample: readonly Given[]): Scored {
  const score = sample.filter(({ request, key }) => candidateKey(candidate, request) === key).length;
  return { candidate, score };
}

function better(a: Scored, b: Scored): number {
  return b.score - a.score || simplicity(a.candidate, b.candidate);
}

/** Adds rules one mismatch after the other, keeping the few combinations that explain the most of the sample. */
function search(sample: readonly Given[], rules: Rules): readonly Candidate[] {
  let beam: readonly Scored[] = [scored(rightCandidate(rules.recipe), sample)];
  let found: readonly Scored[] = [];
  for (let round = 0; round < mostRules && found[0]?.score !== sample.length; round += 1) {
    beam = longer(beam, sample, rules).toSorted(better).slice(0, beamWidth);
    if (beam.length === 0) break;
    found = [...found, ...beam].toSorted(better);
  }
  return found.slice(0, finalists).map(({ candidate }) => candidate);
}

/** The smallest mismatches may each show another mistake, so more than one of them proposes. */
const proposers = 3;
const proposersOfPairs = 1;
const parentsOfPairs = 1;

/** The parents with a rule more; with two more, which costs much, only where one never helps. */
function longer(parents: readonly Scored[], sample: readonly Given[], { recipe, atOnce }: Rules): readonly Scored[] {
  const open = ({ candidate }: Scored): readonly Given[] =>
    sample.filter(({ request, key }) => candidateKey(candidate, request) !== key).slice(0, proposers);
  const improved = (parent: Scored, candidates: readonly Candidate[]): readonly Scored[] =>
    candidates.map((candidate) => scored(candidate, sample)).filter(({ score }) => score > parent.score);
  const single = parents.flatMap((parent) =>
    open(parent).flatMap((given) => improved(parent, withOneRule(parent.candidate, given, recipe))),
  );
  if (single.length > 0 || atOnce === 'one rule') return single;
  return parents.slice(0, parentsOfPairs).flatMap((parent) =>
    open(parent)
      .slice(0, proposersOfPairs)
      .flatMap((given) => improved(parent, withTwoRules(parent.candidate, given, recipe))),
  );
}

interface Winner {
  readonly explanation: Explanation;
  readonly explained: number;
  readonly keyOf: KeyOf;
}

function winner(candidates: readonly Candidate[], answers: readonly KeyAnswer[]): Winner | undefined {
  let best: Winner | undefined;
  for (const candidate of candidates) {
    const keyOf: KeyOf = (text) => {
      const read = readRequest(text);
      return read.ok ? candidateKey(candidate, read.request) : undefined;
    };
    const explained = answers.filter(({ request, key }) => keyOf(request) === key).length;
    if (best === undefined || explained > best.explained) best = { explanation: explain(candidate), explained, keyOf };
  }
  return best;
}
