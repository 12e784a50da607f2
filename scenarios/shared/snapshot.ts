import { member } from '../../src/contract/discovery.ts';
import type { Json } from '../../src/evidence/types.ts';
import type { HostHandle } from '../../src/host/client.ts';
import { jsonIn } from '../../src/host/exchanged.ts';
import { LATE_MS, untilCaughtUp } from '../../src/host/late.ts';
import { repeatPaced } from '../../src/host/paced.ts';
import type { Probe } from '../../src/host/probe.ts';
import { runPath } from '../../src/protocol/paths.ts';

/** A run as GET /v1/runs/{runId} showed it: null where there is no JSON to read. */
export interface Snapshot {
  readonly snapshot: Json;
  readonly exchanges: readonly string[];
  /** Whether the answer was 200 without a body. */
  readonly isEmpty?: boolean;
}

/**
 * Reads a run's snapshot. A host may build its snapshots from its log a little later, so one that does not show how the run
 * `ended` is read again for a while.
 */
export async function readSnapshot(
  probe: Pick<Probe, 'signal' | 'standstill'>,
  handle: HostHandle,
  { runId, ended }: { readonly runId: string; readonly ended: string | undefined },
): Promise<Snapshot> {
  const exchanges: string[] = [];
  let isEmpty = false;
  const read = async (): Promise<Json> => {
    const exchange = await handle.exchange({ method: 'GET', path: runPath(runId) });
    exchanges.push(exchange.id);
    isEmpty = exchange.kind === 'response' && exchange.status === 200 && exchange.text === '';
    return (jsonIn(exchange, 200) ?? null) as Json;
  };
  const isBehind = (shown: Json): boolean => ended !== undefined && shown !== null && statusIn(shown) !== ended;
  const snapshot = await untilCaughtUp(probe, 'snapshot', { read, isBehind });
  return { snapshot, exchanges, isEmpty };
}

/** The status that a snapshot shows. */
export function statusIn(snapshot: unknown): string | undefined {
  const status = member(snapshot, 'status');
  return typeof status === 'string' ? status : undefined;
}

/** What a run's status is waited for, and how long. */
interface Awaiting {
  readonly runId: string | null;
  readonly isEnough: (status: string | undefined) => boolean;
  readonly patienceMs: number;
}

/**
 * Reads a run's snapshot until its status is what is waited for, or for so long; gives the last one. One that shows no status
 * is not waited for longer than a snapshot may be behind.
 */
export async function awaitStatus(
  { host, signal }: Pick<Probe, 'host' | 'signal'>,
  { runId, isEnough, patienceMs }: Awaiting,
): Promise<Snapshot & { readonly status: string | undefined }> {
  const late = Date.now() + LATE_MS;
  const read = await repeatPaced(
    () => readSnapshot({ signal }, host, { runId: runId ?? '', ended: undefined }),
    ({ snapshot }) => isEnough(statusIn(snapshot)) || (statusIn(snapshot) === undefined && Date.now() >= late),
    { patienceMs, signal },
  );
  return { ...read, status: statusIn(read.snapshot) };
}

/** Whether a body shows a run (wire-contract, Documents), and none of its events. */
export function showsRunAlone(body: unknown): boolean {
  const isTold = ['workflowId', 'status'].every((name) => typeof member(body, name) === 'string');
  return isTold && member(body, 'events') === undefined;
}
