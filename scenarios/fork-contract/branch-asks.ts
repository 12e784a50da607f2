import { fail, isOutcome, type Outcome, pass, undecidedUntil } from '../../src/contract/outcome.ts';
import type { Probe } from '../../src/host/probe.ts';
import { defineScenario } from '../../src/runner/define-scenario.ts';
import { type AnswerObservation, answerRun, isAccepted, startAsking } from '../shared/answering.ts';
import { eventsOf, named } from '../shared/compare-runs.ts';
import { need, type RecordedRun, runOf } from '../shared/need.ts';
import { ofType, type Recordings } from '../shared/of-type.ts';
import { isAsking } from '../shared/open-question.ts';
import { ASKING, branchPastQuestion, hasEnded, replayAnswered } from '../shared/past-question.ts';
import { branches } from '../shared/replays.ts';
import { isObserved, offersMode, readAgain, type RunObservation } from '../shared/run-observation.ts';
import { failureOf } from '../shared/settle.ts';
import { endOf, isParked } from '../../src/protocol/run-status.ts';
import type { Recorded } from '../../src/runner/scenario.ts';
import { isClosed } from './behind-question.ts';
import { wrong } from './diagnoses.ts';
import { BRANCH, OF_REPLAY, REPLAYED, ROW, SOURCE, startOf } from './branch-acts.ts';

/** A run that asked and was answered, and a branch of it from where the asking node starts, which is answered otherwise. */
export async function driveApproval(
  probe: Probe,
  roles: { readonly source: string; readonly branch: string } = { source: SOURCE, branch: BRANCH },
): Promise<readonly (RunObservation | AnswerObservation)[]> {
  const { candidate: fixture, run: asking } = await startAsking(probe, roles.source);
  if (!isObserved(asking) || hasEnded(asking)) return [asking];
  const answer = await answerRun(probe, asking, fixture.nodeId, fixture.goesOn);
  if (!isAccepted(answer)) return [asking, answer];
  const source = await readAgain(probe, asking, { role: roles.source });
  const fromSeq = startOf(source, fixture.nodeId);
  if (fromSeq === undefined) return [source, answer];
  const { replay: branch, waits, status } = await branchPastQuestion(probe, source, { role: roles.branch, fromSeq });
  if (!waits) return [source, answer, branch];
  const other = await answerRun(probe, branch, fixture.nodeId, fixture.opposite);
  return [source, answer, await readAgain(probe, branch, { role: roles.branch }), withStatus(other, status)];
}

function withStatus(answer: AnswerObservation, status: string | undefined): AnswerObservation {
  return status === undefined ? answer : { ...answer, status };
}

/** The same, and a branch of the branch from where its asking node starts, answered as the source was; one that was not asked is left. */
async function driveTwice(probe: Probe): Promise<readonly (RunObservation | AnswerObservation)[]> {
  const driven = await driveApproval(probe);
  const of = (role: string) => driven.find((each) => each.type === 'run' && each.role === role);
  const [source, branch] = [of(SOURCE), of(BRANCH)];
  if (branch?.type !== 'run' || !isObserved(branch) || !hasEnded(branch)) return driven;
  const again = await askAgain(probe, branch, OF_BRANCH);
  if (source?.type !== 'run' || !offersMode(probe.discovery, 'replay')) return [...driven, ...again];
  const replay = await replayAnswered(probe, source, REPLAYED);
  const ofReplay = isObserved(replay) && hasEnded(replay) ? await askAgain(probe, replay, OF_REPLAY) : [];
  return [...driven, ...again, replay, ...ofReplay];
}

/** A branch of a fork that was answered, from where its asking node starts, answered so that it goes on; none where the log shows no such place. */
async function askAgain(
  probe: Probe,
  fork: RunObservation,
  role: string,
): Promise<readonly (RunObservation | AnswerObservation)[]> {
  const fixture = ASKING.find(({ nodeId }) => startOf(fork, nodeId) !== undefined);
  const fromSeq = fixture === undefined ? undefined : startOf(fork, fixture.nodeId);
  if (fixture === undefined || fromSeq === undefined) return [];
  const { replay: again, waits, status } = await branchPastQuestion(probe, fork, { role, fromSeq });
  if (!waits) return [again];
  const answer = await answerRun(probe, again, fixture.nodeId, fixture.goesOn);
  return [await readAgain(probe, again, { role }), withStatus(answer, status)];
}

const OF_BRANCH = 'branch of the branch';

/** replay.md, Use cases 3: a branch from an approval takes the opposite answer, also one of a branch or a replay (Two modes: a run like any other). */
export function judgeApproval(recorded: Recordings): Outcome {
  const first = judgeAsked(recorded, [SOURCE, BRANCH]);
  // Absent where the branch did not come to its end, and in old evidence.
  if (first.kind !== 'pass') return first;
  const others = [
    ...(runOf(recorded, OF_BRANCH) === undefined ? [] : [judgeAsked(recorded, [BRANCH, OF_BRANCH])]),
    ...(runOf(recorded, OF_REPLAY) === undefined ? [] : [judgeAsked(recorded, [REPLAYED, OF_REPLAY])]),
  ];
  return failureOf(others) ?? first;
}

