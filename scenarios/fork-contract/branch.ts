import { fail, type Outcome, rests } from '../../src/contract/outcome.ts';
import type { Observation } from '../../src/evidence/types.ts';
import { defineScenario } from '../../src/runner/define-scenario.ts';
import type { Everything } from '../../src/runner/scenario.ts';
import { bounds } from '../shared/compare-runs.ts';
import { leftWithoutControl } from '../shared/control.ts';
import { wholeRunsIn } from '../shared/every-run.ts';
import { FOUNDATIONS } from '../shared/foundations.ts';
import { forkText, refusedWrongly, runOf, runsOf, type RecordedRun } from '../shared/need.ts';
import type { Recordings } from '../shared/of-type.ts';
import { branches } from '../shared/replays.ts';
import { replaysAll, type RunObservation } from '../shared/run-observation.ts';
import { judgeChildOf } from './branch-child.ts';
import { BRANCH_AGAIN, driveBranches, FIRST_BRANCH } from './branch-drive.ts';
import { refusedBeside } from './branch-beside.ts';
import { branchRefusals, judgeBranchKey } from './branch-requests.ts';
import { FAILED_BRANCH, REPLAY_BRANCH } from './further-branches.ts';
import { FULL_REPLAY, WHOLE_REPLAYS } from './full-replay.ts';
import { faultsOf, judgeAnswer } from './judge-answer.ts';
import { type Branches, judgeIndependence, judgePrefixes, judgeSwept, seeBranches } from './judge-branch.ts';
import { judgeOverlay, judgeProjection } from './judge-projection.ts';
import { envelopeCheck, type Refusing, unlessLeft } from './judge-refusals.ts';
import { judgeUntouched } from './judge-untouched.ts';

/** What the rows judge. */
interface Seen extends Refusing {
  readonly branches: Branches;
}

/** Branches of one run from everywhere. */
export const branch = defineScenario<Observation, Seen>({
  id: 'fork.branch',
  suite: 'fork-contract',
  title: 'A run is branched into independent runs with other run options',
  foundation: true,
  needs: [branches],
  drive: driveBranches,
  see: (recorded) => ({
    recorded,
    left: leftWithoutControl(recorded, FIRST_BRANCH),
    branches: seeBranches(recorded),
  }),
  checks: [
    {
      id: 'fork.created.branch',
      title: 'A branch is answered with 201 and all six members, for a new run whose eventsUrl answers',
      judge: ({ recorded }, { everything }) => {
        const created = judgeCreated(recorded, everything);
        return created.kind === 'pass' ? (refusedBeside(everything) ?? created) : created;
      },
    },
    ...branchRefusals,
    unlessLeft(envelopeCheck('.branch', 'A refused branch')),
    {
      id: 'fork.branch-applies-overlay',
      title: 'A branch runs with the overlay from its fork point on, and not before',
      judge: ({ branches: made }) => judgeSwept(made, judgeOverlay),
    },
    {
      id: 'fork.branch-applies-overlay.projected-state',
      title: "A branch starts from the source's state at its fork point",
      judge: ({ branches: made }) => judgeProjection(made),
    },
    {
      id: 'fork.branch-inherits-prefix',
      title: "A branch's history below its fork point is the source's",
      judge: ({ branches: made }, { options }) => judgePrefixes(made, options.volatile),
    },
    {
      id: 'fork.branch-is-independent',
      title: 'A branch has a run id and a log of its own, and its end changes no other run',
      judge: ({ branches: made, recorded }) => {
        const outcome = judgeIndependence(made);
        return outcome.kind === 'pass' ? (judgeChildOf(recorded, made.handing.branch) ?? outcome) : outcome;
      },
    },
    {
      id: 'fork.idempotency-key.branch',
      title: 'A branch that is requested twice under one Idempotency-Key is one run',
      judge: ({ recorded, left }) => left ?? judgeBranchKey(recorded, FIRST_BRANCH),
    },
    unlessLeft({
      id: 'fork.source-untouched.branch',
      title: 'Branches leave the log and the snapshot of their source as they were',
      judge: judgeUntouched,
    }),
  ],
});

/**
 * The answer to the first branch, and whether the others were made. One that is refused as the replay was tells of an endpoint
 * that forks nothing, one that is refused as replays from later events were, of one that forks from the start alone: the rows
 * about replays say so.
 */
function judgeCreated(recorded: Recordings, everything: Everything): Outcome {
  const outcome = judgeAnswer(recorded, FIRST_BRANCH);
  if (outcome.kind === 'fail' && isAnsweredAsReplays(recorded, everything)) return rests(FOUNDATIONS.replays, outcome);
  const left = outcome.kind === 'rests' ? outcome.otherwise : refusedLater(recorded);
  if (left?.kind !== 'fail' || outcome.kind === 'fail') return outcome;
  const owner = ownerOf(recorded, everything);
  return owner === undefined ? (outcome.kind === 'rests' ? outcome : left) : rests(owner, left);
}

/** Whether whatever is wrong with the answer to the first branch is so with that to the full replay, too. */
function isAnsweredAsReplays(recorded: Recordings, everything: Everything): boolean {
  const replayed = everything.filter(({ scenario }) => scenario === FULL_REPLAY);
  const everywhere = new Set(WHOLE_REPLAYS.flatMap((role) => faultsOf(replayed, role)));
  return faultsOf(recorded, FIRST_BRANCH).every((name) => everywhere.has(name));
}

/** Where branches of such runs alone are refused, the row that says so of their replays goes first. */
const OWNERS: ReadonlyMap<string, string> = new Map([
  [FAILED_BRANCH, 'replay.same-failure'],
  [REPLAY_BRANCH, 'fork.created.of-a-fork'],
]);

/** The row about the replays that were refused as all refused branches were; undefined where none were. */
function ownerOf(recorded: Recordings, everything: Everything): string | undefined {
  const refused = branchesIn(recorded).filter(refusedWrongly);
  const [first] = refused;
  if (first === undefined) return undefined;
  if (refused.every(({ role }) => role === first.role) && OWNERS.has(first.role)) return OWNERS.get(first.role);
  const replays = wholeRunsIn(everything).filter((run) => run.fork?.mode === 'replay' && refusedWrongly(run));
  const areAlike = (wanted: (replay: RunObservation) => boolean): boolean =>
    refused.every(({ answered }) => replays.some((replay) => replay.answered === answered && wanted(replay)));
  if (areAlike(({ fork }) => fork?.fromSeq === null)) return FOUNDATIONS.replays;
  const source = runOf(recorded, 'source');
  const start = source === undefined ? 0 : bounds(source).first;
  const isFromStart = refused.some(({ fork }) => (fork?.fromSeq ?? start) <= start);
  return !isFromStart && areAlike((replay) => !replaysAll(replay)) ? FOUNDATIONS.laterReplays : undefined;
}

function branchesIn(recorded: Recordings): readonly RecordedRun[] {
  return runsOf(recorded).filter(({ fork, role }) => fork?.mode === 'branch' && role !== BRANCH_AGAIN);
}

/** replay.md, Endpoint: a mode that is advertised works from every sequence number. Undefined where no branch was refused. */
function refusedLater(recorded: Recordings): Outcome | undefined {
  const made = branchesIn(recorded);
  const refused = made.filter(refusedWrongly);
  const [first] = refused;
  if (first === undefined) return undefined;
  const expected = '201 for every branch of a run: the host offers the mode branch';
  const actual = `${String(first.answered)} for ${forkText(first)}; ${refused.length} of ${made.length} branches were refused`;
  return fail({ expected, actual }, refused);
}
