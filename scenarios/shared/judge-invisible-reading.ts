import { member } from '../../src/contract/discovery.ts';
import { fail, notApplicable, pass, undecided, undecidedUntil, type Outcome } from '../../src/contract/outcome.ts';
import { isAboutCaller, isClientError, isNoRoute } from '../../src/protocol/status.ts';
import { sharedCause } from './diagnoses.ts';
import { answerDifference, type InvisibleAnswers, noRefusal } from './judge-invisible.ts';
import { leftWithout, runOf } from './need.ts';
import type { Recordings } from './of-type.ts';
import { accepted, bodyOf, requestsOf, shownAnswer, statusOf, whyUndecided, type Requested } from './requested.ts';

/** The rows of one kind of request: what the owner was answered, and the second tenant about that run, unknown ones and its own. */
export function rowsOf(kind: string) {
  return {
    owner: `${kind} by its owner`,
    invisible: `${kind} by another tenant`,
    unknown: `${kind} of an unknown run`,
    own: `${kind} of its own`,
  } as const;
}

interface Answers extends InvisibleAnswers {
  readonly owner: Requested;
}

/** What a kind of request is like. */
export interface Judged {
  readonly kind: string;
  /** Every host has it: the owner's 404 does not say that there is none. */
  readonly isEverywhere?: true;
  /** What the owner is refused with, by the run's state, where the endpoint works. */
  readonly refusals?: readonly number[];
  /** The same where it can be done once, and another tenant did. */
  readonly spent?: readonly number[];
  /** What to do where a host lacks it all the same, in the imperative. */
  readonly step?: string;
  /** The role of a run that the second tenant made and read itself: who may read is not refused for want of a scope. */
  readonly reader?: string;
  /** In words, who the owner is. */
  readonly owner?: string;
}

/**
 * Judges that another tenant's run is not disclosed by one kind of request (replay.md, Privacy). A success is a failure, and so is
 * the refusal that its owner gets; another one that differs from that of an unknown run is noted and not failed: the documents say
 * 404 of the fork endpoint.
 */
export function judgeInvisibleReading(recorded: Recordings, of: Judged): Outcome {
  const left = leftWithout([runOf(recorded, 'source') ?? 'source']);
  if (left !== undefined) return left;
  const rows = rowsOf(of.kind);
  const [owner] = requestsOf(recorded, rows.owner);
  const [invisible] = requestsOf(recorded, rows.invisible);
  const [unknown, other] = requestsOf(recorded, rows.unknown);
  if (owner !== undefined && !isServed(owner, invisible, of)) {
    const reason = `${of.owner ?? 'its owner'} was answered ${shownAnswer(owner)}`;
    const evidence = [owner, ...[invisible, unknown, other].filter((each) => each !== undefined)];
    const isAbsent = of.isEverywhere !== true && isNoRoute(statusOf(owner));
    if (isAbsent) return notApplicable(reason, evidence);
    const isLacking = of.step !== undefined && isNoRoute(statusOf(owner));
    return isLacking ? undecidedUntil(of.step, reason, evidence) : undecided(reason, evidence);
  }
  if (owner === undefined || invisible === undefined || unknown === undefined || other === undefined) {
    return undecided('the second tenant requested nothing', []);
  }
  const evidence = [invisible, unknown, other, owner];
  const why = [invisible, unknown, other].map(whyUndecided).find((each) => each !== undefined);
  if (why !== undefined) return undecided(why, evidence);
  if (accepted(invisible)) return disclosed({ invisible, unknown, other, owner });
  if (!isClientError(statusOf(invisible))) return undecided(noRefusal(invisible), evidence);
  const refusedOwn = requestsOf(recorded, rows.own).find(
    (answer) => !accepted(answer) && !of.refusals?.includes(statusOf(answer)),
  );
  if (refusedOwn !== undefined) {
    const reason = `for a run of its own, too, the second tenant was answered ${shownAnswer(refusedOwn)}`;
    return undecidedUntil('let the second tenant do so with its own runs', reason, [...evidence, refusedOwn]);
  }
  const mayRead = of.reader !== undefined && runOf(recorded, of.reader)?.problem === null;
  if (isAboutCaller(statusOf(unknown)) && !mayRead) {
    return undecidedUntil(
      'answer 404 for runs that there are not',
      `to the second tenant a run that there is not is ${shownAnswer(unknown)}`,
      evidence,
    );
  }
  if (shapeOf(invisible) === shapeOf(unknown)) return pass(evidence);
  // What refuses the owner says how the run is: whoever is told the same was taken for the owner.
  if (!accepted(owner) && shapeOf(invisible) === shapeOf(owner)) return disclosed({ invisible, unknown, other, owner });
  const [is, expected] = [shownAnswer(invisible), shownAnswer(unknown)];
  return pass(evidence, `refused, but not like a run that there is not: ${is} instead of ${expected}`);
}

/** Whether the owner's answer shows the endpoint at work. */
function isServed(owner: Requested, invisible: Requested | undefined, { refusals = [], spent = [] }: Judged): boolean {
  const status = statusOf(owner);
  const isSpent = invisible !== undefined && accepted(invisible) && spent.includes(status);
  return accepted(owner) || refusals.includes(status) || isSpent;
}

/** A success to another tenant is none where unknown runs, and not the owner's, are answered with the same nothing. */
function disclosed(answers: Answers): Outcome {
  const { invisible, unknown, other, owner } = answers;
  const evidence = [invisible, unknown, other, owner];
  if (accepted(unknown) && accepted(other) && statusOf(unknown) === statusOf(invisible)) {
    if ([invisible, unknown, other].some((each) => bodyOf(each) === undefined)) {
      return undecidedUntil(
        'answer 404 for runs that there are not',
        'unknown runs are answered with a success as well',
        evidence,
      );
    }
    if (answerDifference(answers) === undefined) {
      const isOwnersToo =
        statusOf(owner) === statusOf(unknown) && answerDifference({ ...answers, invisible: owner }) === undefined;
      return isOwnersToo
        ? undecidedUntil(
            'answer 404 for runs that there are not',
            `its owner and unknown runs are answered alike: ${shownAnswer(unknown)}`,
            evidence,
          )
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
