import { fail, pass, undecided, type Outcome } from '../../src/contract/outcome.ts';
import { sharedCause } from './diagnoses.ts';
import { accepted, namedRun, shownAnswer, statusOf, whyUndecided, type Requested } from './requested.ts';
import { openOf } from './settle.ts';

/** A key that differs from another one in its last character alone: a run that comes under both has no id of its own. */
export function nearTo(key: string): string {
  return `${key.slice(0, -1)}${key.endsWith('0') ? '1' : '0'}`;
}

/** Judges requests under one Idempotency-Key that were sent together: all answers name one run. */
export function judgeTogether(requested: readonly Requested[]): Outcome {
  const runs = [...new Set(requested.flatMap((each) => namedRun(each) ?? []))];
  const [first] = runs;
  if (first === undefined) return undecided('no answer named a run', requested);
  if (runs.length > 1) return secondRun(runs, requested);
  return openOf(requested.map((each) => judgeDuplicate(each, first))) ?? pass(requested);
}

/** Judges a request under the Idempotency-Key of an earlier one, whose answer named this run. */
export function judgeDuplicate(requested: Requested, runId: string): Outcome {
  const reason = whyUndecided(requested);
  if (reason !== undefined) return undecided(reason, [requested]);
  const other = namedRun(requested);
  if (other !== undefined && other !== runId) return secondRun([runId, other], [requested]);
  if (other === runId || statusOf(requested) === 409) return pass([requested]);
  const expected = 'the run of the first answer, or 409 while that run is being made';
  const again = [requested.id, requested.id];
  return fail(
    {
      diagnosis: sharedCause('duplicate-refused'),
      expected,
      actual: `${requested.name}: ${shownAnswer(requested)}`,
      steps: again,
    },
    [requested],
  );
}

function secondRun(runs: readonly string[], requested: readonly Requested[]): Outcome {
  const actual = `${runs.length} runs: ${runs.join(', ')}`;
  const [first] = requested.map(({ id }) => id);
  const steps = first === undefined ? undefined : [first, first];
  const expected = 'one run under one Idempotency-Key';
  return fail({ expected, actual, diagnosis: sharedCause('second-run'), steps }, requested);
}

/** The header that tells a stored answer from one that was made now (wire-contract, Endpoints). */
const MARK = 'openwop-Idempotent-Replay';

/**
 * What is wrong with the marks of answers under one Idempotency-Key: a duplicate that came after the first answer is a stored one and
 * says so, the first answer does not. Undefined where nothing is, where a duplicate got none of it, and in old evidence.
 */
export function wrongMark(first: Requested, duplicate: Requested): MarkFault | undefined {
  if (accepted(first) && isMarked(first)) {
    return { of: first, expected: `no ${MARK} with the first answer under a new Idempotency-Key` };
  }
  const isBare = duplicate.idempotentReplay !== undefined && !isMarked(duplicate);
  if (!accepted(duplicate) || !isBare) return undefined;
  return { of: duplicate, expected: `${MARK}: true with the answer to a duplicate that came after the first answer` };
}

/** An answer whose mark is wrong, and which it should have. */
interface MarkFault {
  readonly of: Requested;
  readonly expected: string;
}

/** The mark of an answer, in words. */
export function shownMark({ name, idempotentReplay }: Requested): string {
  return `${name}: ${(idempotentReplay ?? null) === null ? `no ${MARK}` : `${MARK}: ${idempotentReplay ?? ''}`}`;
}

function isMarked({ idempotentReplay }: Requested): boolean {
  return idempotentReplay?.trim().toLowerCase() === 'true';
}
