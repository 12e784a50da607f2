import { member } from '../../src/contract/discovery.ts';
import { fail, isOutcome, pass, undecided, type Mismatch, type Outcome } from '../../src/contract/outcome.ts';
import { isExpired } from '../../src/protocol/status.ts';
import { isRecord } from '../../src/host/run-event.ts';
import { shown } from '../shared/compare-runs.ts';
import { envelopeProblem } from '../shared/envelope.ts';
import { FOUNDATIONS } from '../shared/foundations.ts';
import { bodyOf, statusOf, type Requested } from '../shared/requested.ts';
import { forksOf, type Expired } from './judge-expired.ts';
import { fromSeqOf } from './unexpired.ts';

/** replay.md, Retention: the details SHOULD include sourceRunId, fromSeq, and the retention boundary when known. */
export function judgeDetails(seen: Expired): Outcome {
  const forks = forksOf(seen);
  if (isOutcome(forks)) return forks;
  const refusals = forks.filter((each) => isExpired(statusOf(each)));
  for (const refusal of refusals) {
    const problem = problemIn(refusal, seen);
    if (problem === undefined) continue;
    const actual = `${problem.actual} (${refusal.name})`;
    const hasEnvelope = envelopeProblem(refusal) === undefined;
    return fail({ ...problem, actual, ...(hasEnvelope ? {} : { restsOn: FOUNDATIONS.envelopes }) }, [refusal]);
  }
  return refusals.length > 0 ? pass(refusals) : undecided('no fork was refused with 410 or 422', forks);
}

function problemIn(refusal: Requested, { source, cut }: Expired): Mismatch | undefined {
  const details = member(bodyOf(refusal), 'details');
  const fromSeq = fromSeqOf(refusal);
  const wanted: readonly (readonly [name: string, values: readonly unknown[]])[] = [
    ['sourceRunId', [source.runId ?? '']],
    // A fork without fromSeq starts at 0, or at the first event of a log that starts elsewhere.
    ['fromSeq', fromSeq === undefined ? [0, cut.first] : [fromSeq]],
  ];
  for (const [name, values] of wanted) {
    const value = member(details, name);
    if (!values.includes(value)) return { expected: `details/${name}: ${shown(values[0])}`, actual: shown(value) };
  }
  const others = isRecord(details)
    ? Object.entries(details).filter(([name]) => name !== 'sourceRunId' && name !== 'fromSeq')
    : [];
  if (others.some(([, value]) => isBoundary(value, cut.boundary))) return undefined;
  const actual = others.length === 0 ? 'no further member' : shown(Object.fromEntries(others));
  return { expected: `a member of details that is the retention boundary, ${cut.boundary}`, actual };
}

/** The first sequence number that is kept, or the time before which nothing is. */
function isBoundary(value: unknown, boundary: number): boolean {
  if (typeof value === 'string') return value === `${boundary}` || /^\d{4}-\d\d-\d\dT/u.test(value);
  return value === boundary;
}
