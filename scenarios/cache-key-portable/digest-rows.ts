import { type AnswersDiagnosis, diagnoseAnswers, type Explanation, rightKeyOf } from '../../src/cache-key/index.ts';
import { canonicalRecipe } from '../../src/contract/gates.ts';
import { fail, idsOf, pass, undecided, type Mistake, type Outcome } from '../../src/contract/outcome.ts';
import type { RecipeName, Scenario } from '../../src/runner/scenario.ts';
import {
  type Answers,
  choicesIn,
  diagnosisBy,
  joined,
  keyAnswers,
  keyFor,
  keyOf,
  OWNERS,
  undecidedBy,
  withoutKey,
} from './answers.ts';
import { catalogued } from './diagnoses.ts';
import { isUnobserved, type RecordedKey, shownAnswer, shownKey } from './observation.ts';
import { isAllowedRefusal } from './refusable.ts';
import { controls, type KeyRequest } from './requests.ts';
import { keyScenario, sending } from './send.ts';
import { wrong as naming } from './diagnoses.ts';

/**
 * Two requests that differ in the order of their messages alone, and one of as many messages with another content, which
 * shows that the host heeds what was swapped.
 */
interface Swap {
  readonly pair: readonly [string, string];
  readonly heeded: string;
}

/** A row that is judged by digests: the requirement, the sentence that is checked, the requests that put it to the test. */
interface DigestRow {
  readonly id: string;
  readonly title: string;
  readonly requests: readonly KeyRequest[];
  readonly swaps?: readonly Swap[];
}

/** What decides about a row: its id, what its requests are to tell apart, and the recipe that was selected. */
interface JudgedRow extends Pick<DigestRow, 'id' | 'swaps'> {
  readonly recipe: RecipeName;
}

/**
 * Judges a row by its digests. One explanation of all of the row's answers decides: the right recipe passes, a wrong rule
 * that breaks this row fails it, and a wrong rule that breaks other rows only is left to them, as long as the host still
 * tells apart what the recipe tells apart. Without an explanation, right controls make a wrong probe this row's failure.
 */
export function judgeDigest(answers: Answers, row: JudgedRow): Outcome {
  const keys = answers.keys.filter(({ part }) => part === 'control' || part === 'probe');
  const outcome = controlsMistake(keys, row) ?? judgeKeys(keys, row);
  if (outcome.kind !== 'pass') return outcome;
  const unobserved = keys.find(({ answer }) => isUnobserved(answer));
  const missing = answers.cutShort ?? (unobserved && withoutKey(unobserved)) ?? allRefused(keys);
  return missing === undefined
    ? pass(keys, joined([outcome.reason, choicesIn(answers.keys)]))
    : undecided(missing, keys);
}

/** Why a row says nothing all of whose own requests were refused, as a host may; undefined where one got a key. */
function allRefused(keys: readonly RecordedKey[]): string | undefined {
  const probes = keys.filter(({ part }) => part === 'probe');
  const [first] = probes;
  if (first === undefined || probes.some(({ answer }) => answer.kind === 'key')) return undefined;
  return `all ${probes.length} requests of this row were refused, as a host may, and show nothing: ${withoutKey(first)}`;
}

/** What every row needs first: plain requests get keys, and different requests different ones. */
function controlsMistake(keys: readonly RecordedKey[], { recipe }: JudgedRow): Outcome | undefined {
  const plain = keys.filter((each) => each.part === 'control' && !isAllowedRefusal(each, recipe));
  if (plain.length === 0) return undecided('no plain request was sent', keys);
  const without = plain.find(({ answer }) => answer.kind !== 'key');
  if (without !== undefined) {
    return undecidedBy({ reason: `the plain request ${withoutKey(without)}`, owner: OWNERS.rightKeys }, keys);
  }
  if (new Set(plain.map(keyOf)).size === new Set(plain.map(({ request }) => request)).size) return undefined;
  return undecidedBy({ reason: 'different plain requests get the same key', owner: OWNERS.rightKeys }, keys);
}

function judgeKeys(keys: readonly RecordedKey[], row: JudgedRow): Outcome {
  const diagnosis = diagnoseAnswers(keyAnswers(keys), row.recipe);
  const outcome = explainedFailure(diagnosis, keys, row) ?? swapFailure(keys, row) ?? judgeRest(diagnosis, keys, row);
  if (outcome.kind !== 'pass') return outcome;
  const refused = keys.find(
    (each) =>
      each.answer.kind !== 'key' &&
      each.mayRefuse === undefined &&
      !isUnobserved(each.answer) &&
      !isAllowedRefusal(each, row.recipe),
  );
  if (refused === undefined) return outcome;
  const { name, answer } = refused;
  const [expected, actual] = [`a key for the valid request "${name}"`, shownAnswer(answer)];
  // Whoever refuses what the vectors hold, too, is named there.
  return failing({ diagnosis: naming('refused'), expected, actual, restsOn: OWNERS.rightKeys }, refused, keys);
}

