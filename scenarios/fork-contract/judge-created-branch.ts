import { fail, rests, type Outcome } from '../../src/contract/outcome.ts';
import type { Everything } from '../../src/runner/scenario.ts';
import { bounds } from '../shared/compare-runs.ts';
import { wholeRunsIn } from '../shared/every-run.ts';
import { FOUNDATIONS } from '../shared/foundations.ts';
import { forkText, refusedWrongly, runOf, runsOf, type SeenRun } from '../shared/need.ts';
import type { Recordings } from '../shared/of-type.ts';
import { replaysAll, type RunObservation } from '../shared/run-observation.ts';
import { BRANCH_AGAIN, FIRST_BRANCH } from './branch-drive.ts';
import { judgeAnswer } from './judge-answer.ts';

/**
 * The answer to the first branch, and whether the others were made. One that is refused as the replay was tells of an endpoint
 * that forks nothing, one that is refused as replays from later events were, of one that forks from the start alone: the rows
 * about replays say so.
 */
export function judgeCreated(recorded: Recordings, everything: Everything): Outcome {
  const outcome = judgeAnswer(recorded, FIRST_BRANCH);
  const left = outcome.kind === 'rests' ? outcome.otherwise : refusedLater(recorded);
  if (left?.kind !== 'fail' || outcome.kind === 'fail') return outcome;
  const owner = ownerOf(recorded, everything);
  return owner === undefined ? (outcome.kind === 'rests' ? outcome : left) : rests(owner, left);
}

/** The row about the replays that were refused as all refused branches were; undefined where none were. */
function ownerOf(recorded: Recordings, everything: Everything): string | undefined {
  const refused = branchesIn(recorded).filter(refusedWrongly);
  if (refused.length === 0) return undefined;
  const replays = wholeRunsIn(everything).filter((run) => run.fork?.mode === 'replay' && refusedWrongly(run));
  const areAlike = (wanted: (replay: RunObservation) => boolean): boolean =>
    refused.every(({ answered }) => replays.some((replay) => replay.answered === answered && wanted(replay)));
  if (areAlike(({ fork }) => fork?.fromSeq === null)) return FOUNDATIONS.replays;
  const source = runOf(recorded, 'source');
  const first = source === undefined ? 0 : bounds(source).first;
  const isFromStart = refused.some(({ fork }) => (fork?.fromSeq ?? first) <= first);
  return !isFromStart && areAlike((replay) => !replaysAll(replay)) ? FOUNDATIONS.laterReplays : undefined;
}

function branchesIn(recorded: Recordings): readonly SeenRun[] {
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
