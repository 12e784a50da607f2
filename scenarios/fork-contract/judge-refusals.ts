import { fail, type Outcome, pass, undecided } from '../../src/contract/outcome.ts';
import type { Diagnosis } from '../../src/contract/verdict.ts';
import { readJsonText } from '../../src/host/json.ts';
import { isClientError, isRedirect } from '../../src/protocol/status.ts';
import type { JudgedCheck } from '../../src/runner/define-scenario.ts';
import { sharedCause } from '../shared/diagnoses.ts';
import { ENVELOPE_TEXT, envelopeProblem, stumblesOverBody } from '../shared/envelope.ts';
import { FOUNDATIONS } from '../shared/foundations.ts';
import type { Recordings } from '../shared/of-type.ts';
import {
  accepted,
  namedRun,
  type Requested,
  requestsIn,
  requestsOf,
  shownAnswer,
  statusOf,
  whyUndecided,
} from '../shared/requested.ts';
import { SOURCE_TWICE, UNFORKED_ROW } from '../shared/past-the-end.ts';
import { carriedOutElsewhere, carriedOutOtherwise, requestedMember } from './made-otherwise.ts';
import { allowedOf, LIMITED_READ, NONE_LATER, REFUSED_OF_NONE, UNKNOWN_READ } from './refusal-table.ts';

interface RefusalRow {
  readonly row: string;
  readonly expected: string;
  /** Whether a refusal must come in the envelope for this row, too. */
  readonly envelope?: boolean;
}

/**
 * Judges a row of requests that must be refused, on a host that carried out the control, a valid fork of the same source: one
 * that refuses everything shows nothing by a refusal. Where it did not, `left` is what is left, unless one of these made a run:
 * what was seen is not outranked by what could not be made.
 */
export function judgeRefusals(recorded: Recordings, row: RefusalRow, left?: Outcome): Outcome {
  const requests = requestsOf(recorded, row.row);
  const wrong = requests.filter((each) => whyOpen(each) === undefined && isWrong(each, row));
  const bad = left === undefined ? wrong : wrong.filter(madeRun);
  const [first, ...others] = bad;
  if (first !== undefined) {
    const actual = [`${first.name}: ${shownAnswer(first)}`, ...others.map(briefly)].join('; ');
    const restsOn = ownerOf(bad) ?? ownerOfAll(recorded, bad);
    return fail({ expected: row.expected, actual, diagnosis: diagnosisOf(first), restsOn }, bad);
  }
  if (left !== undefined) return left;
  const why =
    requests.length === 0 ? 'nothing was requested' : requests.map(whyOpen).find((each) => each !== undefined);
  if (why !== undefined) return undecided(why, requests);
  const open = requests.filter((each) => allowedOf(each) === 'either').map(briefly);
  return pass(requests, open.length === 0 ? undefined : open.join('; '));
}

/** Why an answer decides nothing; where the control was carried out, a redirect that leads nowhere is an answer of the host. */
function whyOpen(requested: Requested): string | undefined {
  const { answer } = requested;
  const leadsNowhere = answer.kind === 'answer' && isRedirect(answer.status) && answer.location === undefined;
  return leadsNowhere && allowedOf(requested) !== 'either' ? undefined : whyUndecided(requested);
}

/** What rows about refusals and the source read. */
export interface Refusing {
  readonly recorded: Recordings;
  /** What is left of them where the control was not carried out. */
  readonly left: Outcome | undefined;
}

/** The check of a row of requests that must be refused. */
export function refusal(id: string, title: string, row: RefusalRow): JudgedCheck<Refusing> {
  return { id, title, judge: ({ recorded, left }) => judgeRefusals(recorded, row, left) };
}

/** A check that decides nothing where the control was not carried out. */
export function unlessLeft(check: JudgedCheck<Recordings>): JudgedCheck<Refusing> {
  return { ...check, judge: ({ recorded, left }, judging) => left ?? check.judge(recorded, judging) };
}

/** What says nothing about one request: such forks are not made at all, or not now (409 is for Idempotency-Keys alone). */
const NO_SUCH_FORKS: ReadonlySet<number | undefined> = new Set([409, 501]);

/**
 * The check that says it, where all of it is another one's cause: all that is wrong is the body of the host's answer, or the host
 * does not do such forks at all, or cannot read bodies like these.
 */
function ownerOf(bad: readonly Requested[]): string | undefined {
  if (!bad.some(hasWrongStatus)) return FOUNDATIONS.envelopes;
  const [first] = bad;
  if (first !== undefined && bad.every((each) => NO_SUCH_FORKS.has(statusOf(each)))) return foundationOf(first);
  if (bad.every(isOfNone)) return FOUNDATIONS.bodies;
  if (bad.every((each) => stumblesOverBody(each.request, statusOf(each)))) return FOUNDATIONS.bodies;
  if (first !== undefined && bad.every(carriedOutOtherwise)) return foundationOf(first);
  if (bad.every((each) => accepted(each) && lacksMode(each))) return 'fork.rejects-bad-mode';
  return bad.every(isBranchFromNull) ? 'fork.rejects-bad-from-seq.branch' : undefined;
}

/** Whether a request is wrong in itself and for a run that there is not. */
function isOfNone(requested: Requested): boolean {
  return REFUSED_OF_NONE.some(({ name }) => name === requested.name);
}

