import { member } from '../../src/contract/discovery.ts';
import type { Observation } from '../../src/evidence/types.ts';
import { repeatPaced } from '../../src/host/paced.ts';
import type { Probe } from '../../src/host/probe.ts';
import { type RunEvent, terminalStatus } from '../../src/host/run-event.ts';
import { interruptPath, runPath } from '../../src/protocol/paths.ts';
import { eventsOf } from '../shared/compare-runs.ts';
import { nodeOf } from '../shared/node-of.ts';
import { readAgain, type RunObservation, startRun } from '../shared/run-observation.ts';
import { cancelRun } from './cancel-run.ts';
import { withHiddenEvents } from './drive.ts';

/** The status of a run whose decision asks somebody, before and after it was answered. */
export interface AskedObservation extends Observation {
  readonly type: 'asked';
  /** The run's status while its question was open; null where it could not be read. */
  readonly status: string | null;
  /** The node that asks. */
  readonly nodeId: string;
  /** The status that the answer was answered with; null where there was none. */
  readonly answered: number | null;
}

export const [SUSPENDED, RESUMED] = ['run that asks', 'run after its answer'] as const;

/** A part of a run's wait for its end in which its status has to tell that it waits. */
const PATIENCE = 0.1;

const ENDED: ReadonlySet<string> = new Set(['completed', 'failed', 'cancelled']);

/** Starts a run whose supervisor asks somebody, looks at it while it waits, answers, and follows it to its end. */
export async function driveSuspending(probe: Probe, workflowId: string): Promise<readonly Observation[]> {
  const asking = await startRun(probe, { workflowId, inputs: {} }, { role: SUSPENDED, until: isQuestion });
  const suspended = hasEnded(asking) ? await withHiddenEvents(probe, asking) : asking;
  const question = eventsOf(suspended).find(isQuestion);
  if (suspended.problem !== null || hasEnded(suspended) || question === undefined) return [suspended];
  const before = await statusOnceWaiting(probe, suspended);
  const asked = await answerIt(probe, suspended, { question, ...before });
  if (!isAccepted(asked) && !hasStopped(await statusNow(probe, suspended))) {
    await cancelRun(probe, suspended.runId);
    return [suspended, asked];
  }
  const resumed = await readAgain(probe, suspended, { role: RESUMED });
  return [suspended, asked, await withHiddenEvents(probe, resumed)];
}

function isQuestion({ type }: RunEvent): boolean {
  return type === 'interrupt.requested';
}

/** Whether a run's log shows its end. */
export function hasEnded(run: Pick<RunObservation, 'events'>): boolean {
  return eventsOf(run).some(({ type }) => terminalStatus(type) !== undefined);
}

/** Whether the answer to a question was taken. */
export function isAccepted({ answered }: Pick<AskedObservation, 'answered'>): boolean {
  return answered !== null && answered >= 200 && answered <= 299;
}

/** Whether a status is that of a run that waits for somebody. Hosts may have statuses of their own. */
export function isWaiting(status: string | null): boolean {
  return status !== null && status !== 'pending' && status !== 'running' && !ENDED.has(status);
}

/** Whether a status is that of a run that has ended. */
export function hasStopped({ status }: Pick<AskedObservation, 'status'>): boolean {
  return status !== null && ENDED.has(status);
}

interface Status {
  readonly status: string | null;
  readonly exchanges: readonly string[];
}

async function statusOnceWaiting(probe: Probe, run: RunObservation): Promise<Status> {
  return repeatPaced(
    () => statusNow(probe, run),
    ({ status }) => status === null || isWaiting(status) || ENDED.has(status),
    { patienceMs: probe.timeoutMs * PATIENCE, signal: probe.signal },
  );
}

async function statusNow(probe: Probe, { runId }: RunObservation): Promise<Status> {
  const exchange = await probe.host.exchange({ method: 'GET', path: runPath(runId ?? '') });
  const status = exchange.kind === 'response' && exchange.json.ok ? member(exchange.json.value, 'status') : undefined;
  return { status: typeof status === 'string' ? status : null, exchanges: [exchange.id] };
}

async function answerIt(
  probe: Probe,
  { runId }: RunObservation,
  { question, status, exchanges }: Status & { readonly question: RunEvent },
): Promise<AskedObservation> {
  const nodeId = nodeOf(question) ?? 'dispatch';
  const body = JSON.stringify({ resumeValue: { approved: true } });
  const exchange = await probe.host.exchange({ method: 'POST', path: interruptPath(runId ?? '', nodeId), body });
  const answered = exchange.kind === 'response' ? exchange.status : null;
  return { type: 'asked', status, nodeId, answered, exchanges: [...exchanges, exchange.id] };
}