/** A failure whose evidence begins with the answer that shows it: that request is the one to be reproduced. */
function failing(
  mismatch: Parameters<typeof fail>[0],
  shown: RecordedKey | undefined,
  keys: readonly RecordedKey[],
): Outcome {
  return fail(mismatch, shown === undefined ? keys : [shown, ...keys]);
}

function explainedFailure(
  diagnosis: AnswersDiagnosis,
  keys: readonly RecordedKey[],
  { id }: JudgedRow,
): Outcome | undefined {
  if (diagnosis.kind !== 'explained' || !diagnosis.explanation.breaks.includes(id)) return undefined;
  const { explanation, first } = diagnosis;
  const mismatch: Mistake = {
    expected: `${first.expected ?? 'no key'} for "${first.name}"`,
    actual: shownKey(first.key),
    diagnosis: diagnosisBy(explanation),
    // What a known rule explains is no member that is left out.
    apart: [OWNERS.otherKeys],
  };
  return failing(
    mismatch,
    keys.find(({ name }) => name === first.name),
    keys,
  );
}

/** One key for messages in two orders is wrong whatever else is wrong with the keys, where the host heeds these messages. */
function swapFailure(keys: readonly RecordedKey[], { swaps = [] }: JudgedRow): Outcome | undefined {
  for (const { pair, heeded } of swaps) {
    const [one, other] = pair.map((name) => keys.find((each) => each.name === name));
    const [key, third] = [keyOf(one), keyFor(keys, heeded)];
    if (one === undefined || other === undefined || key === undefined || third === undefined) continue;
    if (keyOf(other) !== key || third === key) continue;
    const mismatch: Mistake = {
      expected: `different keys for "${one.name}" and "${other.name}"`,
      actual: `${shownKey(key)} for both, another key for "${heeded}"`,
      diagnosis: catalogued('messages-reordered'),
      steps: idsOf([one, other]),
    };
    return fail(mismatch, [other, one, ...keys]);
  }
  return undefined;
}

function judgeRest(diagnosis: AnswersDiagnosis, keys: readonly RecordedKey[], row: JudgedRow): Outcome {
  if (diagnosis.kind === 'right') return pass(keys);
  return diagnosis.kind === 'explained' && diagnosis.explained === diagnosis.total
    ? relativePass(diagnosis.explanation, keys, row)
    : unexplained(keys, row);
}

/** Another row's mistake explains every answer; this row holds if the keys still separate what the right ones separate. */
function relativePass({ codes, message, breaks }: Explanation, keys: readonly RecordedKey[], row: JudgedRow): Outcome {
  const mistake = `the keys follow another mistake (${codes.join(', ')}: ${message})`;
  const byKey = new Map<string, RecordedKey>();
  for (const each of keys) {
    const key = keyOf(each);
    if (key === undefined) continue;
    const earlier = byKey.get(key);
    if (earlier !== undefined && rightKey(earlier, row) !== rightKey(each, row)) {
      const reason = `${mistake}, under which "${earlier.name}" and "${each.name}" are alike`;
      return undecidedBy({ reason, owner: breaks[0] ?? OWNERS.rightKeys }, keys);
    }
    byKey.set(key, each);
  }
  return pass(keys, `${mistake} and are judged relative to it`);
}

function unexplained(keys: readonly RecordedKey[], row: JudgedRow): Outcome {
  const wrong = keys.filter((each) => each.answer.kind === 'key' && keyOf(each) !== rightKey(each, row));
  const plain = wrong.find(({ part }) => part === 'control');
  if (plain !== undefined) {
    const reason = `already the plain request "${plain.name}" gets a key that no known rule explains: ${shownAnswer(plain.answer)}`;
    return undecidedBy({ reason, owner: OWNERS.rightKeys }, keys);
  }
  const [first] = wrong;
  if (first === undefined) return pass(keys);
  const expected = `${rightKey(first, row)} for "${first.name}"`;
  const actual = `${shownAnswer(first.answer)}, which no known rule explains`;
  // Where keys change by themselves, nothing is shown of what the request holds.
  return failing({ diagnosis: naming('unexplained'), expected, actual, restsOn: OWNERS.sameKeys }, first, keys);
}

function rightKey({ request }: RecordedKey, { recipe }: JudgedRow): string {
  return rightKeyOf(request, recipe) ?? 'no key';
}

/** The scenario of a digest row: the plain controls and the row's own requests. */
export function digestScenario({ id, title, requests, swaps = [] }: DigestRow): Scenario {
  return keyScenario({
    id,
    title,
    gate: canonicalRecipe,
    drive: sending(() => [...controls, ...requests]),
    judge: (answers, { options: { recipe } }) => judgeDigest(answers, { id, recipe, swaps }),
  });
}
