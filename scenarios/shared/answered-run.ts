import { randomUUID } from 'node:crypto';
import { copyPacked } from '../../src/evidence/pack.ts';
import type { Json } from '../../src/evidence/types.ts';
import { answeredWith, answerText, post } from '../../src/host/exchanged.ts';
import { pauseAfter } from '../../src/host/paced.ts';
import type { Probe } from '../../src/host/probe.ts';
import { isRecord, readRunEvent, type RunEvent } from '../../src/host/run-event.ts';
import { shareOf } from '../../src/host/share.ts';
import type { RunRequest } from '../../src/host/runs.ts';
import { cancelPath, interruptPath } from '../../src/protocol/paths.ts';
import { isParked } from '../../src/protocol/run-status.ts';
import { isMalformed, isSuccess } from '../../src/protocol/status.ts';
import { member } from '../../src/contract/discovery.ts';
import { eventsOf } from './compare-runs.ts';
import { answersTo, openQuestion, questionFinder, type Question } from './open-question.ts';
import { hasEnded } from './past-question.ts';
import { readOver } from './reading.ts';
import { createOnly, readAgain, thatWorked, type RunObservation } from './run-observation.ts';
import { readSnapshot, statusIn } from './snapshot.ts';

/** What resumes a node. */
export interface NodeAnswer {
  readonly nodeId: string;
  readonly resumeValue: Json;
}

/** How a run is brought to its end. */
export interface Bringing {
  readonly role: string;
  /** How long it may take in all, in milliseconds; one that has not ended then is cancelled. */
  readonly ms: number;
  /** What resumes it; found out from what it says where absent. */
  readonly answer?: NodeAnswer | undefined;
  /** Each answer that is an object gets a `mark` that no other one has, where the host takes it. */
  readonly marked?: boolean;
  /** It is cancelled as soon as a node of it has begun. */
  readonly cancel?: boolean;
}

/** Answers to one run at most. */
const MOST_ANSWERS = 8;

/**
 * Starts a run and brings it to its end: answers where it waits for somebody (readings: waiting), and cancels it where it
 * does not end in time, so that it costs nobody anything; `problem` says so.
 */
export async function startAnswered(probe: Probe, request: RunRequest, how: Bringing): Promise<RunObservation> {
  const share = shareOf(probe, how.ms);
  try {
    const made = await createOnly(share.probe, request, how.role);
    if (made.runId === null) return made;
    const driving: Driving = { probe: share.probe, made, runId: made.runId, how, answered: new Map(), exchanges: [] };
    const run = await (how.cancel === true ? followCancelled(driving) : followAnswered(driving));
    const ended = hasEnded(run) || probe.signal.aborted ? run : await giveUp(probe, driving, run);
    return thatWorked(copyPacked(ended, { exchanges: [...made.exchanges, ...driving.exchanges, ...run.exchanges] }));
  } finally {
    share.end();
  }
}

interface Driving {
  readonly probe: Probe;
  /** The run as it was made. */
  readonly made: RunObservation;
  readonly runId: string;
  readonly how: Bringing;
  /** How often each node was answered. */
  readonly answered: Map<string, number>;
  readonly exchanges: string[];
}

async function followAnswered(driving: Driving): Promise<RunObservation> {
  let refused: string | undefined;
  for (let answers = 0, inVain = 0; ; answers += 1) {
    const { run, question } = await followToQuestion(driving);
    if (question === undefined) return refused === undefined || hasEnded(run) ? run : withProblem(run, refused);
    if (answers === MOST_ANSWERS) return withProblem(run, `it waits again after ${answers} answers`);
    // A node may be suspended for something else, once: it goes on by itself.
    if (refused !== undefined && inVain === 2) return withProblem(run, refused);
    refused = await answerQuestion(driving, question);
    inVain = refused === undefined ? 0 : inVain + 1;
  }
}

function withProblem(run: RunObservation, problem: string): RunObservation {
  return copyPacked(run, { problem });
}

interface Followed {
  readonly run: RunObservation;
  /** What it waits for; undefined where it has ended, or its time is over. */
  readonly question: Question | undefined;
}

