import { member } from '../../src/contract/discovery.ts';
import type { Judgement } from '../../src/contract/verdict.ts';
import type { Observation } from '../../src/evidence/types.ts';
import { isAboutCaller, isNoRoute } from '../../src/protocol/status.ts';
import type { Recorded } from '../../src/runner/scenario.ts';
import { accepted, requestsOf, shownAnswer, whyUndecided, type RequestedObservation } from '../shared/requested.ts';
import { bodyDifference } from '../shared/judge-invisible.ts';
import { runOf, unseen } from '../shared/judge-run.ts';

type Requested = Recorded<RequestedObservation>;

/** The rows of one kind of request: what the owner was answered, and the second tenant about that run and unknown ones. */
export function rowsOf(kind: string): { readonly owner: string; readonly invisible: string; readonly unknown: string } {
  return {
    owner: `${kind} by its owner`,
    invisible: `${kind} by another tenant`,
    unknown: `${kind} of an unknown run`,
  };
}

/**
 * Judges that another tenant's run is not disclosed by one kind of request (replay.md, Privacy). A success is a failure; a
 * refusal that differs from that of an unknown run is told and not failed: the documents say 404 of the fork endpoint.
 */
export function judgeInvisibleReading(
  observations: readonly Recorded<Observation>[],
  { check, kind }: { readonly check: string; readonly kind: string },
): Judgement {
  const missing = unseen(check, [runOf(observations, 'source')]);
  if (missing !== undefined) return missing;
  const rows = rowsOf(kind);
  const [owner] = requestsOf(observations, rows.owner);
  const [invisible] = requestsOf(observations, rows.invisible);
  const [unknown, other] = requestsOf(observations, rows.unknown);
  if (owner === undefined || invisible === undefined || unknown === undefined || other === undefined) {
    return { check, verdict: 'inconclusive', reason: 'the second tenant did not ask', evidence: [] };
  }
  const evidence = [invisible, unknown, other, owner].map(({ id }) => id);
  const left = (verdict: 'inconclusive' | 'not-applicable', reason: string): Judgement => ({
    check,
    verdict,
    reason,
    evidence,
  });
  const without = ownersTurn(owner, kind);
  if (without !== undefined) return left(without.verdict, without.reason);
  const why = [invisible, unknown, other].map(whyUndecided).find((each) => each !== undefined);
  if (why !== undefined) return left('inconclusive', why);
  if (accepted(invisible)) return disclosed(check, { invisible, unknown, other, owner }, evidence);
  if (isAboutCaller(statusOf(unknown))) {
    return left('inconclusive', `to the second tenant a run that there is not is ${shownAnswer(unknown)}`);
  }
  const note = toldApart(invisible, unknown);
  return { check, verdict: 'pass', ...(note === undefined ? {} : { reason: note }), evidence };
}

/** Why the owner's answer leaves nothing to compare with. Whether a run that has ended can be cancelled is the host's. */
function ownersTurn(
  owner: Requested,
  kind: string,
): { readonly verdict: 'inconclusive' | 'not-applicable'; readonly reason: string } | undefined {
  if (accepted(owner) || (kind === 'cancel' && [400, 409, 410, 422].includes(statusOf(owner)))) return undefined;
  const reason = `its owner was answered ${shownAnswer(owner)}`;
  const offered = kind === 'run' || !isNoRoute(statusOf(owner));
  return { verdict: offered ? 'inconclusive' : 'not-applicable', reason };
}

interface Answers {
  readonly invisible: Requested;
  readonly unknown: Requested;
  readonly other: Requested;
  readonly owner: Requested;
}

function disclosed(check: string, answers: Answers, evidence: readonly string[]): Judgement {
  const { invisible, unknown, other, owner } = answers;
  if (accepted(unknown) && accepted(other) && statusOf(unknown) === statusOf(invisible)) {
    const compared = [invisible, unknown, other].every(({ answer }) => answer.kind === 'answer' && answer.body.json);
    if (!compared) {
      return { check, verdict: 'inconclusive', reason: 'unknown runs are answered with a success as well', evidence };
    }
    if (bodyDifference(answers) === undefined) {
      if (statusOf(owner) === statusOf(unknown) && bodyDifference({ ...answers, invisible: owner }) === undefined) {
        const reason = `its owner and unknown runs are answered alike: ${shownAnswer(unknown)}`;
        return { check, verdict: 'inconclusive', reason, evidence };
      }
      return { check, verdict: 'pass', reason: `an unknown run is answered alike: ${shownAnswer(unknown)}`, evidence };
    }
  }
  return {
    check,
    verdict: 'fail',
    expected: '404, as for a run that there is not',
    actual: `${shownAnswer(invisible)} for a run of another tenant`,
    diagnosis: { code: 'tenants-mixed', message: 'a run of another tenant was served' },
    evidence,
  };
}

/** How the refusal tells that the run exists; undefined where it does not. */
function toldApart(invisible: Requested, unknown: Requested): string | undefined {
  const shapes = [invisible, unknown].map((asked) => JSON.stringify([statusOf(asked), codeOf(asked), namesOf(asked)]));
  if (shapes[0] === shapes[1]) return undefined;
  return `refused, but not like a run that there is not: ${shownAnswer(invisible)} instead of ${shownAnswer(unknown)}`;
}

function codeOf({ answer }: Requested): unknown {
  return answer.kind === 'answer' && answer.body.json ? (member(answer.body.value, 'error') ?? null) : null;
}

function namesOf({ answer }: Requested): readonly string[] {
  const value = answer.kind === 'answer' && answer.body.json ? answer.body.value : null;
  return typeof value === 'object' && value !== null ? Object.keys(value).toSorted() : [];
}

function statusOf({ answer }: Requested): number {
  return answer.kind === 'answer' ? answer.status : 0;
}
