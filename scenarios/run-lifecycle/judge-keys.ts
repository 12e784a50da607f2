import { fail, isOutcome, pass, rests, undecided, type Outcome } from '../../src/contract/outcome.ts';
import { sharedCause } from '../shared/diagnoses.ts';
import { judgeDuplicate, judgeTogether } from '../shared/duplicates.ts';
import { need } from '../shared/need.ts';
import type { Recordings } from '../shared/of-type.ts';
import {
  accepted,
  namedRun,
  requestsOf,
  shownAnswer,
  statusOf,
  whyUndecided,
  type Requested,
} from '../shared/requested.ts';
import { openOf } from '../shared/settle.ts';

const ONE_AFTER_THE_OTHER = 'run.create-idempotency';
/** The row of the same request under the same key by another tenant; not sent without a second credential, and not in old evidence. */
export const OTHER_TENANT = "run under another tenant's key";

/** Judges a duplicate that came after its first request, and another body under the same key (wire-contract, Endpoints). */
export function judgeKeys(recorded: Recordings): Outcome {
  const runs = need(recorded, 'run');
  if (isOutcome(runs)) return runs;
  const [first] = requestsOf(recorded, 'first');
  const [duplicate] = requestsOf(recorded, 'duplicate');
  const [other] = requestsOf(recorded, 'other body');
  if (first === undefined || duplicate === undefined || other === undefined) {
    return undecided('the duplicates were not sent', [runs.run]);
  }
  const made = namedRun(first);
  if (!accepted(first) || made === undefined) {
    return undecided(`a run with tags, under an Idempotency-Key, got ${shownAnswer(first)}`, [first]);
  }
  const foreign = requestsOf(recorded, OTHER_TENANT);
  const left = openOf([
    judgeDuplicate(duplicate, made),
    judgeOtherBody(other, first),
    ...foreign.flatMap((each) => handedOut(each, first)),
  ]);
  if (left !== undefined) return left;
  const evidence = [first, duplicate, other, ...foreign, runs.run];
  if (made === runs.run.runId) {
    return undecided(
      `a request without a key gave the same run ${made}, so nothing shows that keys are heeded`,
      evidence,
    );
  }
  return pass(evidence);
}

function judgeOtherBody(other: Requested, first: Requested): Outcome {
  const why = whyUndecided(other);
  if (why !== undefined) return undecided(why, [other]);
  if (statusOf(other) === 409) return pass([other]);
  const expected = '409 for another body under the Idempotency-Key of a run that was made';
  const diagnosis = accepted(other) ? sharedCause('carried-out') : undefined;
  const steps = [first.id, other.id];
  return fail({ expected, actual: `${other.name}: ${shownAnswer(other)}`, diagnosis, steps }, [first, other]);
}

/** A key is one of its tenant (wire-contract, Endpoints): another one is answered with a run of its own, if with any. */
function handedOut(foreign: Requested, first: Requested): readonly Outcome[] {
  if (namedRun(foreign) === undefined || namedRun(foreign) !== namedRun(first)) return [];
  const expected = `another run than ${String(namedRun(first))}, which another tenant made under the same Idempotency-Key`;
  const diagnosis = sharedCause('tenants-mixed');
  const restsOn = 'fork.invisible-run';
  return [
    fail({ expected, actual: shownAnswer(foreign), diagnosis, steps: [first.id, foreign.id], restsOn }, [
      foreign,
      first,
    ]),
  ];
}

/** Judges duplicates that came together; a host that heeds no key is named by the row about those one after the other. */
export function judgeAtOnce(recorded: Recordings): Outcome {
  const runs = need(recorded, 'run');
  if (isOutcome(runs)) return runs;
  const outcome = judgeTogether(requestsOf(recorded, 'at once'));
  if (outcome.kind === 'fail') return rests(ONE_AFTER_THE_OTHER, outcome);
  const made = requestsOf(recorded, 'at once').some((each) => namedRun(each) === runs.run.runId);
  return made && outcome.kind === 'pass'
    ? undecided(`a request without a key gave the same run ${String(runs.run.runId)}`, [runs.run])
    : outcome;
}
