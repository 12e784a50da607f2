import { member } from '../../src/contract/discovery.ts';
import { fail, notApplicable, pass, undecided, undecidedUntil, type Outcome } from '../../src/contract/outcome.ts';
import { endOf, isEnded, kindOfStatus } from '../../src/protocol/run-status.ts';
import { isNoRoute } from '../../src/protocol/status.ts';
import { eventsOf, named, shown } from '../shared/compare-runs.ts';
import { runOf, runsOf } from '../shared/need.ts';
import type { Recordings } from '../shared/of-type.ts';
import { accepted, bodyOf, requestsOf, shownAnswer, statusOf, whyUndecided } from '../shared/requested.ts';
import { statusIn } from '../shared/snapshot.ts';
import { wrong } from './diagnoses.ts';
import { CANCEL, CANCELLED, WAITING } from './waiting.ts';

/** Judges what is answered to the cancellation of a run that waits, by how that run goes on (wire-contract, Endpoints). */
export function judgeCancelled(recorded: Recordings): Outcome {
  const [requested] = requestsOf(recorded, CANCEL);
  const [waiting, later] = [runOf(recorded, WAITING), runOf(recorded, CANCELLED)];
  if (requested === undefined || waiting === undefined) {
    const why = 'no run that waits for an answer was there to cancel';
    return undecidedUntil('run conformance-approval, which asks', why, runsOf(recorded));
  }
  const status = statusOf(requested);
  if (isNoRoute(status)) return notApplicable(`POST /v1/runs/{runId}/cancel is answered with ${status}`, [requested]);
  const why = whyUndecided(requested);
  if (why !== undefined) return undecided(why, [requested]);
  if (!accepted(requested)) return undecided(`it was refused: ${shownAnswer(requested)}`, [requested]);
  const [runId, said] = ['runId', 'status'].map((name) => member(bodyOf(requested), name));
  const diagnosis = wrong('cancel-untrue');
  if (typeof runId === 'string' && runId !== waiting.runId) {
    const expected = `runId ${shown(waiting.runId)} in the answer to the cancellation of ${named(waiting)}`;
    return fail({ expected, actual: shown(runId), diagnosis }, [requested, waiting]);
  }
  if (!isEnded(said)) return pass([requested, waiting], `the answer says ${shown(said)}`);
  if (later === undefined) return undecided(`${named(waiting)} was not read again`, [requested, waiting]);
  const end = endOf(eventsOf(later)) ?? openStatus(later.snapshot);
  if (end === undefined) return undecided(`${named(later)} does not show how it goes on`, [requested, later]);
  if (end === said) return pass([requested, later]);
  const expected = `status ${shown(said)} of ${named(later)}, as the answer to its cancellation says`;
  return fail({ expected, actual: shown(end), diagnosis }, [requested, later]);
}

/** The status of a run that goes on and is not about to be cancelled. */
function openStatus(snapshot: unknown): string | undefined {
  const status = statusIn(snapshot);
  return kindOfStatus(status) === 'open' && status !== 'cancelling' ? status : undefined;
}
