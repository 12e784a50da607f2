import { type Outcome, rests } from '../../src/contract/outcome.ts';
import type { Observation } from '../../src/evidence/types.ts';
import { defineScenario } from '../../src/runner/define-scenario.ts';
import type { Everything } from '../../src/runner/scenario.ts';
import { endOf } from '../../src/protocol/run-status.ts';
import { bounds, eventsOf } from '../shared/compare-runs.ts';
import { leftWithoutControl } from '../shared/control.ts';
import { wholeRunsIn } from '../shared/every-run.ts';
import { FOUNDATIONS } from '../shared/foundations.ts';
import { refusedWrongly, runOf, runsOf } from '../shared/need.ts';
import type { Recordings } from '../shared/of-type.ts';
import { branches } from '../shared/replays.ts';
import { replaysAll, type RunObservation } from '../shared/run-observation.ts';
import { branchActs, branchReplayed, judgeBeside, judgeModelReplayed, judgeSourceReplayed } from './branch-acts.ts';
import { judgeChildOf } from './branch-child.ts';
import { BRANCH_AGAIN, driveBranches, FIRST_BRANCH } from './branch-drive.ts';
import { refusedBeside } from './branch-beside.ts';
import { branchRefusals, judgeBranchKey } from './branch-requests.ts';
import { forksAmong, type ForkOf, refusal, refusedAmong, wrongAmong, wrongAnswer } from './forks-everywhere.ts';
import { FULL_REPLAY, WHOLE_REPLAYS } from './full-replay.ts';
import { faultsOf, judgeAnswer } from './judge-answer.ts';
import {
  type Branches,
  judgeIndependence,
  judgePrefixes,
  judgePrefixesEverywhere,
  judgeSwept,
  seeBranches,
} from './judge-branch.ts';
import { judgeOverlay, judgeProjection } from './judge-projection.ts';
import { envelopeCheck, type Refusing, unlessLeft } from './judge-refusals.ts';
import { judgeUntouched } from './judge-untouched.ts';
import { judgeLaterRun, overlayConfigurable } from './overlay-configurable.ts';

const OWN = 'fork.branch';

/** What the rows judge. */
interface Seen extends Refusing {
  readonly branches: Branches;
}

