import { member } from '../../src/contract/discovery.ts';
import type { Judgement } from '../../src/contract/verdict.ts';
import { isRecord } from '../../src/host/run-event.ts';
import type { Recorded } from '../../src/runner/scenario.ts';
import type { RequestedObservation } from '../shared/requested.ts';
import { envelopeProblem } from '../shared/envelope.ts';
import { FOUNDATIONS } from '../shared/foundations.ts';
import { shown } from '../shared/compare-runs.ts';
import { passing, undecided } from '../shared/judging.ts';
import { expiredIn, type Expired } from './judge-expired.ts';
import type { Recordings } from './row.ts';

type Requested = Recorded<RequestedObservation>;

/** replay.md, Retention: the details SHOULD include sourceRunId, fromSeq, and the retention boundary when known. */
export function judgeDetails(check: string, observations: Recordings): Judgement {
  const found = expiredIn(check, observations);
  if ('verdict' in found) return found;
  const refusals = found.asked.filter(({ answer }) => answer.kind === 'answer' && [410, 422].includes(answer.status));
  if (refusals.length === 0) return undecided(check, 'no fork was refused with 410 or 422', found.asked);
  for (const refusal of refusals) {
    const problem = problemIn(refusal, found);
    if (problem === undefined) continue;
    const { expected, actual } = problem;
    const rests = envelopeProblem(refusal) === undefined ? {} : { restsOn: FOUNDATIONS.envelopes };
    return {
      check,
      verdict: 'fail',
      expected,
      actual: `${actual} (${refusal.name})`,
      ...rests,
      evidence: [refusal.id],
    };
  }
  return passing(check, refusals);
}

interface Problem {
  readonly expected: string;
  readonly actual: string;
}

function problemIn(refusal: Requested, { sourceRunId, cut }: Expired): Problem | undefined {
  const { answer } = refusal;
  const details = answer.kind === 'answer' && answer.body.json ? member(answer.body.value, 'details') : undefined;
  const source = member(details, 'sourceRunId');
  if (source !== sourceRunId) return wrong('sourceRunId', sourceRunId, source);
  const fromSeq = member(details, 'fromSeq');
  const allowed = fromSeqsOf(refusal, cut.first);
  if (!allowed.includes(fromSeq)) return wrong('fromSeq', allowed[0], fromSeq);
  const others = isRecord(details)
    ? Object.entries(details).filter(([name]) => name !== 'sourceRunId' && name !== 'fromSeq')
    : [];
  if (others.some(([, value]) => isBoundary(value, cut.boundary))) return undefined;
  const actual = others.length === 0 ? 'no further member' : shown(Object.fromEntries(others));
  return { expected: `a member of details that is the retention boundary, ${cut.boundary}`, actual };
}

function wrong(name: string, expected: unknown, actual: unknown): Problem {
  return { expected: `details/${name}: ${shown(expected)}`, actual: shown(actual) };
}

/** A fork without fromSeq starts at 0, or at the first event of a log that starts elsewhere. */
function fromSeqsOf({ request }: Requested, first: number): readonly unknown[] {
  const asked = /"fromSeq":(\d+)/u.exec(request)?.[1];
  return asked === undefined ? [0, first] : [Number(asked)];
}

/** The first sequence number that is kept, or the time before which nothing is. */
function isBoundary(value: unknown, boundary: number): boolean {
  if (typeof value === 'string') return value === `${boundary}` || /^\d{4}-\d\d-\d\dT/u.test(value);
  return value === boundary;
}