/** Follows a run to its end or its next question, which its log or only its status may show. */
async function followToQuestion({ probe, made, runId, how, answered }: Driving): Promise<Followed> {
  const part = shareOf(probe, how.ms);
  const until = questionFinder(answered);
  const [run, isParkedNow] = await Promise.all([
    readAgain(part.probe, made, { role: how.role, until }).finally(part.end),
    watchParked(part.probe, runId, part.end),
  ]);
  if (hasEnded(run) || probe.signal.aborted) return { run, question: undefined };
  const question = openQuestion(eventsOf(run), answered);
  if (question !== undefined || !isParkedNow) return { run, question };
  const events = await eventsSoFar(probe, runId, how.role);
  if (events.some((event) => hasEnded({ ...run, events: [event.raw as Json] }))) return { run, question: undefined };
  const { snapshot } = await readSnapshot(probe, probe.host, { runId, ended: undefined });
  const nodeId = member(snapshot, 'currentNodeId');
  const last = { nodeId: typeof nodeId === 'string' ? nodeId : undefined, payload: null };
  return { run, question: openQuestion(events, answered) ?? last };
}

/** The events of a run that goes on, as its log shows them now. */
async function eventsSoFar(probe: Probe, runId: string, run: string): Promise<readonly RunEvent[]> {
  const read = await readOver(probe, ['json', 'poll'], { run, runId, how: 'waiting' });
  return (read?.events ?? []).map(({ data }) => readRunEvent(data)).filter((event) => event !== undefined);
}

/** Looks at a run's status now and then, and ends the share when it says that the run waits for somebody. */
async function watchParked(probe: Probe, runId: string, end: () => void): Promise<boolean> {
  // A run that has just begun tells of its questions itself.
  for (let turn = FIRST_LOOK; ; turn += 1) {
    await pauseAfter(turn, probe.signal);
    if (probe.signal.aborted) return false;
    const { snapshot } = await readSnapshot(probe, probe.host, { runId, ended: undefined });
    if (isParked(statusIn(snapshot)) && !probe.signal.aborted) {
      end();
      return true;
    }
  }
}

const FIRST_LOOK = 4;

/** Answers a question; why that did not work where it did not. A question that cannot be answered counts as answered. */
async function answerQuestion(
  { probe, runId, how, answered, exchanges }: Driving,
  question: Question,
): Promise<string | undefined> {
  const nodeId = question.nodeId ?? how.answer?.nodeId;
  if (nodeId === undefined) return 'it waits, and nothing says which node is to be answered';
  const known = how.answer?.nodeId === nodeId ? [how.answer.resumeValue] : [];
  answered.set(question.nodeId ?? '', (answered.get(question.nodeId ?? '') ?? 0) + 1);
  const path = interruptPath(runId, nodeId);
  let refused: string | undefined;
  // A host may take no members but its own.
  const values = [...known, ...answersTo(question)].flatMap((value) =>
    how.marked === true && isRecord(value) ? [{ ...value, mark: randomUUID() }, value] : [value],
  );
  for (const resumeValue of values) {
    const exchange = await post(probe.host, path, { resumeValue });
    exchanges.push(exchange.id);
    const status = answeredWith(exchange);
    if (isSuccess(status)) return undefined;
    refused = `it waits, and POST ${path} answered ${answerText(exchange)}`;
    if (!isMalformed(status)) break;
  }
  return refused;
}

function beginsNode({ type }: RunEvent): boolean {
  return type === 'node.started';
}

/** A run that is cancelled as soon as one of its nodes has begun. */
async function followCancelled({ probe, made, runId, how, exchanges }: Driving): Promise<RunObservation> {
  const begun = await readAgain(probe, made, { role: how.role, until: beginsNode });
  if (hasEnded(begun) || begun.problem !== null) return begun;
  const exchange = await post(probe.host, cancelPath(runId), {});
  exchanges.push(exchange.id);
  if (!isSuccess(answeredWith(exchange))) {
    return withProblem(begun, `POST ${cancelPath(runId)} answered ${answerText(exchange)}`);
  }
  return readAgain(probe, made, { role: how.role });
}

/** Leaves a run that has not ended, and cancels it. */
async function giveUp(probe: Probe, { runId, exchanges }: Driving, run: RunObservation): Promise<RunObservation> {
  const share = shareOf(probe, CANCELLING_MS);
  const exchange = await post(share.probe.host, cancelPath(runId), {});
  share.end();
  exchanges.push(exchange.id);
  const why = run.problem === null || run.problem === '' ? 'the run has not ended' : run.problem;
  return withProblem(run, isSuccess(answeredWith(exchange)) ? `${why}: it was cancelled` : why);
}

/** How long a host may take to answer that a run is cancelled, in milliseconds: nothing waits for it. */
const CANCELLING_MS = 2000;