/** Branches of one run from everywhere. */
export const branch = defineScenario<Observation, Seen>({
  id: OWN,
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
      judge: ({ branches: made }, { options: { volatile }, everything }) =>
        judgePrefixesEverywhere(judgePrefixes(made, volatile), everything, volatile),
    },
    {
      id: 'fork.branch-is-independent',
      title: 'A branch has a run id and a log of its own, and its end changes no other run',
      judge: ({ branches: made, recorded }, { everything }) => {
        const outcome = judgeIndependence(made);
        if (outcome.kind !== 'pass') return outcome;
        const by = ({ id }: { readonly id: string }) => everything.filter(({ scenario }) => scenario === id);
        const acting = by(branchActs);
        const found = judgeChildOf(recorded, made.handing.branch) ?? judgeSourceReplayed(acting);
        return (
          found ??
          judgeModelReplayed(acting) ??
          judgeBeside(by(branchReplayed)) ??
          judgeLaterRun(by(overlayConfigurable)) ??
          outcome
        );
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
 * The answer to the first branch, and whether all others were made, and answered so, wherever they were requested. One that is refused as
 * the replay was tells of an endpoint that forks nothing, one that is refused as replays from later events were, of one that forks from the
 * start alone: the rows about replays say so. Answers that are wrong as those to replays are rest there, too.
 */
function judgeCreated(recorded: Recordings, everything: Everything): Outcome {
  const outcome = judgeAnswer(recorded, FIRST_BRANCH);
  const forks = branchesIn(recorded, everything);
  const wrong = wrongAmong(forks);
  if (outcome.kind === 'fail') {
    const owner = ownerOfFaults(faultsOf(recorded, FIRST_BRANCH), wrong, everything);
    return owner === undefined ? outcome : rests(owner, outcome);
  }
  const refused = refusedAmong(forks);
  if (refused.length > 0 || outcome.kind === 'rests') {
    const left = outcome.kind === 'rests' ? outcome.otherwise : refusal(refused, forks);
    const owner = ownerOf(recorded, refused, everything);
    if (owner !== undefined && left.kind === 'fail') return rests(owner, left);
    return outcome.kind === 'rests' ? outcome : left;
  }
  if (wrong.length === 0) return outcome;
  const owner = ownerOfFaults(namesIn(wrong), wrong, everything) ?? ownerByKind(wrong);
  return owner === undefined ? wrongAnswer(wrong) : rests(owner, wrongAnswer(wrong));
}

/** The row about replays whose answers have the same faults: of full ones, or of later ones where no branch from the start is wrong. */
function ownerOfFaults(
  names: readonly string[],
  wrong: ReturnType<typeof wrongAmong>,
  everything: Everything,
): string | undefined {
  const areIn = (known: ReadonlySet<string>): boolean => names.every((name) => known.has(name));
  if (areIn(faultsOfReplays(everything))) return FOUNDATIONS.replays;
  const isFromStart = wrong.some(({ fork, source }) => (fork.fork?.fromSeq ?? 0) <= bounds(source).first);
  return !isFromStart && areIn(faultsOfLaterReplays(everything)) ? FOUNDATIONS.laterReplays : undefined;
}

/** What is wrong with the answers to replays of runs from later events. */
function faultsOfLaterReplays(everything: Everything): ReadonlySet<string> {
  const replays = forksAmong(wholeRunsIn(everything), 'replay');
  return new Set(namesIn(wrongAmong(replays.filter(({ fork, kind }) => kind === 'run' && !replaysAll(fork)))));
}

function namesIn(forks: ReturnType<typeof wrongAmong>): readonly string[] {
  return forks.flatMap(({ faults }) => faults.map(({ name }) => name));
}

/** What is wrong with the answer to the full replay. */
function faultsOfReplays(everything: Everything): ReadonlySet<string> {
  const replayed = everything.filter(({ scenario }) => scenario === FULL_REPLAY);
  return new Set(WHOLE_REPLAYS.flatMap((role) => faultsOf(replayed, role)));
}

/** Where branches of such runs alone are wrong, the row that says so of their replays goes first. */
function ownerByKind(forks: readonly ForkOf[]): string | undefined {
  const kinds = new Set(forks.map(({ kind }) => kind));
  if (!kinds.has('run')) return kinds.has('replay') ? 'fork.created.of-a-fork' : 'fork.created.of-a-fork.branch';
  const haveFailed = forks.every(({ kind, source }) => kind === 'run' && endOf(eventsOf(source)) === 'failed');
  return haveFailed ? 'replay.same-failure' : undefined;
}

/** The row about the replays that were refused as all refused branches were; undefined where none were. */
function ownerOf(recorded: Recordings, refused: readonly ForkOf[], everything: Everything): string | undefined {
  if (refused.length === 0) return undefined;
  const byKind = ownerByKind(refused);
  if (byKind !== undefined) return byKind;
  const replays = wholeRunsIn(everything).filter((run) => run.fork?.mode === 'replay' && refusedWrongly(run));
  const areAlike = (wanted: (replay: RunObservation) => boolean): boolean =>
    refused.every(({ fork: { answered } }) => replays.some((replay) => replay.answered === answered && wanted(replay)));
  if (areAlike(({ fork }) => fork?.fromSeq === null)) return FOUNDATIONS.replays;
  const source = runOf(recorded, 'source');
  const start = source === undefined ? 0 : bounds(source).first;
  const isFromStart = refused.some(({ fork: { fork } }) => (fork?.fromSeq ?? start) <= start);
  return !isFromStart && areAlike((replay) => !replaysAll(replay)) ? FOUNDATIONS.laterReplays : undefined;
}

/** The branches of all scenarios; those of this one first. */
function branchesIn(recorded: Recordings, everything: Everything): readonly ForkOf[] {
  const own = runsOf(recorded).map((run) => ({ ...run, scenario: OWN }));
  const others = wholeRunsIn(everything).filter(({ scenario }) => scenario !== OWN);
  return forksAmong([...own, ...others], 'branch').filter(({ fork }) => fork.role !== BRANCH_AGAIN);
}
