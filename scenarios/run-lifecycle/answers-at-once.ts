import type { Observation } from '../../src/evidence/types.ts';
import { answeredWith, post } from '../../src/host/exchanged.ts';
import type { Probe } from '../../src/host/probe.ts';
import { interruptPath } from '../../src/protocol/paths.ts';
import { isSuccess } from '../../src/protocol/status.ts';
import { startAsking } from '../shared/answering.ts';
import { cancelRun } from '../shared/cancel.ts';
import { eventsOf } from '../shared/compare-runs.ts';
import { isAsking } from '../shared/open-question.ts';
import { type Asking, hasEnded } from '../shared/past-question.ts';
import { nodeOf } from '../shared/read-event.ts';
import { accepted, sendRequest } from '../shared/requested.ts';
import { isObserved, readAgain, type RunObservation } from '../shared/run-observation.ts';
import { AGAIN_ROW } from './sent.ts';

/** A question that waits for its answer: its run, its node, and what answers it. */
interface Question {
  readonly run: RunObservation & { readonly runId: string };
  readonly nodeId: string;
  readonly candidate: Asking;
}

/** Starts a run that asks; no question where it was not seen, has ended or shows none. */
export async function startQuestion(
  probe: Probe,
  role: string,
): Promise<{ readonly run: RunObservation; readonly question: Question | undefined }> {
  const { candidate, run } = await startAsking(probe, role);
  const asking = eventsOf(run).find(isAsking);
  if (!isObserved(run) || hasEnded(run) || asking === undefined) return { run, question: undefined };
  return { run, question: { run, candidate, nodeId: nodeOf(asking) ?? candidate.nodeId } };
}

/** A run that gets two answers to its question at once: where one of them is taken, the other one comes too late (wire, Endpoints). */
export async function answerTwice(probe: Probe): Promise<readonly Observation[]> {
  const role = 'run that is answered twice at once';
  const { question } = await startQuestion(probe, role);
  if (question === undefined) return [];
  const { run, nodeId, candidate } = question;
  const answers = await Promise.all(
    [candidate.goesOn, candidate.opposite].map((resumeValue, index) =>
      sendRequest(probe.host, interruptPath(run.runId, nodeId), {
        row: AGAIN_ROW,
        name: `the ${index === 0 ? 'first' : 'second'} of two answers to a question at once`,
        body: JSON.stringify({ resumeValue }),
      }),
    ),
  );
  const taken = answers.find(accepted);
  if (taken === undefined) {
    await cancelRun(probe, run.runId);
    return [run];
  }
  return [await readAgain(probe, run, { role }), ...answers.filter((each) => each !== taken)];
}

/** A run that is answered and cancelled at once: it comes to one end, and its snapshot says which. */
export async function answerAndCancel(probe: Probe): Promise<readonly Observation[]> {
  const role = 'run that is answered and cancelled at once';
  const { question } = await startQuestion(probe, role);
  if (question === undefined) return [];
  const { run, nodeId, candidate } = question;
  const [answer, { status }] = await Promise.all([
    post(probe.host, interruptPath(run.runId, nodeId), { resumeValue: candidate.goesOn }),
    cancelRun(probe, run.runId),
  ]);
  const isTaken = [answeredWith(answer), status].some((each) => isSuccess(each));
  return [isTaken ? await readAgain(probe, run, { role }) : run];
}
