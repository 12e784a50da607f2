import { fail, rests, type Outcome } from '../../src/contract/outcome.ts';
import type { Everything } from '../../src/runner/scenario.ts';
import { wholeRunsIn } from '../shared/every-run.ts';
import { FOUNDATIONS } from '../shared/foundations.ts';
import { forkText, refusedWrongly, runOf, runsOf } from '../shared/need.ts';
import type { Recordings } from '../shared/of-type.ts';
import { BRANCH_AGAIN, FIRST_BRANCH } from './branch-drive.ts';
import { judgeAnswer } from './judge-answer.ts';

/**
 * The answer to the first branch, and whether the others were made. One that is refused as the replay was tells of an endpoint
 * that forks nothing: the row about replays says so.
 */
export function judgeCreated(recorded: Recordings, everything: Everything): Outcome {
  const outcome = judgeAnswer(recorded, FIRST_BRANCH);
  if (outcome.kind === 'pass') return refusedLater(recorded) ?? outcome;
  if (outcome.kind !== 'rests' || outcome.otherwise.kind !== 'fail') return outcome;
  const answered = runOf(recorded, FIRST_BRANCH)?.answered;
  const isAlike = wholeRunsIn(everything).some(
    (run) =>
      run.fork?.mode === 'replay' && run.fork.fromSeq === null && refusedWrongly(run) && run.answered === answered,
  );
  return isAlike ? rests(FOUNDATIONS.replays, outcome.otherwise) : outcome;
}

/** replay.md, Endpoint: a mode that is advertised works from every sequence number. Undefined where no branch was refused. */
function refusedLater(recorded: Recordings): Outcome | undefined {
  const made = runsOf(recorded).filter(({ fork, role }) => fork?.mode === 'branch' && role !== BRANCH_AGAIN);
  const refused = made.filter(refusedWrongly);
  const [first] = refused;
  if (first === undefined) return undefined;
  const expected = '201 for every branch of a run: the host offers the mode branch';
  const actual = `${String(first.answered)} for ${forkText(first)}; ${refused.length} of ${made.length} branches were refused`;
  return fail({ expected, actual }, refused);
}
