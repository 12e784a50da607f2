import { executionModel, type Gate } from '../../src/contract/gates.ts';
import { fail, isOutcome, type Outcome, pass, undecided, undecidedUntil } from '../../src/contract/outcome.ts';
import type { Json } from '../../src/evidence/types.ts';
import type { Probe } from '../../src/host/probe.ts';
import { answeredWith, post } from '../../src/host/exchanged.ts';
import { interruptPath } from '../../src/protocol/paths.ts';
import { endOf } from '../../src/protocol/run-status.ts';
import { isMalformed, isSuccess } from '../../src/protocol/status.ts';
import { defineScenario } from '../../src/runner/define-scenario.ts';
import type { Candidate, Recorded } from '../../src/runner/scenario.ts';
import type { AnswerObservation } from '../shared/answering.ts';
import { cancelRun } from '../shared/cancel.ts';
import { eventsOf, named } from '../shared/compare-runs.ts';
import { type Candidates, firstExecuted } from '../shared/first-executed.ts';
import { leftUndriven, leftWithout, need, type RecordedRun, runOf } from '../shared/need.ts';
import { nodeOf } from '../shared/read-event.ts';
import { ofType, type Recordings } from '../shared/of-type.ts';
import { isAsking } from '../shared/open-question.ts';
import { ASKING, ASKS_AGAIN, hasEnded, replayAnswered } from '../shared/past-question.ts';
import { replays } from '../shared/replays.ts';
import { isObserved, readAgain, type RunObservation, startRun } from '../shared/run-observation.ts';
import { settle } from '../shared/settle.ts';
import { compareValues, type Watched } from '../shared/shown-values.ts';
import { wrong } from './diagnoses.ts';
import { sharedCause } from '../shared/diagnoses.ts';

const [, OWN] = ASKING;
const FULL = 'full replay';
const UNASKED = 'replay.interrupt-short-circuits';

/** A workflow that asks, its asking node, and the workflows that it needs beside it. */
interface Asker extends Candidate {
  readonly nodeId: string;
}

/** A question, and what it is answered with: each of these in a run of its own. */
interface Answering {
  /** Stands behind the row's id. */
  readonly name: string;
  readonly title: string;
  /** Workflows that ask so: the first one that the host executes is run. */
  readonly candidates: Candidates<Asker>;
  readonly resumeValues: readonly Json[];
  readonly watched: Watched;
  /** What a host has to advertise that it asks so; nothing where it is left out. */
  readonly gate?: Gate;
}

/** A run, or an answer that the host did not take. */
type OtherAnswer = RunObservation | AnswerObservation;

/** The roles of a run that was given an answer, and of its replay; the first ones have none but the roles' names. */
function rolesOf({ resumeValues }: Answering, at: number): readonly [source: string, replay: string] {
  const answer = JSON.stringify(resumeValues[at]);
  return at === 0 ? ['source', FULL] : [`source answered with ${answer}`, `${FULL} past ${answer}`];
}

/** Side by side: where a host asks again, each waits for as long as another. */
async function drive(probe: Probe, of: Answering): Promise<readonly OtherAnswer[]> {
  const all = await Promise.all(of.resumeValues.map((_, at) => driveAnswer(probe, of, at)));
  return all.flat();
}

async function driveAnswer(probe: Probe, of: Answering, at: number): Promise<readonly OtherAnswer[]> {
  const { candidates, resumeValues } = of;
  const [role, replayRole] = rolesOf(of, at);
  const { candidate, run: asking } = await firstExecuted(candidates, ({ workflowId }) =>
    startRun(probe, { workflowId, inputs: {} }, { role, until: isAsking }),
  );
  if (!isObserved(asking) || hasEnded(asking)) return [asking];
  const question = eventsOf(asking).find(isAsking);
  const node = (question && nodeOf(question)) ?? candidate.nodeId;
  const taken = await post(probe.host, interruptPath(asking.runId, node), { resumeValue: resumeValues[at] ?? null });
  const answered = answeredWith(taken);
  const isTaken = isSuccess(answered);
  const source = isTaken ? await readAgain(probe, asking, { role }) : asking;
  if (!hasEnded(source)) {
    await cancelRun(probe, source.runId);
    const refused = { type: 'answer', role, mark: '', answered, exchanges: [taken.id] } as const;
    return isTaken ? [source] : [source, refused];
  }
  return [source, await replayAnswered(probe, source, replayRole)];
}

