import type { Judgement } from '../../src/contract/verdict.ts';
import type { Observation } from '../../src/evidence/types.ts';
import { isClientError } from '../../src/protocol/status.ts';
import type { Recorded } from '../../src/runner/scenario.ts';
import { requestsIn, whyUndecided, type RequestedObservation } from '../shared/requested.ts';
import { withoutTwin } from './without-twin.ts';
import { ENVELOPE_TEXT, envelopeProblem } from '../shared/envelope.ts';
import { FOUNDATIONS } from '../shared/foundations.ts';
import { LIMITED_READ, UNKNOWN_READ } from './refusal-table.ts';

/** Judges the bodies of all refusals of a scenario. */
export function judgeEnvelopes(
  observations: readonly Recorded<Observation>[],
  { check, twin }: { readonly check: string; readonly twin: string },
): Judgement {
  const missing = withoutTwin(observations, { check, twin });
  if (missing !== undefined) return missing;
  const refusals = requestsIn(observations).filter(isRefusal);
  const wrong = refusals.filter((each) => envelopeProblem(each) !== undefined);
  if (wrong.length > 0) {
    return {
      check,
      verdict: 'fail',
      expected: ENVELOPE_TEXT,
      actual: listProblems(wrong),
      restsOn: FOUNDATIONS.envelopes,
      evidence: wrong.map(({ id }) => id),
    };
  }
  if (refusals.length > 0) return { check, verdict: 'pass', evidence: refusals.map(({ id }) => id) };
  return { check, verdict: 'inconclusive', reason: 'the host refused nothing', evidence: [] };
}

/** Each problem once, with the first refusal that has it. */
function listProblems(wrong: readonly RequestedObservation[]): string {
  const problems = [...new Set(wrong.map((each) => envelopeProblem(each) ?? ''))];
  const lines = problems.map((problem) => {
    const [first, ...others] = wrong.filter((each) => envelopeProblem(each) === problem);
    const more = others.length === 0 ? '' : ` and ${others.length} more`;
    return first === undefined ? problem : `${problem} (${first.name}, ${statusOf(first)}${more})`;
  });
  return lines.join('; ');
}

/** A 4xx or 501 of the host itself; what a gateway says comes from elsewhere, and a crash is no refusal. */
function isRefusal(asked: RequestedObservation): boolean {
  const status = statusOf(asked);
  if (asked.row === UNKNOWN_READ || asked.row === LIMITED_READ) return false;
  return whyUndecided(asked) === undefined && (isClientError(status) || status === 501);
}

function statusOf({ answer }: RequestedObservation): number {
  return answer.kind === 'answer' ? answer.status : 0;
}
