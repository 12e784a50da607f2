import { type AnswersDiagnosis, diagnoseAnswers, rightKeyOf } from '../../src/cache-key/index.ts';
import type { Diagnosis, Judgement } from '../../src/contract/verdict.ts';
import type { Observation } from '../../src/evidence/types.ts';
import type { Recorded, ScenarioOptions } from '../../src/runner/scenario.ts';
import { keyAnswers } from './answers.ts';
import { cutShort, isUnobserved, keysOf, type RecordedKey, shownAnswer } from './observation.ts';
import { diagnosePairs } from './pairs.ts';
import { isMismatch } from './shrink.ts';

/** Which of the scenario's two checks is judged. */
export interface ReproducibleRow {
  readonly check: string;
  readonly part: 'golden' | 'generated';
  readonly options: ScenarioOptions;
}

/**
 * Judges keys against those computed offline from the requests' own texts. One wrong key or refusal of a valid request is
 * a failure, with the wrong rule that accounts for the most answers; answers that are missing only leave it open.
 */
export function judgeReproducible(observations: readonly Recorded<Observation>[], row: ReproducibleRow): Judgement {
  const all = keysOf(observations);
  const keys = all.filter(({ part }) => part === row.part);
  const { recipe } = row.options;
  if (row.part === 'generated' && row.options.vectors === 0) {
    return {
      check: row.check,
      verdict: 'not-applicable',
      reason: 'no generated requests were asked for',
      evidence: [],
    };
  }
  const wrong = keys.filter(({ request, answer }) => isMismatch(request, answer, recipe));
  const evidence = keys.map(({ id }) => id);
  if (wrong.length > 0) return failure({ wrong, keys, smallest: smallestOf(all, row), pairs: diagnosePairs(all) }, row);
  const unobserved = keys.filter(({ answer }) => isUnobserved(answer));
  const [first] = unobserved;
  const reason =
    nothingAsked(keys, row) ??
    (first &&
      `${unobserved.length} of ${keys.length} not observed, the first "${first.name}": ${shownAnswer(first.answer)}`) ??
    cutShort(observations.filter((each) => 'part' in each && each.part === row.part)) ??
    (row.part === 'generated' && keys.length < row.options.vectors ? `only ${keys.length} were recorded` : undefined);
  return reason === undefined
    ? { check: row.check, verdict: 'pass', evidence }
    : { check: row.check, verdict: 'inconclusive', reason, evidence };
}

function nothingAsked(keys: readonly RecordedKey[], { part }: ReproducibleRow): string | undefined {
  return keys.length === 0 ? `no ${part} request was sent` : undefined;
}

function smallestOf(all: readonly RecordedKey[], { part, options }: ReproducibleRow): RecordedKey | undefined {
  if (part !== 'generated') return undefined;
  return all.find((each) => each.part === 'shrunk' && isMismatch(each.request, each.answer, options.recipe));
}

interface Seen {
  readonly wrong: readonly RecordedKey[];
  readonly keys: readonly RecordedKey[];
  readonly smallest: RecordedKey | undefined;
  readonly pairs: Diagnosis | undefined;
}

function failure({ wrong, keys, smallest, pairs }: Seen, row: ReproducibleRow): Judgement {
  // Where the keys themselves are known to change, thousands of pairs of rules need not be tried.
  const atOnce = pairs === undefined ? 'two rules' : 'one rule';
  const diagnosis = diagnoseAnswers(keyAnswers(keys), row.options.recipe, atOnce);
  const firstNamed = diagnosis.kind === 'explained' ? diagnosis.first.name : wrong[0]?.name;
  const first = wrong.find(({ name }) => name === firstNamed);
  const shown = smallest ?? first;
  const about = smallest === undefined ? `"${shown?.name ?? ''}"` : 'the smallest wrong request';
  return {
    check: row.check,
    verdict: 'fail',
    expected: `${shown === undefined ? 'a key' : (rightKeyOf(shown.request, row.options.recipe) ?? 'no key')} for ${about}`,
    actual: `${shown === undefined ? 'none' : shownAnswer(shown.answer)}; ${wrong.length} of ${keys.length} wrong`,
    reason: `${about}: ${shown === undefined ? '' : shortened(shown.request)}`,
    ...named(diagnosis, wrong, pairs),
    evidence: [shown, first, ...wrong].flatMap((each) => (each === undefined ? [] : [each.id])).filter(isFirst),
  };
}

function isFirst(id: string, index: number, ids: readonly string[]): boolean {
  return ids.indexOf(id) === index;
}

function named(
  diagnosis: AnswersDiagnosis,
  wrong: readonly RecordedKey[],
  pairs: Diagnosis | undefined,
): Pick<Judgement, 'diagnosis'> {
  switch (diagnosis.kind) {
    case 'explained': {
      const { explanation, first, explained, total } = diagnosis;
      const message = `${explanation.message}; first shown by "${first.name}", where the wrong rule gives ${first.key}; explains ${explained} of ${total} keys`;
      return { diagnosis: { code: explanation.codes.join('+'), message } };
    }
    case 'unexplained': {
      if (pairs !== undefined) return { diagnosis: pairs };
      const message = `no rule of the catalogue explains the keys; ${diagnosis.right} of ${diagnosis.total} are right`;
      return { diagnosis: { code: 'unexplained', message } };
    }
    case 'right': {
      const [refused] = wrong;
      if (refused === undefined) return {};
      return { diagnosis: { code: 'refused', message: `a valid request gets no key: ${shownAnswer(refused.answer)}` } };
    }
  }
}

const shownCharacters = 400;

/** A request on one line, short, with every character that could be mistaken for another as a JSON escape. */
function shortened(request: string): string {
  const line = request
    .replaceAll(/\s*\n\s*/gu, '')
    .replaceAll(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
  return line.length > shownCharacters ? `${line.slice(0, shownCharacters)}… (${request.length} characters)` : line;
}
