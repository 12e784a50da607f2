import { member } from '../../src/contract/discovery.ts';
import type { Diagnosis, Judgement } from '../../src/contract/verdict.ts';
import { isExpired } from '../../src/protocol/status.ts';
import type { Recorded } from '../../src/runner/scenario.ts';
import {
  accepted,
  requestsIn,
  requestsOf,
  namedRun,
  shownAnswer,
  whyUndecided,
  type RequestedObservation,
} from '../shared/requested.ts';
import { ENVELOPE_TEXT, envelopeProblem } from '../shared/envelope.ts';
import { FOUNDATIONS } from '../shared/foundations.ts';
import { runOf, unseen } from '../shared/judge-run.ts';
import { passing, undecided } from '../shared/judging.ts';
import { EXPIRE, type CutObservation } from './cut.ts';
import { notSeen } from './not-seen.ts';
import type { Recordings } from './row.ts';
import { seamOf } from './seam.ts';
import { leftIn, unexpired, type Left } from './unexpired.ts';

type Requested = Recorded<RequestedObservation>;

/** A run's first part is gone, and forks that need it worked before. */
export interface Expired {
  readonly cut: Recorded<CutObservation>;
  readonly sourceRunId: string;
  readonly asked: readonly Requested[];
  readonly left: Left;
}

/** What all rows need, or the judgement that is left; `row` names the forks, all of them where there is none. */
export function expiredIn(check: string, observations: Recordings, row?: string): Expired | Judgement {
  const source = runOf(observations, 'source');
  const missing = unseen(check, [source]);
  if (missing !== undefined || source === undefined) return missing ?? undecided(check, 'no run was driven', []);
  const cut = observations.find((each): each is Recorded<CutObservation> => each.type === 'cut');
  if (cut === undefined) return undecided(check, 'its log is too short to have a boundary in it', [source]);
  const seam = seamOf(observations, EXPIRE);
  if (seam === undefined) return undecided(check, 'nothing was made to expire', [source]);
  if (seam.problem !== null) return undecided(check, `${seam.problem} (answered to {runId, beforeSeq})`, [seam]);
  const boundary = member(seam.answer, 'boundary');
  if (typeof boundary === 'number' && boundary !== cut.boundary) {
    const reason = `the seam expired the events below ${boundary}, not those below ${cut.boundary}`;
    return undecided(check, reason, [seam]);
  }
  const asked = row === undefined ? requestsIn(observations) : requestsOf(observations, row);
  const twins = asked.map(({ name }) => runOf(observations, name));
  const unforked = notSeen(
    check,
    twins.filter((twin) => twin === undefined || twin.runId === null),
  );
  if (unforked !== undefined) return unforked;
  if (asked.length === 0) return undecided(check, 'no fork was asked for', [source]);
  return { cut, sourceRunId: source.runId ?? '', asked, left: leftIn(observations, typeof boundary === 'number') };
}

/** replay.md, Retention: 410 or 422 where the range that fromSeq needs has expired. */
export function judgeExpired(
  observations: Recordings,
  { check, row }: { readonly check: string; readonly row: string },
): Judgement {
  const found = expiredIn(check, observations, row);
  if ('verdict' in found) return found;
  const { asked, cut, left } = found;
  const notRefused = asked.filter((each) => whyUndecided(each) === undefined && !isRefused(each));
  const refused = requestsIn(observations).filter(isRefused);
  const wrong = notRefused.find((each) => unexpired(each, { cut, left, refused }) === undefined);
  if (wrong !== undefined) {
    return {
      check,
      verdict: 'fail',
      expected: `410 or 422, and no run: the events below ${cut.boundary} have expired`,
      actual: `${wrong.name}: ${shownAnswer(wrong)}`,
      ...diagnosed(wrong),
      evidence: [wrong.id],
    };
  }
  const nothingGone = notRefused.map((each) => unexpired(each, { cut, left, refused })).at(0);
  const why = nothingGone ?? asked.map(whyUndecided).find((each) => each !== undefined);
  return why === undefined ? passing(check, asked) : undecided(check, why, asked);
}

function isRefused(asked: Requested): boolean {
  const { answer } = asked;
  return answer.kind === 'answer' && isExpired(answer.status) && namedRun(asked) === undefined;
}

function diagnosed(asked: Requested): { readonly diagnosis?: Diagnosis } {
  const { answer } = asked;
  const status = answer.kind === 'answer' ? answer.status : 0;
  if (accepted(asked)) {
    return { diagnosis: { code: 'expired-served', message: 'a fork was made of events that are not kept any more' } };
  }
  if (status >= 500) return { diagnosis: { code: 'server-error', message: 'the host stumbles over the gap' } };
  return {};
}

/** replay.md, Retention: using the canonical error envelope. */
export function judgeExpiredEnvelope(check: string, observations: Recordings): Judgement {
  const found = expiredIn(check, observations);
  if ('verdict' in found) return found;
  const refusals = found.asked.filter(isRefused);
  const wrong = refusals.find((each) => envelopeProblem(each) !== undefined);
  if (wrong !== undefined) {
    const actual = `${wrong.name}: ${envelopeProblem(wrong) ?? ''}`;
    return {
      check,
      verdict: 'fail',
      expected: ENVELOPE_TEXT,
      actual,
      restsOn: FOUNDATIONS.envelopes,
      evidence: [wrong.id],
    };
  }
  if (refusals.length > 0) return passing(check, refusals);
  return undecided(check, 'no fork was refused with 410 or 422', found.asked);
}