/** Whether a request is JSON that names none of the two modes. */
function lacksMode(requested: Requested): boolean {
  const mode = requestedMember(requested, 'mode');
  return readJsonText(requested.request).ok && mode !== 'replay' && mode !== 'branch';
}

/** Whether a branch was carried out that names no start though it has the member: one without the member may well be refused. */
function isBranchFromNull(requested: Requested): boolean {
  return requested.row === 'branch-start' && accepted(requested) && requestedMember(requested, 'fromSeq') === null;
}

/** The check that says what is wrong with the answers to requests that are in order, too. */
function ownerOfAll(recorded: Recordings, bad: readonly Requested[]): string | undefined {
  if (failsOverAll(recorded)) return FOUNDATIONS.bodies;
  const [later] = requestsOf(recorded, NONE_LATER);
  if (later === undefined) return undefined;
  const isAlike = accepted(later)
    ? carriedOutElsewhere(later) && bad.every(carriedOutElsewhere)
    : bad.every((each) => statusOf(each) === statusOf(later) && foundationOf(each) === FOUNDATIONS.laterReplays);
  return isAlike ? FOUNDATIONS.laterReplays : undefined;
}

/** A host that answers so whatever is wrong with a request lacks a handler, which is no matter of one rule. */
const BROKEN = 500;

/** Whether a host answers with 500 whatever it has to refuse with 400: the row about bodies says that it never may. */
function failsOverAll(recorded: Recordings): boolean {
  const meant = requestsIn(recorded).filter((each) => {
    if (isOfNone(each)) return false;
    const allowed = allowedOf(each);
    return allowed === '4xx' ? each.row === 'malformed' : allowed !== 'either' && allowed.every((one) => one === 400);
  });
  return meant.length > 0 && meant.every((each) => statusOf(each) === BROKEN);
}

/** The foundation about forks like the one that was requested. */
export function foundationOf(requested: Requested): string {
  if (requestedMember(requested, 'mode') === 'branch') return FOUNDATIONS.branches;
  return (requestedMember(requested, 'fromSeq') ?? 0) === 0 ? FOUNDATIONS.replays : FOUNDATIONS.laterReplays;
}

function madeRun(requested: Requested): boolean {
  return accepted(requested) && namedRun(requested) !== undefined;
}

function briefly({ name, answer }: Requested): string {
  return `${name}: ${answer.kind === 'answer' ? answer.status : answer.reason}`;
}

function isWrong(requested: Requested, { envelope = false }: Pick<RefusalRow, 'envelope'>): boolean {
  if (allowedOf(requested) === 'either' && statusOf(requested) < 500) return false;
  const isOfRefusal = namedRun(requested) === undefined && !(envelope && envelopeProblem(requested) !== undefined);
  return hasWrongStatus(requested) || !isOfRefusal;
}

function hasWrongStatus(requested: Requested): boolean {
  const status = statusOf(requested);
  const allowed = allowedOf(requested);
  if (allowed === 'either') return status >= 500;
  return allowed === '4xx' ? !isClientError(status) : !allowed.includes(status);
}

/** A deliberate 501 is no stumbling. */
function diagnosisOf(requested: Requested): Diagnosis {
  const status = statusOf(requested);
  if (status >= 500 && status !== 501) return sharedCause('server-error');
  return sharedCause(accepted(requested) ? 'carried-out' : 'other-refusal');
}

/** The check that the refusals of a scenario come in the envelope; they are named in its title. */
export function envelopeCheck(id: string, refusals: string): JudgedCheck<Recordings> {
  const title = `${refusals} carries {error, message, details?} and nothing else`;
  return { id: `${FOUNDATIONS.envelopes}${id}`, title, judge: judgeEnvelopes };
}

/** Judges the bodies of all refusals of a scenario. */
export function judgeEnvelopes(recorded: Recordings): Outcome {
  const refusals = requestsIn(recorded).filter(isRefusal);
  const bad = refusals.filter((each) => envelopeProblem(each) !== undefined);
  if (bad.length > 0) {
    return fail(
      {
        diagnosis: sharedCause('not-in-envelope'),
        expected: ENVELOPE_TEXT,
        actual: listProblems(bad),
        restsOn: FOUNDATIONS.envelopes,
      },
      bad,
    );
  }
  return refusals.length > 0 ? pass(refusals) : undecided('the host refused nothing', []);
}

/** Requests that are no forks. */
const READS: ReadonlySet<string> = new Set([UNKNOWN_READ, LIMITED_READ, SOURCE_TWICE.row, UNFORKED_ROW]);

/** A 4xx or 501 of the host itself; what a gateway says comes from elsewhere, and a crash is no refusal. */
function isRefusal(requested: Requested): boolean {
  const status = statusOf(requested);
  if (READS.has(requested.row)) return false;
  return whyUndecided(requested) === undefined && (isClientError(status) || status === 501);
}

/** Each problem once, with the first refusal that has it. */
function listProblems(bad: readonly Requested[]): string {
  const problems = [...new Set(bad.map((each) => envelopeProblem(each) ?? ''))];
  const lines = problems.map((problem) => {
    const [first, ...others] = bad.filter((each) => envelopeProblem(each) === problem);
    const more = others.length === 0 ? '' : ` and ${others.length} more`;
    return first === undefined ? problem : `${problem} (${first.name}, ${statusOf(first)}${more})`;
  });
  return lines.join('; ');
}
