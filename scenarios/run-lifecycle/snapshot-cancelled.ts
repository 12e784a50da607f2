import { member } from '../../src/contract/discovery.ts';
import { fail, type Outcome, pass, undecided, undecidedUntil } from '../../src/contract/outcome.ts';
import { endOf, isEnded, kindOfStatus } from '../../src/protocol/run-status.ts';
import { isNoRoute, isServerError } from '../../src/protocol/status.ts';
import type { Judging } from '../../src/runner/define-scenario.ts';
import { eventsOf, named, shown } from '../shared/compare-runs.ts';
import { sharedCause } from '../shared/diagnoses.ts';
import { FOUNDATIONS } from '../shared/foundations.ts';
import { runOf, runsOf } from '../shared/need.ts';
import type { Recordings } from '../shared/of-type.ts';
import { accepted, bodyOf, requestsOf, shownAnswer, statusOf, whyUndecided } from '../shared/requested.ts';
import type { RunObservation } from '../shared/run-observation.ts';
import { failureOf } from '../shared/settle.ts';
import { statusIn } from '../shared/snapshot.ts';
import { cancelledOtherwise } from './cancel-answers.ts';
import { wrong } from './diagnoses.ts';
import { BY_CLOCK, CANCEL, CANCEL_UNKNOWN, CANCELLED, WAITING } from './waiting.ts';

/** Judges what is answered to the cancellation of a run that waits, by how that run goes on, and to any other (wire-contract, Endpoints). */
export function judgeCancelled(recorded: Recordings, { everything }: Pick<Judging, 'everything'>): Outcome {
  const own = judgeWaiting(recorded);
  return failureOf([own]) ?? cancelledOtherwise(everything) ?? own;
}

function judgeWaiting(recorded: Recordings): Outcome {
  const [requested] = requestsOf(recorded, CANCEL);
  const [waiting, later] = [runOf(recorded, WAITING), runOf(recorded, CANCELLED)];
  if (requested === undefined || waiting === undefined) {
    const why = 'no run that waits was there to cancel';
    return undecidedUntil(`run conformance-approval, or ${BY_CLOCK}`, why, runsOf(recorded));
  }
  const status = statusOf(requested);
  if (isNoRoute(status)) {
    return undecidedUntil('cancel runs that wait, at POST /v1/runs/{runId}/cancel', `it is answered with ${status}`, [
      requested,
    ]);
  }
  const why = whyUndecided(requested);
  if (why !== undefined) return undecided(why, [requested]);
  if (isServerError(status)) {
    const expected = `200, or a refusal, for the cancellation of ${named(waiting)}`;
    return fail({ expected, actual: shownAnswer(requested), diagnosis: sharedCause('server-error') }, [
      requested,
      waiting,
    ]);
  }
  if (!accepted(requested)) return undecided(`it was refused: ${shownAnswer(requested)}`, [requested]);
  const [runId, said] = ['runId', 'status'].map((name) => member(bodyOf(requested), name));
  const diagnosis = wrong('cancel-untrue');
  if (typeof runId === 'string' && runId !== waiting.runId) {
    const expected = `runId ${shown(waiting.runId)} in the answer to the cancellation of ${named(waiting)}`;
    return fail({ expected, actual: shown(runId), diagnosis }, [requested, waiting]);
  }
  const unknown = requestsOf(recorded, CANCEL_UNKNOWN).find((each) => accepted(each) || isServerError(statusOf(each)));
  if (unknown !== undefined) {
    const expected = `404 for ${unknown.name}`;
    const cause = sharedCause(accepted(unknown) ? 'carried-out' : 'server-error');
    return fail({ expected, actual: shownAnswer(unknown), diagnosis: cause }, [unknown, requested]);
  }
  if (status === 200 && (typeof runId !== 'string' || typeof said !== 'string')) {
    const expected = `runId and status in the answer to the cancellation of ${named(waiting)}`;
    return fail({ diagnosis: wrong('cancel-untold'), expected, actual: shown(bodyOf(requested)) }, [
      requested,
      waiting,
    ]);
  }
  if (later === undefined || (later.problem !== null && eventsOf(later).length === 0))
    return undecided(`${named(waiting)} was not read again`, [requested, waiting]);
  const end = endOf(eventsOf(later)) ?? openStatus(later.snapshot);
  // A worker that waits by the clock may learn late of its cancellation, or after its wait.
  const isByClock = waiting.workflowId === BY_CLOCK;
  const isLate = isByClock && !isEnded(statusIn(later.snapshot));
  if (end === undefined && isEnded(said) && !isLate && later.problem !== null && isAsBefore(later, waiting)) {
    const expected = `an event that ends the log of ${named(later)}, as the answer to its cancellation says (${shown(said)})`;
    // Where the snapshot shows the end as well, the row about ends of logs says so.
    const restsOn = isEnded(statusIn(later.snapshot)) ? FOUNDATIONS.ends : undefined;
    const actual = `none was written${lastOf(later)}`;
    return fail({ expected, actual, diagnosis, restsOn }, [requested, waiting, later]);
  }
  if (end === undefined)
    return undecidedUntil(SHOW_END, `${named(later)} does not show how it goes on${lastOf(later)}`, [requested, later]);
  if (end === said) return pass([requested, later]);
  const [answered, isOpen] = [`the answer says ${shown(said)}`, !isEnded(said)];
  if (isOpen && (end === 'cancelled' || end === 'failed'))
    return pass([requested, later], `${answered}, and it ends so: ${end}`);
  if (isByClock ? isOpen || !isEnded(end) : isOpen && !isEnded(end))
    return undecided(`${answered}, and ${named(later)} goes on as before (${end})`, [requested, later]);
  // Where the snapshot says so as well, the row about snapshots does.
  const restsOn = statusIn(later.snapshot) === said ? FOUNDATIONS.snapshots : undefined;
  // What was cancelled and ends so is right, and the answer is not.
  const [expected, actual] =
    end === 'cancelled'
      ? [`status ${shown(end)} in the answer to the cancellation of ${named(later)}, whose log ends so`, said]
      : [
          `status ${shown(isEnded(said) ? said : 'cancelled')} of ${named(later)}, as the answer to its cancellation says (${shown(said)})`,
          end,
        ];
  return fail({ expected, actual: shown(actual), diagnosis, restsOn }, [requested, later]);
}

const SHOW_END = 'show run.cancelled in the log and the status cancelled in the snapshot';

/** Whether nothing was written to the log of a run since it was read first. */
function isAsBefore(later: RunObservation, before: RunObservation): boolean {
  const last = eventsOf(before).at(-1)?.sequence;
  return last !== undefined && eventsOf(later).at(-1)?.sequence === last;
}

/** The last event of a run, and its status, in words: a host may spell them otherwise. */
function lastOf(run: RunObservation): string {
  const last = eventsOf(run).at(-1)?.type;
  const status = statusIn(run.snapshot);
  const parts = [last && `its log ends with ${last}`, status && `its snapshot shows ${status}`].filter(Boolean);
  return parts.length === 0 ? '' : ` (${parts.join(', ')})`;
}

/** The status of a run that goes on and is not about to be cancelled. */
function openStatus(document: unknown): string | undefined {
  const status = statusIn(document);
  return kindOfStatus(status) === 'open' && status !== 'cancelling' ? status : undefined;
}
