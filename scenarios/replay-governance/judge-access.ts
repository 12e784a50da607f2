import type { Judgement } from '../../src/contract/verdict.ts';
import { isClientError, isSuccess, saysNothing } from '../../src/protocol/status.ts';
import type { Recorded } from '../../src/runner/scenario.ts';
import { requestsOf } from '../shared/requested.ts';
import { named } from '../shared/compare-runs.ts';
import { runOf } from '../shared/judge-run.ts';
import { passing, undecided } from '../shared/judging.ts';
import { FORK, OWN, SNAPSHOT, type AccessObservation } from './access-drive.ts';
import { notSeen } from './not-seen.ts';
import type { Recordings } from './row.ts';

type Access = Recorded<AccessObservation>;

/** What the second tenant got for one request about the source, and for the same one about the fork. */
interface Pair {
  readonly source: Access;
  readonly fork: Access;
}

/**
 * replay.md, Privacy: a replayed run must not bypass checks that apply to reading its source. What is refused for the
 * source must be refused for the fork; how it is refused is left open.
 */
export function judgeAccess(check: string, observations: Recordings): Judgement {
  const [source, fork] = [runOf(observations, 'source'), runOf(observations, FORK)];
  const missing = notSeen(check, [source, fork]);
  if (missing !== undefined || fork === undefined) return missing ?? undecided(check, 'no fork was made', []);
  const pairs = pairsIn(observations);
  if (pairs.length === 0) return undecided(check, 'the second tenant did not ask', [fork]);
  const bypassed = pairs.filter((pair) => isRefused(pair.source) && isAccepted(pair.fork));
  const [first] = bypassed;
  if (first !== undefined) {
    return {
      check,
      verdict: 'fail',
      expected: `a refusal to the second tenant for ${named(fork)}, as for its source (${first.source.status ?? ''})`,
      actual: bypassed.map((pair) => `${pair.fork.name}: ${pair.fork.status ?? ''}`).join('; '),
      diagnosis: {
        code: 'checks-bypassed',
        message: 'another tenant gets of a fork what is kept from it of the source',
      },
      evidence: bypassed.flatMap((pair) => [pair.fork.id, pair.source.id]),
    };
  }
  if (!mayAct(observations)) {
    const reason =
      'the second tenant is refused everything, also to make a run of its own: give a credential that works (--tenant-b-key-env)';
    return undecided(check, reason, [fork, ...pairs.slice(0, 1).map((pair) => pair.source)]);
  }
  const snapshot = pairs.find(({ source: { name } }) => name === SNAPSHOT);
  if (snapshot === undefined || !isRefused(snapshot.source)) {
    const status = snapshot?.source.status ?? 'no answer';
    return undecided(check, `the second tenant is not refused the source itself (${status})`, [fork]);
  }
  const open = pairs.find((pair) => isRefused(pair.source) && !isRefused(pair.fork));
  if (open !== undefined) {
    const status = open.fork.status ?? 'nothing';
    return undecided(check, `${open.fork.name} of the fork was answered with ${status}`, [open.fork, open.source]);
  }
  const refused = pairs.filter((pair) => isRefused(pair.source));
  return passing(check, [...refused.flatMap((pair) => [pair.fork, pair.source]), fork], notes(refused));
}

/** Whether the second credential is one: it makes a run, or is told that an unknown run is not there. */
function mayAct(observations: Recordings): boolean {
  const { runId = null } = runOf(observations, OWN) ?? {};
  const unknown = requestsOf(observations, 'unknown');
  return runId !== null || unknown.some(({ answer }) => answer.kind === 'answer' && answer.status === 404);
}

/** Refusals that differ, as the documents leave open how a reading is refused. */
function notes(pairs: readonly Pair[]): string | undefined {
  const other = pairs.filter(({ source, fork }) => source.status !== fork.status);
  if (other.length === 0) return undefined;
  const lines = other.map(
    ({ source, fork }) => `${fork.name}: ${fork.status ?? ''}, of the source ${source.status ?? ''}`,
  );
  return `refused differently: ${lines.join('; ')}`;
}

function pairsIn(observations: Recordings): readonly Pair[] {
  const asked = observations.filter((each): each is Access => each.type === 'access');
  return asked
    .filter(({ of }) => of === 'source')
    .flatMap((source) => {
      const fork = asked.find((each) => each.of === 'fork' && each.name === source.name);
      return fork === undefined ? [] : [{ source, fork }];
    });
}

function isRefused({ status }: Access): boolean {
  return status !== null && isClientError(status) && !saysNothing(status, 'refusal');
}

function isAccepted({ status }: Access): boolean {
  return isSuccess(status);
}
