import { member } from '../../src/contract/discovery.ts';
import { fail, notApplicable, pass, undecided, type Outcome } from '../../src/contract/outcome.ts';
import { isAboutCaller, isNoRoute } from '../../src/protocol/status.ts';
import { sharedCause } from '../shared/diagnoses.ts';
import { bodyDifference, type InvisibleAnswers } from '../shared/judge-invisible.ts';
import { leftWithout, runOf } from '../shared/need.ts';
import type { Recordings } from '../shared/of-type.ts';
import {
  accepted,
  bodyOf,
  requestsOf,
  shownAnswer,
  statusOf,
  whyUndecided,
  type Requested,
} from '../shared/requested.ts';

/** The rows of one kind of request: what the owner was answered, and the second tenant about that run and unknown ones. */
export function rowsOf(kind: string): { readonly owner: string; readonly invisible: string; readonly unknown: string } {
  return {
    owner: `${kind} by its owner`,
    invisible: `${kind} by another tenant`,
    unknown: `${kind} of an unknown run`,
  };
}

interface Answers extends InvisibleAnswers {
  readonly owner: Requested;
}

/**
 * Judges that another tenant's run is not disclosed by one kind of request (replay.md, Privacy). A success is a failure; a
 * refusal that differs from that of an unknown run is noted and not failed: the documents say 404 of the fork endpoint.
 */
export function judgeInvisibleReading(recorded: Recordings, kind: string): Outcome {
  const left = leftWithout([runOf(recorded, 'source')]);
  if (left !== undefined) return left;
  const rows = rowsOf(kind);
  const [owner] = requestsOf(recorded, rows.owner);
  const [invisible] = requestsOf(recorded, rows.invisible);
  const [unknown, other] = requestsOf(recorded, rows.unknown);
  if (owner === undefined || invisible === undefined || unknown === undefined || other === undefined) {
    return undecided('the second tenant requested nothing', []);
  }
  const evidence = [invisible, unknown, other, owner];
  if (!isServed(owner, kind)) {
    const reason = `its owner was answered ${shownAnswer(owner)}`;
    const isAbsent = kind !== 'run' && isNoRoute(statusOf(owner));
    return isAbsent ? notApplicable(reason, evidence) : undecided(reason, evidence);
  }
  const why = [invisible, unknown, other].map(whyUndecided).find((each) => each !== undefined);
  if (why !== undefined) return undecided(why, evidence);
  if (accepted(invisible)) return disclosed({ invisible, unknown, other, owner });
  if (isAboutCaller(statusOf(unknown))) {
    return undecided(`to the second tenant a run that there is not is ${shownAnswer(unknown)}`, evidence);
  }
  if (shapeOf(invisible) === shapeOf(unknown)) return pass(evidence);
  const [is, expected] = [shownAnswer(invisible), shownAnswer(unknown)];
  return pass(evidence, `refused, but not like a run that there is not: ${is} instead of ${expected}`);
}

/** Whether the owner's answer shows the endpoint at work. Whether a run that has ended can be cancelled is the host's. */
function isServed(owner: Requested, kind: string): boolean {
  return accepted(owner) || (kind === 'cancel' && [400, 409, 410, 422].includes(statusOf(owner)));
}

/** A success to another tenant is none where unknown runs, and not the owner's, are answered with the same nothing. */
function disclosed(answers: Answers): Outcome {
  const { invisible, unknown, other, owner } = answers;
  const evidence = [invisible, unknown, other, owner];
  if (accepted(unknown) && accepted(other) && statusOf(unknown) === statusOf(invisible)) {
    if ([invisible, unknown, other].some((each) => bodyOf(each) === undefined)) {
      return undecided('unknown runs are answered with a success as well', evidence);
    }
    if (bodyDifference(answers) === undefined) {
      const isOwnersToo =
        statusOf(owner) === statusOf(unknown) && bodyDifference({ ...answers, invisible: owner }) === undefined;
      return isOwnersToo
        ? undecided(`its owner and unknown runs are answered alike: ${shownAnswer(unknown)}`, evidence)
        : pass(evidence, `an unknown run is answered alike: ${shownAnswer(unknown)}`);
    }
  }
  const expected = '404, as for a run that there is not';
  const actual = `${shownAnswer(invisible)} for a run of another tenant`;
  return fail({ expected, actual, diagnosis: sharedCause('tenants-mixed') }, evidence);
}

/** What tells one refusal from another: its status, its error code and the names of its members. */
function shapeOf(requested: Requested): string {
  const body = bodyOf(requested);
  const names = typeof body === 'object' && body !== null ? Object.keys(body).toSorted() : [];
  return JSON.stringify([statusOf(requested), member(body, 'error') ?? null, names]);
}
