import {
  fail,
  isOutcome,
  notApplicable,
  pass,
  undecidedUntil,
  type Mismatch,
  type Outcome,
} from '../../src/contract/outcome.ts';
import type { Observation } from '../../src/evidence/types.ts';
import type { Probe } from '../../src/host/probe.ts';
import { defineScenario } from '../../src/runner/define-scenario.ts';
import { type AnswerObservation, answerRun, isAccepted, startAsking } from '../shared/answering.ts';
import { named } from '../shared/compare-runs.ts';
import { need, runOf } from '../shared/need.ts';
import { ofType, type Recordings } from '../shared/of-type.ts';
import { ASKING, branchPastQuestion, hasEnded } from '../shared/past-question.ts';
import { branches } from '../shared/replays.ts';
import { isObserved, readAgain } from '../shared/run-observation.ts';
import { startOf } from './branch-acts.ts';

const ID = 'fork.branch-is-independent.waiting';
const [SOURCE, BRANCH, AGAIN] = ['source', 'branch', 'source again'] as const;

/** A run that waits, and a branch of it that asks the same; the branch is answered first. */
async function drive(probe: Probe): Promise<readonly Observation[]> {
  const { candidate, run: source } = await startAsking(probe, SOURCE);
  if (!isObserved(source) || hasEnded(source)) return [source];
  const { nodeId, goesOn } = candidate;
  const fromSeq = startOf(source, nodeId);
  if (fromSeq === undefined) return [source];
  const { replay: branch, waits } = await branchPastQuestion(probe, source, { role: BRANCH, fromSeq });
  const first = waits ? [await answerRun(probe, branch, nodeId, goesOn)] : [];
  // The source is brought to its end in any case.
  const second = await answerRun(probe, source, nodeId, goesOn);
  return [source, branch, ...first, second, await readAgain(probe, source, { role: AGAIN })];
}

/** replay.md, Two modes: what becomes of a branch, which is fully independent, changes nothing of its source. */
export function judgeWaiting(recorded: Recordings): Outcome {
  const runs = need(recorded, SOURCE);
  if (isOutcome(runs)) return runs;
  const { source } = runs;
  const branch = runOf(recorded, BRANCH);
  const [first, second] = [BRANCH, SOURCE].map((role) =>
    ofType<AnswerObservation>(recorded, 'answer').find((answer) => answer.role === role),
  );
  if (branch === undefined || second === undefined) {
    const why = `${named(source)} does not show where it asks, or did not wait`;
    return undecidedUntil('write its events with its nodeId, show interrupt.requested, and wait', why, [source]);
  }
  if (branch.runId === null) {
    const why = `a branch of a run that waits was answered with ${branch.answered ?? 'nothing'}, which the documents leave open`;
    return notApplicable(why, [branch, source]);
  }
  const evidence = [second, branch, source];
  if (first === undefined || !isAccepted(first)) {
    const why = `${named(branch)} ${first === undefined ? 'did not wait' : `was answered with ${first.answered ?? 'nothing'}`}`;
    return undecidedUntil('let a branch from the start of a question ask it, and take the answer', why, evidence);
  }
  const all = [...evidence, first];
  if (isAccepted(second)) return pass(all);
  if (!isClosed(second)) return undecidedUntil('take the answer', answeredText(source, second), all);
  const mismatch: Mismatch = {
    expected: `${named(source)} still waits when its branch was answered, and takes an answer of its own`,
    actual: answeredText(source, second),
  };
  return fail(mismatch, all);
}

/** wire-contract, Endpoints: a question that is not open any more. */
function isClosed({ answered }: AnswerObservation): boolean {
  return answered !== null && [404, 409, 410, 422].includes(answered);
}

function answeredText(source: Parameters<typeof named>[0], { answered }: AnswerObservation): string {
  return `the answer to the question of ${named(source)} was answered with ${answered ?? 'nothing'}`;
}

export const waitingBranch = defineScenario({
  id: ID,
  suite: 'fork-contract',
  title: 'A branch of a run that waits is answered for itself alone',
  needs: [branches, { kind: 'one-of', candidates: ASKING }],
  drive,
  checks: [{ id: ID, title: 'The answer to a branch leaves the question of its source open', judge: judgeWaiting }],
});
