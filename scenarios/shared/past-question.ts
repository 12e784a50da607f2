import type { Probe } from '../../src/host/probe.ts';
import { readNow } from '../../src/host/log/now.ts';
import { repeatPaced } from '../../src/host/paced.ts';
import { endOf, endsRun, isEnded, isOwnWord, isParked } from '../../src/protocol/run-status.ts';
import type { Candidate } from '../../src/runner/scenario.ts';
import { cancelRun } from './cancel.ts';
import { eventsOf } from './compare-runs.ts';
import { isAsking } from './open-question.ts';
import { type ForkBody, readAgain, startFork, type RunObservation } from './run-observation.ts';
import { awaitStatus } from './snapshot.ts';

/** A workflow that asks once, its asking node, and what lets it go on. */
export interface Asking extends Candidate {
  readonly nodeId: string;
  readonly goesOn: object;
  /** The opposite answer. */
  readonly opposite: object;
}

/** The public workflow that asks, then ours. */
export const ASKING: readonly [Asking, Asking] = [
  {
    workflowId: 'conformance-approval',
    nodeId: 'gate',
    goesOn: { action: 'accept' },
    opposite: { action: 'reject' },
  },
  {
    workflowId: 'conformance-determinism-interrupt',
    nodeId: 'ask',
    goesOn: { approved: true },
    opposite: { approved: false },
  },
];

/** Whether a run's log shows its end. */
export function hasEnded(run: RunObservation): boolean {
  return endOf(eventsOf(run)) !== undefined;
}

/** A part of a time-out after which a branch that shows a question is taken to wait where its snapshot does not say so. */
const BRANCH_PATIENCE = 0.1;

/** A replay of a run that asked; `waits` where it shows the question and does not go on by itself. */
export interface PastQuestion {
  readonly replay: RunObservation;
  readonly waits: boolean;
  /** The status that its snapshot showed last, where it waits. */
  readonly status?: string | undefined;
}

/**
 * Replays a run that asked. A replay shows the recorded question until it comes to the recorded answer: it waits for another
 * one where it has not gone on within a whole time-out, which a busy host may take.
 */
export async function replayPastQuestion(
  probe: Probe,
  source: RunObservation,
  { role, fromSeq }: { readonly role: string; readonly fromSeq: number | undefined },
): Promise<PastQuestion> {
  const body: ForkBody = { mode: 'replay', ...(fromSeq === undefined ? {} : { fromSeq }) };
  return forkPastQuestion(probe, source, body, { role, patience: 1 });
}

/** Branches from before the question of a run that asked, and leaves the branch where it asks and says that it waits. */
export async function branchPastQuestion(
  probe: Probe,
  source: RunObservation,
  { role, fromSeq }: { readonly role: string; readonly fromSeq: number },
): Promise<PastQuestion> {
  return forkPastQuestion(probe, source, { mode: 'branch', fromSeq }, { role, patience: BRANCH_PATIENCE });
}

async function forkPastQuestion(
  probe: Probe,
  source: RunObservation,
  body: ForkBody,
  { role, patience }: { readonly role: string; readonly patience: number },
): Promise<PastQuestion> {
  const replay = await startFork(probe, source, body, { role, until: isAsking });
  if (replay.problem !== null || hasEnded(replay)) return { replay, waits: false };
  const patienceMs = probe.timeoutMs * patience;
  // A branch that says that it waits goes on by nothing that is recorded.
  const saysItWaits = (each: string | undefined): boolean => body.mode === 'branch' && isParked(each);
  const { status } = await awaitStatus(probe, {
    runId: replay.runId,
    isEnough: (each) => each === undefined || mayHaveEnded(each) || saysItWaits(each),
    patienceMs,
  });
  const isUntold = status === undefined || isOwnWord(status);
  const goesOn = isUntold ? (await endInLog(probe, replay.runId, patienceMs)) !== undefined : isEnded(status);
  return goesOn ? { replay: await readAgain(probe, replay, { role }), waits: false } : { replay, waits: true, status };
}

/** Whether a status is an end, or a word of the host's own, which may be one: the log says whether it is. */
export function mayHaveEnded(status: string | undefined): boolean {
  return isEnded(status) || isOwnWord(status);
}

/**
 * The end that a run comes to within so long, by its log alone: its snapshot cannot be read, or shows no status, or one in a word of the
 * host's own. Undefined where it comes to none.
 */
export async function endInLog(
  { host, signal }: Pick<Probe, 'host' | 'signal'>,
  runId: string | null,
  patienceMs: number,
): Promise<string | undefined> {
  const { events } = await repeatPaced(
    () => readNow(host, runId ?? '', endsRun),
    (now) => now.events?.some(endsRun) !== false,
    { patienceMs, signal },
  );
  return endOf(events ?? []);
}

/** A full replay of a run that was answered; one that waits to be answered again is cancelled, and its problem says so. */
export async function replayAnswered(probe: Probe, source: RunObservation, role: string): Promise<RunObservation> {
  const { replay, waits, status } = await replayPastQuestion(probe, source, { role, fromSeq: undefined });
  if (!waits) return replay;
  const { exchanges } = await cancelRun(probe, replay.runId);
  const problem = isParked(status) ? ASKS_AGAIN : 'it has not ended';
  return { ...replay, problem, exchanges: [...replay.exchanges, ...exchanges] };
}

/** How the role begins of a replay of a swept run that somebody answered, and what is recorded of one that asks again. */
export const [PAST_ANSWERS, ASKS_AGAIN] = ['replay past the answers of ', 'it waits to be answered again'];
