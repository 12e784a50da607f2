import { fail, isOutcome, type Outcome, pass, undecided } from '../../src/contract/outcome.ts';
import type { Json } from '../../src/evidence/types.ts';
import type { Probe } from '../../src/host/probe.ts';
import { answeredWith, post } from '../../src/host/exchanged.ts';
import { interruptPath } from '../../src/protocol/paths.ts';
import { endOf } from '../../src/protocol/run-status.ts';
import { isSuccess } from '../../src/protocol/status.ts';
import { defineScenario } from '../../src/runner/define-scenario.ts';
import { cancelRun } from '../shared/cancel.ts';
import { eventsOf, named } from '../shared/compare-runs.ts';
import { leftWithout, need, runOf } from '../shared/need.ts';
import { nodeOf } from '../shared/read-event.ts';
import type { Recordings } from '../shared/of-type.ts';
import { isAsking } from '../shared/open-question.ts';
import { ASKING, ASKS_AGAIN, hasEnded, replayAnswered } from '../shared/past-question.ts';
import { replays } from '../shared/replays.ts';
import { isObserved, readAgain, type RunObservation, startRun } from '../shared/run-observation.ts';
import { compareValues, type Watched } from '../shared/shown-values.ts';
import { wrong } from './diagnoses.ts';

const [, OWN] = ASKING;
const FULL = 'full replay';
const UNASKED = 'replay.interrupt-short-circuits';

/** A question, and what it is answered with. */
interface Answering {
  /** Stands behind the row's id. */
  readonly name: string;
  readonly title: string;
  readonly workflowId: string;
  /** The workflows that this one needs beside it. */
  readonly children: readonly string[];
  readonly nodeId: string;
  readonly resumeValue: Json;
  readonly watched: Watched;
}

async function drive(probe: Probe, { workflowId, nodeId, resumeValue }: Answering): Promise<readonly RunObservation[]> {
  const role = 'source';
  const asking = await startRun(probe, { workflowId, inputs: {} }, { role, until: isAsking });
  if (!isObserved(asking) || hasEnded(asking)) return [asking];
  const question = eventsOf(asking).find(isAsking);
  const node = (question && nodeOf(question)) ?? nodeId;
  const taken = await post(probe.host, interruptPath(asking.runId, node), { resumeValue });
  const source = isSuccess(answeredWith(taken)) ? await readAgain(probe, asking, { role }) : asking;
  if (!hasEnded(source)) {
    await cancelRun(probe, source.runId);
    return [source];
  }
  return [source, await replayAnswered(probe, source, FULL)];
}

/** replay.md, Determinism 2: whoever asked, and whatever was answered, it is not asked again. */
function judge(recorded: Recordings, { resumeValue, watched }: Answering): Outcome {
  const runs = need(recorded, 'source');
  if (isOutcome(runs)) return runs;
  const { source } = runs;
  const answer = JSON.stringify(resumeValue);
  const replay = runOf(recorded, FULL);
  if (replay === undefined || endOf(eventsOf(source)) !== 'completed') {
    return undecided(`${named(source)} did not go on with the answer ${answer}: a host need not take it`, [source]);
  }
  const evidence = [replay, source];
  if (replay.problem === ASKS_AGAIN) {
    const expected = `${named(replay)} goes on with the answer ${answer} that ${named(source)} was given`;
    const actual = 'it asked again, and waited until it was cancelled';
    return fail({ expected, actual, diagnosis: wrong('asked-again'), restsOn: UNASKED }, evidence);
  }
  const left = leftWithout([replay]);
  if (left !== undefined) return left;
  const compared = compareValues(source, replay, watched);
  if (compared.kind === 'other') {
    const restsOn = `${UNASKED}.recorded-value`;
    return fail({ ...compared.mismatch, diagnosis: wrong('other-resume-value'), restsOn }, evidence);
  }
  return endOf(eventsOf(replay)) === 'completed'
    ? pass(evidence)
    : undecided(`${named(replay)} did not complete as ${named(source)} did`, evidence);
}

function answering(of: Answering) {
  const { name, title, workflowId, children } = of;
  const id = `${UNASKED}.${name}`;
  return defineScenario({
    id,
    suite: 'replay-determinism',
    title,
    needs: [replays, ...[workflowId, ...children].map((each) => ({ kind: 'fixture', workflowId: each }) as const)],
    drive: (probe: Probe) => drive(probe, of),
    checks: [{ id, title, judge: (recorded: Recordings) => judge(recorded, of) }],
  });
}

/** An answer that is none to whoever looks whether there is one by its value. */
export const emptyAnswer = answering({
  name: 'empty-answer',
  title: 'An answer that is 0 is not asked for again',
  workflowId: OWN.workflowId,
  children: [],
  nodeId: OWN.nodeId,
  resumeValue: 0,
  watched: { variables: ['approval', 'approvalCopy'], nodes: ['ask', 'after'] },
});

/** A question of a supervisor's: its loop asks, not a node that is there to ask. */
export const supervisorsQuestion = answering({
  name: 'supervisor',
  title: 'What a supervisor asked to have clarified is not asked again',
  workflowId: 'conformance-determinism-handoff-clarify',
  children: ['conformance-determinism-handoff-teller'],
  nodeId: 'dispatch',
  resumeValue: { approved: true },
  watched: { variables: [], nodes: [] },
});
