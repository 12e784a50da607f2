import {
  type Candidate,
  candidateKey,
  explain,
  type Explanation,
  extended,
  type Part,
  rightCandidate,
  simplicity,
} from './candidate.ts';
import { readRequest, rightKeyOf, remembering } from './compute.ts';
import type { Given } from './effects.ts';
import type { ObjectNode } from './json-node.ts';
import type { Recipe } from './recipe.ts';
import { partlyUpperCase } from './rules/encodings.ts';
import { rawBody, rawBodyKey } from './rules/other.ts';
import { withOneRule, withTwoRules } from './search.ts';
import { bounded, SEARCH_OF_MANY } from './work.ts';

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
  const rightly: KeyOf = (request) => rightKeyOf(request, recipe);
  const mismatches: Mismatch[] = [];
  const matches: KeyAnswer[] = [];
  for (const answer of answers) {
    const expected = rightly(answer.request);
    if (expected === answer.key) matches.push(answer);
    else mismatches.push({ ...answer, expected });
  }
  const [first] = mismatches;
  const total = answers.length;
  if (first === undefined) return { kind: 'right', total, keyOf: rightly };
  if (mismatches.every(isPartlyUpperCase)) {
    const given = new Map(mismatches.map(({ request, key }) => [request, key]));
    const keyOf: KeyOf = (request) => given.get(request) ?? rightly(request);
    return { kind: 'explained', explanation: partlyUpperCase, first, explained: total, total, keyOf };
  }
  const sample = [...smallest(mismatches, sampledMismatches), ...smallest(matches, sampledMatches)];
  const best = bounded(SEARCH_OF_MANY, () => refined(sample, answers, { recipe, atOnce }));
  const shown = best && mismatches.find(({ request, key }) => best.keyOf(request) === key);
  if (best === undefined || shown === undefined || best.explained <= matches.length) {
    return { kind: 'unexplained', first, right: matches.length, total, keyOf: rightly };
  }
  return { kind: 'explained', ...best, first: shown, total };
}

/** Whether the right key was given but for the case of its letters, which are not all in upper case. */
function isPartlyUpperCase({ key, expected }: Mismatch): boolean {
  return key !== key.toUpperCase() && key.toLowerCase() === expected;
}

/** What a search adds, and how many of it in one step where a single one never helps. */
interface Rules {
  readonly recipe: Recipe;
  readonly atOnce: 'two rules' | 'one rule';
}

function smallest(answers: readonly KeyAnswer[], count: number): readonly KeyAnswer[] {
  return answers.toSorted((a, b) => a.request.length - b.request.length).slice(0, count);
}

/** A sampled answer whose request was read, with its length in characters. */
interface Sampled extends Given {
  readonly length: number;
}

/** What a request has at most that rules are added on to others by, in characters: each of some hundreds writes it anew. */
const SHORT = 4_096;
/** The same for pairs, of which there are thousands; what short requests do not show is a mistake about length, not two. */
const SHORT_FOR_PAIRS = 1_024;

function readable(sample: readonly KeyAnswer[]): readonly Sampled[] {
  return sample.flatMap(({ request: text, key }) => {
    const request = requestOf(text);
    return request === undefined ? [] : [{ request, key, length: text.length }];
  });
}

/** What is known of a request goes by the request that was read: one that comes again is the same one. */
const remembered = remembering<ObjectNode | undefined, string>(2_000_000, ({ length }) => length);

function requestOf(text: string): ObjectNode | undefined {
  return remembered(text, () => {
    const result = readRequest(text);
    return result.ok ? result.request : undefined;
  });
}

/** Searches again with the answers that the winner does not account for, until there are none or they do not help. */
function refined(start: readonly KeyAnswer[], answers: readonly KeyAnswer[], rules: Rules): Winner | undefined {
  let sample = start;
  let best: Winner | undefined;
  for (let round = 0; round < refinements; round += 1) {
    const found = search(readable(sample), answers, rules);
    if (found === undefined || (best !== undefined && found.explained <= best.explained)) break;
    best = found;
    const left = answers.filter(({ request, key }) => found.keyOf(request) !== key);
    const known = new Set(sample);
    const others = left.filter((answer) => !known.has(answer));
    if (others.length === 0) break;
    sample = [...sample, ...smallest(others, addedCounterexamples)];
  }
  return best;
}

interface Scored {
  readonly candidate: Candidate;
  readonly score: number;
}

function scored(candidate: Candidate, sample: readonly Sampled[]): Scored {
  const score = sample.filter(({ request, key }) => candidateKey(candidate, request) === key).length;
  return { candidate, score };
}

