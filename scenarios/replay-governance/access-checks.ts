import { fail, isOutcome, pass, undecided, type Outcome } from '../../src/contract/outcome.ts';
import { isClientError, isSuccess, saysNothing } from '../../src/protocol/status.ts';
import { defineScenario } from '../../src/runner/define-scenario.ts';
import type { Recorded } from '../../src/runner/scenario.ts';
import { named } from '../shared/compare-runs.ts';
import { judgeInvisible } from '../shared/judge-invisible.ts';
import { runOf } from '../shared/need.ts';
import { ofType, type Recordings } from '../shared/of-type.ts';
import { branches, replays } from '../shared/replays.ts';
import { requestsOf, statusOf } from '../shared/requested.ts';
import { branchBody, driveAccess, FORK, OWN, SNAPSHOT, type AccessObservation } from './access-drive.ts';
import { wrong } from './diagnoses.ts';
import { needed } from './needed.ts';
import { GOVERNANCE } from './observation-shapes.ts';

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

const ROW = 'privacy.same-access-checks';

/** replay.md, Privacy: a replay belongs to whom its source belongs to. */
export const accessChecks = defineScenario({
  ...GOVERNANCE,
  id: ROW,
  title: 'A replay is kept from everybody from whom its source is kept',
  needs: [replays, { kind: 'second-tenant' }],
  drive: (probe) => driveAccess(probe, () => ({ mode: 'replay' })),
  checks: [
    {
      id: ROW,
      title: 'What another tenant is refused of a run it is refused of a replay of it',
      judge: judgeAccess,
    },
    {
      id: `${ROW}.indistinguishable`,
      title: "To another tenant's fork request a replay is like a run that there is not",
      judge: (recorded) => judgeInvisible(recorded, FORK),
    },
  ],
});

/** The same for a branch. */
export const branchAccessChecks = defineScenario({
  ...GOVERNANCE,
  id: `${ROW}.branch`,
  title: 'A branch is kept from everybody from whom its source is kept',
  needs: [branches, { kind: 'second-tenant' }],
  drive: (probe) => driveAccess(probe, branchBody),
  checks: [
    {
      id: `${ROW}.branch`,
      title: 'What another tenant is refused of a run it is refused of a branch of it',
      judge: judgeAccess,
    },
  ],
});
