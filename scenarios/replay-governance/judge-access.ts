import { fail, isOutcome, pass, undecided, type Outcome } from '../../src/contract/outcome.ts';
import { isClientError, isSuccess, saysNothing } from '../../src/protocol/status.ts';
import type { Recorded } from '../../src/runner/scenario.ts';
import { named } from '../shared/compare-runs.ts';
import { runOf } from '../shared/need.ts';
import { ofType, type Recordings } from '../shared/of-type.ts';
import { requestsOf, statusOf } from '../shared/requested.ts';
import { FORK, OWN, SNAPSHOT, type AccessObservation } from './access-drive.ts';
import { wrong } from './diagnoses.ts';
import { needed } from './needed.ts';

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
export function judgeAccess(recorded: Recordings): Outcome {
  const runs = needed(recorded, 'source', FORK);
  if (isOutcome(runs)) return runs;
  const { fork } = runs;
  const pairs = pairsIn(recorded);
  if (pairs.length === 0) return undecided('the second tenant did not ask', [fork]);
  const refused = pairs.filter(({ source }) => isRefused(source));
  const bypassed = refused.filter((pair) => isSuccess(pair.fork.status));
  const [first] = bypassed;
  if (first !== undefined) {
    const expected = `a refusal to the second tenant for ${named(fork)}, as for its source (${first.source.status ?? ''})`;
    const actual = bypassed.map((pair) => `${pair.fork.name}: ${pair.fork.status ?? ''}`).join('; ');
    return fail({ expected, actual, diagnosis: wrong('checks-bypassed') }, bypassed.flatMap(bothOf));
  }
  if (!mayAct(recorded)) {
    const reason =
      'the second tenant is refused everything, also to make a run of its own: give a credential that works (--tenant-b-key-env)';
    return undecided(reason, [fork, ...pairs.slice(0, 1).map(({ source }) => source)]);
  }
  const snapshot = pairs.find(({ source: { name } }) => name === SNAPSHOT)?.source;
  if (snapshot === undefined || !isRefused(snapshot)) {
    return undecided(`the second tenant is not refused the source itself (${snapshot?.status ?? 'no answer'})`, [fork]);
  }
  const open = refused.find((pair) => !isRefused(pair.fork));
  if (open !== undefined) {
    return undecided(`${open.fork.name} of the fork was answered with ${open.fork.status ?? 'nothing'}`, bothOf(open));
  }
  return pass([...refused.flatMap(bothOf), fork], notes(refused));
}

function bothOf({ source, fork }: Pair): readonly Access[] {
  return [fork, source];
}

/** Whether the second credential is one: it makes a run, or is answered that an unknown run is not there. */
function mayAct(recorded: Recordings): boolean {
  const { runId = null } = runOf(recorded, OWN) ?? {};
  return runId !== null || requestsOf(recorded, 'unknown').some((each) => statusOf(each) === 404);
}

/** Refusals that differ, as the documents leave open how a reading is refused. */
function notes(pairs: readonly Pair[]): string | undefined {
  const lines = pairs
    .filter(({ source, fork }) => source.status !== fork.status)
    .map(({ source, fork }) => `${fork.name}: ${fork.status ?? ''}, of the source ${source.status ?? ''}`);
  return lines.length === 0 ? undefined : `refused differently: ${lines.join('; ')}`;
}

function pairsIn(recorded: Recordings): readonly Pair[] {
  const requested = ofType<AccessObservation>(recorded, 'access');
  const ofForks = requested.filter(({ of }) => of === 'fork');
  return requested
    .filter(({ of }) => of === 'source')
    .flatMap((source) =>
      ofForks
        .filter(({ name }) => name === source.name)
        .slice(0, 1)
        .map((fork) => ({ source, fork })),
    );
}

function isRefused({ status }: Access): boolean {
  return status !== null && isClientError(status) && !saysNothing(status, 'refusal');
}