function better(a: Scored, b: Scored): number {
  return b.score - a.score || simplicity(a.candidate, b.candidate);
}

/** The combination that explains the most answers. */
function search(sample: readonly Sampled[], answers: readonly KeyAnswer[], rules: Rules): Winner | undefined {
  return onlyRule(sample, answers, rules) ?? asTheyCame(answers) ?? winner(finalistsOf(sample, rules), answers);
}

/**
 * The first rule that gives the key of the first mismatch and all of the sample, where it gives all answers too: most wrong
 * hosts make one mistake, and whatever else gives them all stands behind it.
 */
function onlyRule(sample: readonly Sampled[], answers: readonly KeyAnswer[], { recipe }: Rules): Winner | undefined {
  const right = rightCandidate(recipe);
  const first = sample.find(({ request, key }) => candidateKey(right, request) !== key);
  if (first === undefined) return undefined;
  const fits = (candidate: Candidate): boolean =>
    sample.every(({ request, key }) => candidateKey(candidate, request) === key);
  for (const candidate of withOneRule(right, first)) {
    if (!fits(candidate)) continue;
    const only = winner([candidate], answers);
    return only?.explained === answers.length ? only : undefined;
  }
  return undefined;
}

/** The body itself as what was hashed, where that gives every key: no rule about what the body says would, not even many. */
function asTheyCame(answers: readonly KeyAnswer[]): Winner | undefined {
  if (answers.some(({ request, key }) => rawBodyKey(request) !== key)) return undefined;
  const { code, message, breaks } = rawBody;
  return { explanation: { codes: [code], message, breaks }, explained: answers.length, keyOf: rawBodyKey };
}

/** Adds rules one mismatch after the other, keeping the few combinations that explain the most of the sample. */
function finalistsOf(sample: readonly Sampled[], rules: Rules): readonly Candidate[] {
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
/** Where so many rules are known, two more at once explain no host. */
const rulesBeforePairs = 2;

/** The parents with a rule more; with two more, which costs much, only where one never helps. */
function longer(parents: readonly Scored[], sample: readonly Sampled[], { atOnce }: Rules): readonly Scored[] {
  const open = ({ candidate }: Scored): readonly Sampled[] =>
    sample
      .filter(({ length }) => length <= SHORT || candidate.parts.length === 0)
      .filter(({ request, key }) => candidateKey(candidate, request) !== key)
      .slice(0, proposers);
  const improved = (parent: Scored, candidates: readonly Candidate[]): readonly Scored[] =>
    candidates.map((candidate) => scored(candidate, sample)).filter(({ score }) => score > parent.score);
  const single = parents.flatMap((parent) =>
    open(parent).flatMap((given) => improved(parent, [...withOneRule(parent.candidate, given)])),
  );
  if (single.length > 0 || atOnce === 'one rule') return single;
  const few = parents.filter(({ candidate }) => candidate.parts.length < rulesBeforePairs);
  return few.slice(0, parentsOfPairs).flatMap((parent) =>
    open(parent)
      .slice(0, proposersOfPairs)
      .filter(({ length }) => length <= SHORT_FOR_PAIRS)
      .flatMap((given) => improved(parent, withTwoRules(parent.candidate, given, oneOfTwo(parent, sample)))),
  );
}

/**
 * Which rules may be one of two that explain more: those that turn fewer right answers wrong than there are wrong ones, as what the
 * one spoils the other hardly ever mends. Undefined where that leaves out none.
 */
function oneOfTwo({ candidate, score }: Scored, sample: readonly Sampled[]): ((part: Part) => boolean) | undefined {
  const most = sample.length - score;
  if (score < most) return undefined;
  const right = sample.filter(({ request, key }) => candidateKey(candidate, request) === key);
  return (part) => {
    const both = extended(candidate, part);
    let spoiled = 0;
    return right.every(({ request, key }) => candidateKey(both, request) === key || ++spoiled < most);
  };
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
      const request = requestOf(text);
      return request && candidateKey(candidate, request);
    };
    const explained = countAbove(best?.explained ?? -1, answers, keyOf);
    if (explained !== undefined) best = { explanation: explain(candidate), explained, keyOf };
  }
  return best;
}

/** How many answers get their key; undefined as soon as it is known that these are not more than `least`. */
function countAbove(least: number, answers: readonly KeyAnswer[], keyOf: KeyOf): number | undefined {
  let left = answers.length;
  for (const { request, key } of answers) {
    if (left <= least) return undefined;
    if (keyOf(request) !== key) left -= 1;
  }
  return left <= least ? undefined : left;
}
