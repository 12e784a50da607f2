import { member } from '../../src/contract/discovery.ts';
import { fail, type Outcome } from '../../src/contract/outcome.ts';
import { cancelPath } from '../../src/protocol/paths.ts';
import { endOf, isEnded } from '../../src/protocol/run-status.ts';
import type { Everything } from '../../src/runner/scenario.ts';
import { CANCEL_ENDED } from '../shared/cancel.ts';
import { eventsOf, shown } from '../shared/compare-runs.ts';
import { type AnyRun, runsIn } from '../shared/every-run.ts';
import { accepted, bodyOf, namedRun, type Requested, requestsIn } from '../shared/requested.ts';
import { wrong } from './diagnoses.ts';

/**
 * An answer to a cancellation that some scenario sent, which names another run than was to be cancelled, or which says another end of a
 * run that had come to one (wire-contract, Endpoints). Old evidence does not hold what was sent.
 */
export function cancelledOtherwise(everything: Everything): Outcome | undefined {
  const cancelled = requestsIn(everything).filter((each) => CANCELLATION.test(each.sent ?? '') && accepted(each));
  const runs = runsIn(everything);
  for (const each of cancelled) {
    const found = ofAnotherRun(each) ?? ofAnotherEnd(each, runs);
    if (found !== undefined) return found;
  }
  return undefined;
}

const CANCELLATION = /^POST \/v1\/runs\/[^/]+\/cancel$/u;

function ofAnotherRun(requested: Requested): Outcome | undefined {
  const runId = namedRun(requested);
  const { name, sent = '' } = requested;
  if (runId === undefined || sent === sentTo(runId)) return undefined;
  const expected = `the runId of the run that was to be cancelled in the answer to "${name}" (${sent})`;
  return fail({ expected, actual: shown(runId), diagnosis: wrong('cancel-untrue') }, [requested]);
}

function ofAnotherEnd(requested: Requested, runs: readonly AnyRun[]): Outcome | undefined {
  const said = member(bodyOf(requested), 'status');
  if (requested.row !== CANCEL_ENDED || !isEnded(said)) return undefined;
  const run = runs.find(({ runId, events }) => requested.sent === sentTo(runId ?? '') && events.length > 0);
  const end = run && endOf(eventsOf(run));
  if (run === undefined || end === undefined || end === said) return undefined;
  const expected = `status ${shown(end)}, as its log ends, in the answer to "${requested.name}" (${requested.sent ?? ''})`;
  return fail({ expected, actual: shown(said), diagnosis: wrong('cancel-untrue') }, [requested, run]);
}

function sentTo(runId: string): string {
  return `POST ${cancelPath(runId)}`;
}
