import { fail, type Outcome } from '../../src/contract/outcome.ts';
import { isParked } from '../../src/protocol/run-status.ts';
import { isNoRoute, isServerError, isSuccess } from '../../src/protocol/status.ts';
import type { Recorded } from '../../src/runner/scenario.ts';
import type { AnswerObservation } from '../shared/answering.ts';
import { named } from '../shared/compare-runs.ts';
import type { RecordedRun } from '../shared/need.ts';
import { type Requested, shownAnswer, statusOf } from '../shared/requested.ts';
import { wrong } from './diagnoses.ts';

/** A run that waits and what its answer was answered with; both undefined where it was not made, or not answered. */
export interface Answered {
  readonly run: RecordedRun | undefined;
  readonly answer: Recorded<AnswerObservation> | undefined;
}

/** wire-contract, Endpoints: a question that is not open any more. */
export function isClosed({ answered }: Pick<AnswerObservation, 'answered'>): boolean {
  return answered !== null && [404, 409, 410, 422].includes(answered);
}

/**
 * The failure of a branch that says that it waits and takes no answer, where its control takes one: that of one from behind the question of
 * its source is a branch from the start of that question, and that of such a branch its source, of which another check tells as well.
 * Undefined where there is none.
 */
export function unanswerable({ run, answer }: Answered, control: Answered, restsOn?: string): Outcome | undefined {
  if (run === undefined || answer === undefined || control.run === undefined) return undefined;
  const isTaken = isSuccess(control.answer?.answered ?? null);
  if (!isTaken || control.answer === undefined || !isClosed(answer) || !isParked(answer.status)) return undefined;
  return fail(
    {
      diagnosis: wrong('branch-unanswerable'),
      expected: `${named(run)} waits, and takes an answer ${restsOn === undefined ? 'to the question that its history holds, ' : ''}as ${named(control.run)} does to its own`,
      actual: `status ${answer.status ?? ''}, and its answer was answered with ${answer.answered ?? 'nothing'}`,
      restsOn,
    },
    [answer, run, control.answer, control.run],
  );
}

/** A run that waits, and the request to cancel it. */
export interface ToCancel {
  readonly run: RecordedRun | undefined;
  readonly requested: Requested | undefined;
}

/**
 * The failure of a branch that waits and is not cancelled, where a run that is no fork and waits as well, the control, was. Undefined where
 * there is none.
 */
export function notCancelled({ run, requested }: ToCancel, control: ToCancel): Outcome | undefined {
  if (run === undefined || requested === undefined || control.run === undefined) return undefined;
  const [status, ofControl] = [requested, control.requested].map((each) => each && statusOf(each));
  // What else is refused may have come to its end meanwhile.
  const isRefused = status !== undefined && (isNoRoute(status) || isServerError(status));
  if (!isRefused || control.requested === undefined || !isSuccess(ofControl ?? null)) return undefined;
  return fail(
    {
      diagnosis: wrong('branch-unanswerable'),
      expected: `${named(run)} waits, and is cancelled as ${named(control.run)} was`,
      actual: shownAnswer(requested),
    },
    [requested, run, control.requested, control.run],
  );
}
