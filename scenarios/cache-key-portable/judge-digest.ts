import {
  type AnswersDiagnosis,
  diagnoseAnswers,
  type Explanation,
  type KeyAnswer,
  rightKeyOf,
} from '../../src/cache-key/index.ts';
import type { Judgement } from '../../src/contract/verdict.ts';
import type { Observation } from '../../src/evidence/types.ts';
import type { Recorded, RecipeName } from '../../src/runner/scenario.ts';
import { keyAnswers } from './answers.ts';
import { tellEithers } from './either.ts';
import { cutShort, isUnobserved, keysOf, type RecordedKey, shownAnswer, shownKey } from './observation.ts';

/** The row that is judged: its check, which is also the requirement's id, and the recipe that was selected. */
export interface DigestRow {
  readonly check: string;
  readonly recipe: RecipeName;
}

type Outcome = Omit<Judgement, 'check' | 'evidence'>;

/**
 * Judges a row by its digests. One explanation of all of the row's answers decides: the right recipe passes, a wrong rule
 * that breaks this row fails it, and a wrong rule that breaks other rows only is left to them, as long as the host still
 * tells apart what the recipe tells apart. Without an explanation, right controls make a wrong probe this row's failure.
 */
export function judgeDigest(observations: readonly Recorded<Observation>[], row: DigestRow): Judgement {
  const keys = keysOf(observations).filter(({ part }) => part === 'control' || part === 'probe');
  const outcome = controlsMistake(keys) ?? digestOutcome(keys, row);
  const evidence = keys.map(({ id }) => id);
  if (outcome.verdict !== 'pass') return { check: row.check, ...outcome, evidence: evidenceOf(outcome, keys, row) };
  const missing = incomplete(observations, keys);
  if (missing !== undefined) return { check: row.check, verdict: 'inconclusive', reason: missing, evidence };
  const told = [outcome.reason, ...tellEithers(keysOf(observations))].filter((text) => text !== undefined);
  return {
    check: row.check,
    verdict: 'pass',
    ...(told.length === 0 ? {} : { reason: told.join('; ') }),
    evidence,
  };
}

/** What every row needs first: plain requests get keys, and different requests different ones. */
function controlsMistake(keys: readonly RecordedKey[]): Outcome | undefined {
  const plain = keys.filter(({ part }) => part === 'control');
  const without = plain.find(({ answer }) => answer.kind !== 'key');
  if (plain.length === 0) return { verdict: 'inconclusive', reason: 'no plain request was sent' };
  if (without !== undefined) {
    return {
      verdict: 'inconclusive',
      reason: `the plain request "${without.name}" got no key: ${shownAnswer(without.answer)}`,
    };
  }
  const distinct = new Set(plain.map(({ answer }) => (answer.kind === 'key' ? answer.key : '')));
  if (distinct.size === new Set(plain.map(({ request }) => request)).size) return undefined;
  return { verdict: 'inconclusive', reason: 'different plain requests get the same key' };
}

function incomplete(observations: readonly Recorded<Observation>[], keys: readonly RecordedKey[]): string | undefined {
  const unobserved = keys.find(({ answer }) => isUnobserved(answer));
  return (
    cutShort(observations) ??
    (unobserved && `"${unobserved.name}" could not be observed: ${shownAnswer(unobserved.answer)}`)
  );
}

function digestOutcome(keys: readonly RecordedKey[], row: DigestRow): Outcome {
  const answers = keyAnswers(keys);
  const diagnosis = diagnoseAnswers(answers, row.recipe);
  const wrong = wrongOutcome(diagnosis, { keys, answers, row });
  if (wrong !== undefined && wrong.verdict !== 'pass') return wrong;
  const refused = keys.find(
    ({ answer, mayRefuse }) => answer.kind !== 'key' && mayRefuse === undefined && !isUnobserved(answer),
  );
  if (refused === undefined) return wrong ?? { verdict: 'pass' };
  return {
    verdict: 'fail',
    expected: `a key for the valid request "${refused.name}"`,
    actual: shownAnswer(refused.answer),
  };
}

interface Seen {
  readonly keys: readonly RecordedKey[];
  readonly answers: readonly KeyAnswer[];
  readonly row: DigestRow;
}

function wrongOutcome(diagnosis: AnswersDiagnosis, seen: Seen): Outcome | undefined {
  switch (diagnosis.kind) {
    case 'right':
      return undefined;
    case 'explained': {
      const { explanation, explained, total } = diagnosis;
      if (explanation.breaks.includes(seen.row.check)) return explainedFailure(diagnosis);
      return explained === total ? relativePass(explanation, seen) : unexplained(seen);
    }
    case 'unexplained':
      return unexplained(seen);
  }
}

function explainedFailure({ explanation, first }: Extract<AnswersDiagnosis, { kind: 'explained' }>): Outcome {
  return {
    verdict: 'fail',
    expected: `${first.expected ?? 'no key'} for "${first.name}"`,
    actual: shownKey(first.key),
    diagnosis: { code: explanation.codes.join('+'), message: explanation.message },
  };
}

/** Another row's mistake explains every answer; this row holds if the keys still separate what the right ones separate. */
function relativePass(explanation: Explanation, { answers, row }: Seen): Outcome {
  const mistake = `the keys follow another mistake (${explanation.codes.join(', ')}: ${explanation.message})`;
  const byKey = new Map<string, KeyAnswer>();
  for (const answer of answers) {
    const twin = byKey.get(answer.key);
    if (twin !== undefined && rightKey(twin, row) !== rightKey(answer, row)) {
      return {
        verdict: 'inconclusive',
        reason: `${mistake}, under which "${twin.name}" and "${answer.name}" are alike`,
      };
    }
    byKey.set(answer.key, answer);
  }
  return { verdict: 'pass', reason: `${mistake} and are judged relative to it` };
}

function rightKey({ request }: KeyAnswer, { recipe }: DigestRow): string {
  return rightKeyOf(request, recipe) ?? 'no key';
}

function unexplained({ keys, answers, row }: Seen): Outcome {
  const plain = keyAnswers(keys.filter(({ part }) => part === 'control'));
  const wrongControl = plain.find((answer) => rightKey(answer, row) !== answer.key);
  if (wrongControl !== undefined) {
    return {
      verdict: 'inconclusive',
      reason: `already the plain request "${wrongControl.name}" gets a key that no known rule explains: ${shownKey(wrongControl.key)}`,
    };
  }
  const wrong = answers.find((answer) => rightKey(answer, row) !== answer.key);
  if (wrong === undefined) return { verdict: 'pass' };
  return {
    verdict: 'fail',
    expected: `${rightKey(wrong, row)} for "${wrong.name}"`,
    actual: `${shownKey(wrong.key)}, which no known rule explains`,
  };
}

/** The observation that shows a failure first, so that it is the one to be reproduced. */
function evidenceOf(outcome: Outcome, keys: readonly RecordedKey[], row: DigestRow): readonly string[] {
  const shown = keys.toSorted((a, b) => Number(isRight(b, row)) - Number(isRight(a, row)));
  const ordered = outcome.verdict === 'fail' ? shown.toReversed() : keys;
  return ordered.map(({ id }) => id);
}

function isRight({ answer, request, name }: RecordedKey, row: DigestRow): boolean {
  return answer.kind === 'key' && rightKey({ name, request, key: answer.key }, row) === answer.key;
}