function judgeAsked(recorded: Recordings, [parent, child]: readonly [parent: string, child: string]): Outcome {
  const begun = need(recorded, parent);
  if (isOutcome(begun)) return begun;
  const source = begun[parent] as RecordedRun;
  const answers = ofType<AnswerObservation>(recorded, 'answer');
  // A replay was given what its source was.
  const [given, other] = [parent === REPLAYED ? SOURCE : parent, child].map((role) =>
    answers.find((each) => each.role === role),
  );
  if (given === undefined || !isAccepted(given)) {
    const isResolved = given === undefined && eventsOf(source).some(({ type }) => type === 'interrupt.resolved');
    const none = isResolved ? 'it was resolved before' : 'it shows none';
    const why = `the question of ${named(source)} was not answered: ${given?.answered ?? none}`;
    const todo = isResolved
      ? 'leave questions open until they are answered'
      : 'show interrupt.requested, and take the answer';
    return undecidedUntil(todo, why, [source]);
  }
  if (runOf(recorded, child) === undefined && ASKING.every(({ nodeId }) => startOf(source, nodeId) === undefined)) {
    const why = `${named(source)} does not show where the node starts that asks`;
    return undecidedUntil('write its events with its nodeId', why, [source, given]);
  }
  const refused = notAnswered(runOf(recorded, child), other, [source, given]);
  if (refused !== undefined) return refused;
  const runs = need(recorded, parent, child);
  if (isOutcome(runs)) return runs;
  const branch = runs[child] as RecordedRun;
  const evidence = [branch, source, given];
  const isSameEnd = endOf(eventsOf(branch)) === endOf(eventsOf(source));
  // One that says its question is closed, and came to the same end, went on by itself while it was answered.
  if (other === undefined || (isClosed(other) && hasEnded(branch) && isSameEnd)) {
    const requested = eventsOf(branch).some(isAsking) ? 'it asked, and did not wait' : 'it did not ask';
    return fail(
      {
        expected: `${named(branch)} asks again: its fork point is the start of the node that asks`,
        actual: `${endOf(eventsOf(branch)) ?? 'no end'}: ${requested}`,
        diagnosis: wrong('branch-inert'),
      },
      evidence,
    );
  }
  if (!isAccepted(other)) {
    const why = `the question of ${named(branch)} was answered with ${other.answered ?? 'nothing'}`;
    return undecidedUntil('take the answer to a question that is open', why, [...evidence, other]);
  }
  const isHeard = JSON.stringify([branch.events, branch.snapshot]).includes(other.mark);
  if (isHeard || !isSameEnd) return pass([...evidence, other]);
  if (JSON.stringify([branch.events, branch.snapshot]).includes(given.mark)) {
    return fail(
      {
        expected: `${named(branch)} goes on with the answer that it was given`,
        actual: `it shows the answer that ${named(source)} was given`,
        diagnosis: wrong('branch-inert'),
      },
      [...evidence, other],
    );
  }
  const foreign = foreignMark(branch, source, given);
  if (foreign !== undefined) {
    return fail(
      {
        expected: `${named(branch)} goes on with the answer that it was given, whose mark is ${other.mark}`,
        actual: `it shows an answer with the mark ${foreign}: one that another run was given`,
        diagnosis: wrong('answer-of-another'),
      },
      [...evidence, other],
    );
  }
  const why = `${named(branch)} took another answer, ended as its source, and does not show which`;
  return undecidedUntil('show in the log or in the snapshot what a question was answered', why, [...evidence, other]);
}

/** What is left of a branch whose question was not answered, and that has not ended; undefined where there is none. */
function notAnswered(
  branch: RecordedRun | undefined,
  other: Recorded<AnswerObservation> | undefined,
  [source, given]: readonly [RecordedRun, Recorded<AnswerObservation>],
): Outcome | undefined {
  if (branch === undefined || typeof other?.answered !== 'number' || isAccepted(other) || hasEnded(branch))
    return undefined;
  const [evidence, actual] = [[other, branch, given, source], `its answer was answered with ${other.answered}`];
  // A host may want more of the opposite answer.
  if (!isClosed(other) || other.answered === 422 || !isParked(other.status))
    return undecidedUntil('take the answer to a question that is open', `${named(branch)}: ${actual}`, evidence);
  const expected = `${named(branch)} takes an answer of its own, as ${named(source)} did: it still waits`;
  return fail({ expected, actual, diagnosis: wrong('branch-unanswerable') }, evidence);
}

const MARK = /"mark":"(?<mark>[0-9a-f-]{36})"/gu;

/** The mark of an answer that a branch shows and that is not its own, where its source shows that of its own answer alone. */
function foreignMark(branch: RecordedRun, source: RecordedRun, given: AnswerObservation): string | undefined {
  const [ours, [foreign]] = [marksIn(source), marksIn(branch)] as const;
  return ours.length > 0 && ours.every((mark) => mark === given.mark) ? foreign : undefined;
}

function marksIn({ events }: RecordedRun): readonly string[] {
  return [...JSON.stringify(events).matchAll(MARK)].flatMap(({ groups }) => groups?.['mark'] ?? []);
}

export const branchAsks = defineScenario({
  id: `${ROW}.approval`,
  suite: 'fork-contract',
  title: 'A branch from the start of a question asks it',
  needs: [branches, { kind: 'one-of', candidates: ASKING }],
  drive: driveTwice,
  checks: [
    {
      id: `${ROW}.approval`,
      title: 'A question behind the fork point is asked again, and its answer counts',
      judge: judgeApproval,
    },
  ],
});
