import { type AnswersDiagnosis, diagnoseAnswers, rightKeyOf } from '../../src/cache-key/index.ts';
import { fail, pass, undecided, type Mismatch, type Outcome } from '../../src/contract/outcome.ts';
import type { Diagnosis } from '../../src/contract/verdict.ts';
import type { RecipeName } from '../../src/runner/scenario.ts';
import { type Answers, diagnosisBy, keyAnswers } from './answers.ts';
import { wrong } from './diagnoses.ts';
import { isUnobserved, type RecordedKey, shownAnswer } from './observation.ts';
import { isMismatch } from './shrink.ts';

/** Answers to vectors, and what else is known of the host's keys. */
export interface Vectors {
  readonly answers: Answers;
  readonly recipe: RecipeName;
  /** How many answers there have to be. */
  readonly planned: number;
  /** The smallest request that was answered wrongly, where one was looked for. */
  readonly smallest?: RecordedKey | undefined;
  /** The mistake that sending one vector in several ways showed. */
  readonly pairs?: Diagnosis | undefined;
}

/**
 * Judges keys against those computed offline from the requests' own texts. One wrong key or refusal of a valid request is
 * a failure, with the wrong rule that accounts for the most answers; answers that are missing only leave it open.
 */
export function judgeReproducible(vectors: Vectors): Outcome {
  const { keys } = vectors.answers;
  const mismatched = keys.filter(({ request, answer }) => isMismatch(request, answer, vectors.recipe));
  const [first] = mismatched;
  if (first !== undefined) return failure(first, mismatched, vectors);
  const missing = missingIn(vectors);
  return missing === undefined ? pass(keys) : undecided(missing, keys);
}

function missingIn({ answers: { keys, cutShort }, planned }: Vectors): string | undefined {
  if (keys.length === 0) return 'no request was sent';
  const unobserved = keys.filter(({ answer }) => isUnobserved(answer));
  const [first] = unobserved;
  if (first !== undefined) {
    return `${unobserved.length} of ${keys.length} not observed, the first "${first.name}": ${shownAnswer(first.answer)}`;
  }
  return cutShort ?? (keys.length < planned ? `only ${keys.length} of ${planned} answers were recorded` : undefined);
}

function failure(
  head: RecordedKey,
  mismatched: readonly RecordedKey[],
  { answers: { keys }, recipe, smallest, pairs }: Vectors,
): Outcome {
  // Where the keys themselves are known to change, thousands of pairs of rules need not be tried.
  const diagnosis = diagnoseAnswers(keyAnswers(keys), recipe, pairs === undefined ? 'two rules' : 'one rule');
  const named = diagnosis.kind === 'explained' ? diagnosis.first.name : head.name;
  const first = mismatched.find(({ name }) => name === named) ?? head;
  const shown = smallest ?? first;
  const about = smallest === undefined ? `"${shown.name}"` : 'the smallest wrong request';
  const mismatch: Mismatch = {
    expected: `${rightKeyOf(shown.request, recipe) ?? 'no key'} for ${about}`,
    actual: `${shownAnswer(shown.answer)}; ${mismatched.length} of ${keys.length} wrong`,
    reason: `${about}: ${shortened(shown.request)}`,
    diagnosis: causeOf(diagnosis, head, pairs),
  };
  return fail(mismatch, [shown, first, ...mismatched]);
}

function causeOf(diagnosis: AnswersDiagnosis, { answer }: RecordedKey, pairs: Diagnosis | undefined): Diagnosis {
  switch (diagnosis.kind) {
    case 'explained': {
      const { explanation, first, explained, total } = diagnosis;
      const { code, message } = diagnosisBy(explanation);
      const shown = `first shown by "${first.name}", where the wrong rule gives ${first.key}`;
      return { code, message: `${message}; ${shown}; explains ${explained} of ${total} keys` };
    }
    case 'unexplained': {
      if (pairs !== undefined) return pairs;
      const { code, message } = wrong('unexplained');
      return { code, message: `${message}; ${diagnosis.right} of ${diagnosis.total} are right` };
    }
    case 'right': {
      const { code, message } = wrong('refused');
      return { code, message: `${message}: ${shownAnswer(answer)}` };
    }
  }
}

const SHOWN = 400;

/** A request on one line, short, with every character that could be mistaken for another as a JSON escape. */
function shortened(request: string): string {
  const line = request
    .replaceAll(/\s*\n\s*/gu, '')
    .replaceAll(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
  return line.length > SHOWN ? `${line.slice(0, SHOWN)}… (${request.length} characters)` : line;
}
