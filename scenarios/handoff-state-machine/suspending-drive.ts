import { member } from '../../src/contract/discovery.ts';
import type { Observation } from '../../src/evidence/types.ts';
import { repeatPaced } from '../../src/host/paced.ts';
import type { Probe } from '../../src/host/probe.ts';
import type { RunEvent } from '../../src/host/run-event.ts';
import { interruptPath, runPath } from '../../src/protocol/paths.ts';
import { kindOfStatus } from '../../src/protocol/run-status.ts';
import { isSuccess } from '../../src/protocol/status.ts';
import { eventsOf } from '../shared/compare-runs.ts';
import { nodeOf } from '../shared/node-of.ts';
import { readAgain, type RunObservation, startRun } from '../shared/run-observation.ts';
import { readChain } from './chain.ts';
import { cancelRun, withHiddenEvents } from './drive.ts';
import { ROLES, type AskedObservation } from './observation.ts';
import { isQuestion } from './transition.ts';

/** Starts a run whose supervisor asks somebody, looks at it while it waits, answers, and follows it to its end. */
export async function driveSuspending(probe: Probe, workflowId: string): Promise<readonly Observation[]> {
  const asking = await startRun(probe, { workflowId, inputs: {} }, { role: ROLES.suspended, until: isQuestion });
  const suspended = hasEnded(asking) ? await withHiddenEvents(probe, asking) : asking;
  const question = eventsOf(suspended).find(isQuestion);
  if (suspended.problem !== null || hasEnded(suspended) || question === undefined) return [suspended];
  const before = await statusOnceWaiting(probe, suspended);
  const asked = await answerIt(probe, suspended, { question, ...before });
  if (!isSuccess(asked.answered) && kindOfStatus((await statusNow(probe, suspended)).status) !== 'ended') {
    await cancelRun(probe, suspended.runId);
    return [suspended, asked];
  }
  const resumed = await readAgain(probe, suspended, { role: ROLES.resumed });
  return [suspended, asked, await withHiddenEvents(probe, resumed)];
}

function hasEnded(run: RunObservation): boolean {
  return readChain(run).end !== undefined;
}

/** Whether a status is that of a run that waits for somebody. Hosts may have statuses of their own. */
export function isWaiting(status: string | null): boolean {
  return status !== null && status !== 'pending' && status !== 'running' && kindOfStatus(status) !== 'ended';
}

/** A part of a run's wait for its end in which its status has to show that it waits. */
const PATIENCE = 0.1;

interface Status {
  readonly status: string | null;
  readonly exchanges: readonly string[];
}

async function statusOnceWaiting(probe: Probe, run: RunObservation): Promise<Status> {
  return repeatPaced(
    () => statusNow(probe, run),
    ({ status }) => status === null || isWaiting(status) || kindOfStatus(status) === 'ended',
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
