import { fail, pass, undecided, undecidedUntil, type Outcome } from '../../src/contract/outcome.ts';
import { named } from '../shared/compare-runs.ts';
import type { RecordedRun } from '../shared/need.ts';
import type { Recordings } from '../shared/of-type.ts';
import {
  accepted,
  namedRun,
  type Requested,
  type RequestedObservation,
  requestsOf,
  shownAnswer,
  whyUndecided,
} from '../shared/requested.ts';
import { ROW } from './overlay-members.ts';
import { wrong } from './diagnoses.ts';

/** The row of the request for a replay from another event under the key of a replay of the same run, and of that for a branch. */
export const OTHER_BODY = 'other body';
export const OTHER_MODE = 'branch under the key of a replay';
/** The row of the request for a branch with an overlay under the key of one without, and of the same under a key of its own. */
export const OTHER_OVERLAY = 'overlay under the key of a branch';
export const OVERLAY_ALONE = 'overlay alone';
/** The row of requests for branches that are sent together, under one key. */
export const BRANCHES_AT_ONCE = 'branches at once';

/** What is requested otherwise, by the row. */
const OTHERWISE: Readonly<Record<string, string>> = {
  [OTHER_BODY]: 'a replay from another event',
  [OTHER_MODE]: 'a branch',
};

/**
 * Judges requests with other bodies under the key of a fork: what is stored answers the body that it was stored for (wire-contract,
 * Endpoints: another body under the same key is 409). replay.md has 409 for duplicates in flight alone, so that a fork of its own passes.
 */
export function judgeOtherBodies(recorded: Recordings, control: RecordedRun | undefined): Outcome {
  const sent = [OTHER_BODY, OTHER_MODE].flatMap((row) => requestsOf(recorded, row));
  if (control === undefined || sent.length === 0) return undecided('no other body was sent under the key', []);
  const isControl = (each: Requested): boolean => accepted(each) && namedRun(each) === control.runId;
  const [underAnother] = requestsOf(recorded, 'first').filter(isControl);
  if (underAnother !== undefined) {
    const todo = 'make a run of its own for every other Idempotency-Key';
    return undecidedUntil(todo, `another key gave the same run ${String(control.runId)}`, [underAnother]);
  }
  const stored = sent.find(isControl);
  if (stored !== undefined) {
    const expected = `409, or a fork of its own, for ${OTHERWISE[stored.row] ?? stored.row} under the Idempotency-Key of ${named(control)}`;
    const actual = `${named(control)}: ${shownAnswer(stored)}`;
    return fail({ diagnosis: wrong('key-of-another-body'), expected, actual, steps: [control.id, stored.id] }, [
      stored,
      control,
    ]);
  }
  const mixedUp = judgeOverlay(recorded);
  if (mixedUp !== undefined) return mixedUp;
  const why = sent.map(whyUndecided).find((each) => each !== undefined);
  return why === undefined ? pass([...sent, control]) : undecided(why, sent);
}

/** A branch without an overlay in the place of one with it; undefined where there is none, and in old evidence. */
function judgeOverlay(recorded: Recordings): Outcome | undefined {
  const [stored] = requestsOf(recorded, OTHER_OVERLAY);
  const [alone] = requestsOf(recorded, OVERLAY_ALONE);
  const plain = stored && branchWithout(requestsOf(recorded, BRANCHES_AT_ONCE), stored);
  if (plain === undefined || stored === undefined || alone === undefined) return undefined;
  // Where all branches of a run are one, the key is not why.
  if (!accepted(alone) || namedRun(alone) === namedRun(plain)) return undefined;
  const expected = `409, or a branch of its own, for ${stored.name}`;
  const actual = `the branch without an overlay: ${shownAnswer(stored)}`;
  // To a host that passes over what overlays hold, the two bodies are one.
  return fail(
    { diagnosis: wrong('key-of-another-body'), expected, actual, steps: [plain.id, stored.id], restsOn: ROW },
    [stored, plain, alone],
  );
}

/** The request whose branch another request was answered with, which has an overlay and the same key. */
export function branchWithout<Sent extends Requested | RequestedObservation>(
  together: readonly Sent[],
  overlaid: Sent,
): Sent | undefined {
  const made = accepted(overlaid) ? namedRun(overlaid) : undefined;
  return together.find((each) => made !== undefined && accepted(each) && namedRun(each) === made);
}
