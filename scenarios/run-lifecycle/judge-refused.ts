import { fail, isOutcome, notApplicable, pass, undecided, type Outcome } from '../../src/contract/outcome.ts';
import { isClientError } from '../../src/protocol/status.ts';
import { sharedCause } from '../shared/diagnoses.ts';
import { ENVELOPE_TEXT, envelopeProblem } from '../shared/envelope.ts';
import { FOUNDATIONS } from '../shared/foundations.ts';
import { need } from '../shared/need.ts';
import type { Recordings } from '../shared/of-type.ts';
import { accepted, requestsOf, shownAnswer, statusOf, whyUndecided, type Requested } from '../shared/requested.ts';
import { stumblesOverBody } from '../shared/unreadable-body.ts';

/**
 * Judges requests that make no run and readings of a run that there is not, on a host that made one: each is refused, in the
 * envelope. A reading that the host does not offer for a run that there is shows nothing.
 */
export function judgeRefused(recorded: Recordings): Outcome {
  const runs = need(recorded, 'run');
  if (isOutcome(runs)) return runs;
  const known = requestsOf(recorded, 'known-run').filter(accepted);
  const read = requestsOf(recorded, 'unknown-run').filter(({ name }) => known.some((each) => each.name === name));
  const refused = [...requestsOf(recorded, 'no-run'), ...read];
  const decided = refused.filter((each) => whyUndecided(each) === undefined);
  const wrong = decided.filter((each) => !isClientError(statusOf(each)));
  const unread = wrong.find(isUnread);
  const other = wrong.find((each) => !isUnread(each));
  if (other !== undefined) return answeredWrongly(other);
  const bare = decided.filter((each) => isClientError(statusOf(each)) && envelopeProblem(each) !== undefined);
  const [first] = bare;
  if (first !== undefined) {
    const actual = `${first.name}: ${statusOf(first)}, ${envelopeProblem(first) ?? ''}`;
    return fail({ expected: ENVELOPE_TEXT, actual, restsOn: FOUNDATIONS.envelopes }, bare);
  }
  if (unread !== undefined) return answeredWrongly(unread, FOUNDATIONS.bodies);
  const why = refused.map(whyUndecided).find((each) => each !== undefined);
  if (why !== undefined) return undecided(why, refused);
  return refused.length === 0 ? undecided('nothing was requested', [runs.run]) : pass([...refused, ...known]);
}

/** Whether the host stumbled over the body of a request for a run, which it could not read. */
function isUnread(requested: Requested): boolean {
  return requested.row === 'no-run' && stumblesOverBody(requested.request, statusOf(requested));
}

function answeredWrongly(wrong: Requested, restsOn?: string): Outcome {
  const of = wrong.row === 'unknown-run' ? ' of a run that there is not' : '';
  const diagnosis = sharedCause(accepted(wrong) ? 'carried-out' : 'server-error');
  return fail({ expected: `a 4xx for ${wrong.name}${of}`, actual: shownAnswer(wrong), diagnosis, restsOn }, [wrong]);
}

const LOGS: readonly string[] = ['the log', 'the poll'];
/** The readings that are requested without a credential, too. */
const READINGS: readonly string[] = ['the snapshot', ...LOGS];

/** Judges what worked under the credential and is requested without it. */
export function judgeWithoutCredential(recorded: Recordings): Outcome {
  const runs = need(recorded, 'run');
  if (isOutcome(runs)) return runs;
  const read = requestsOf(recorded, 'known-run').filter(accepted);
  const requests = requestsOf(recorded, 'no-credential').filter(
    ({ name }) => !READINGS.includes(name) || read.some((each) => each.name === name),
  );
  if (requests.length === 0) return notApplicable('no credential was given for this host', [runs.run]);
  const open = requests.find((each) => whyUndecided(each) === undefined && !isRefused(each));
  if (open !== undefined) return refusedOtherwise(open);
  const why = requests.map(whyUndecided).find((each) => each !== undefined);
  return why === undefined ? pass([...requests, runs.run]) : undecided(why, requests);
}

/** A log may be refused as one that there is not for nobody; runs and snapshots are refused with 401. */
function isRefused(requested: Requested): boolean {
  const status = statusOf(requested);
  return LOGS.includes(requested.name) ? isClientError(status) : status === 401;
}

function refusedOtherwise(open: Requested): Outcome {
  const diagnosis = accepted(open) ? sharedCause('carried-out') : undefined;
  const actual = shownAnswer(open);
  const expected = `401 for ${open.name} without a credential`;
  return fail({ expected, actual, diagnosis, restsOn: 'fork.requires-credentials' }, [open]);
}