/** replay.md, Determinism 2: whoever asked, and whatever was answered, it is not asked again. */
function judge(recorded: Recordings, of: Answering): Outcome {
  return settle(of.resumeValues.map((_, at) => judgeAnswer(recorded, of, at)));
}

function judgeAnswer(recorded: Recordings, of: Answering, at: number): Outcome {
  const [sourceRole, replayRole] = rolesOf(of, at);
  const runs = need(recorded, sourceRole);
  if (isOutcome(runs)) return runs;
  const [source, replay] = [runs[sourceRole], runOf(recorded, replayRole)];
  if (source === undefined) return leftUndriven(sourceRole);
  const answer = JSON.stringify(of.resumeValues[at]);
  const refused = ofType<AnswerObservation>(recorded, 'answer').find(({ role }) => role === sourceRole);
  if (refused !== undefined) return leftUntaken(refused, source);
  if (replay === undefined || endOf(eventsOf(source)) !== 'completed') {
    return undecided(`${named(source)} did not go on with the answer ${answer}: a host need not take it`, [source]);
  }
  const evidence = [replay, source];
  if (replay.problem === ASKS_AGAIN) {
    const expected = `${named(replay)} goes on with the answer ${answer} that ${named(source)} was given`;
    const actual = 'it asked again, and waited until it was cancelled';
    return fail({ expected, actual, diagnosis: sharedCause('asked-again'), restsOn: UNASKED }, evidence);
  }
  const left = leftWithout([replay]);
  if (left !== undefined) return left;
  const compared = compareValues(source, replay, of.watched);
  if (compared.kind === 'other') {
    const restsOn = `${UNASKED}.recorded-value`;
    return fail({ ...compared.mismatch, diagnosis: wrong('other-resume-value'), restsOn }, evidence);
  }
  return endOf(eventsOf(replay)) === 'completed'
    ? pass(evidence)
    : undecided(`${named(replay)} did not complete as ${named(source)} did`, evidence);
}

/** What is left where the host did not take an answer: it need not take each, but has to have where answers go. */
function leftUntaken({ id, answered }: Recorded<AnswerObservation>, source: RecordedRun): Outcome {
  const path = 'POST /v1/runs/{runId}/interrupts/{nodeId}';
  const why = `${path} answered ${answered ?? 'nothing'} to the source's question`;
  return isMalformed(answered)
    ? undecided(`${why}: a host need not take every answer`, [source, id])
    : undecidedUntil(`take answers at ${path}`, why, [source, id]);
}

function answering(of: Answering) {
  const { name, title, candidates, gate } = of;
  const id = `${UNASKED}.${name}`;
  return defineScenario({
    id,
    suite: 'replay-determinism',
    title,
    ...(gate && { gate }),
    needs: [replays, { kind: 'one-of', candidates }],
    drive: (probe: Probe) => drive(probe, of),
    checks: [{ id, title, judge: (recorded: Recordings) => judge(recorded, of) }],
  });
}

/** An answer that is none to whoever looks whether there is one by its value. */
export const emptyAnswer = answering({
  name: 'empty-answer',
  title: 'An answer that is 0, false, null or empty is not asked for again',
  candidates: [
    { workflowId: OWN.workflowId, nodeId: OWN.nodeId },
    { workflowId: 'conformance-interrupt-external-event', nodeId: 'wait-for-external' },
  ],
  resumeValues: [0, false, '', [], {}, null],
  watched: { variables: ['approval', 'approvalCopy'], nodes: ['ask', 'after', 'wait-for-external'] },
});

/** A question of a supervisor's: its loop asks, not a node that is there to ask. */
export const supervisorsQuestion = answering({
  name: 'supervisor',
  title: 'What a supervisor asked to have clarified is not asked again',
  candidates: [
    {
      workflowId: 'conformance-determinism-handoff-clarify',
      children: ['conformance-determinism-handoff-teller'],
      nodeId: 'dispatch',
    },
  ],
  resumeValues: [{ approved: true }],
  watched: { variables: [], nodes: [] },
  gate: executionModel,
});
