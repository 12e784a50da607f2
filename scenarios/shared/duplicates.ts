import { fail, pass, undecided, type Outcome } from '../../src/contract/outcome.ts';
import { sharedCause } from './diagnoses.ts';
import { namedRun, shownAnswer, statusOf, whyUndecided, type Requested } from './requested.ts';
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
  return fail({ expected, actual: `${requested.name}: ${shownAnswer(requested)}`, steps: again }, [requested]);
}

function secondRun(runs: readonly string[], requested: readonly Requested[]): Outcome {
  const actual = `${runs.length} runs: ${runs.join(', ')}`;
  const [first] = requested.map(({ id }) => id);
  const steps = first === undefined ? undefined : [first, first];
  const expected = 'one run under one Idempotency-Key';
  return fail({ expected, actual, diagnosis: sharedCause('second-run'), steps }, requested);
}
