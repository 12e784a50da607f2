import { isBusy } from '../../protocol/run-status.ts';
import { runPath } from '../../protocol/paths.ts';
import { jsonIn } from '../exchanged.ts';
import type { HostHandle } from '../client.ts';
import { repeatPaced } from '../paced.ts';
import type { Probe, Standstill, Vain } from '../probe.ts';
import { isRecord } from '../run-event.ts';

export function createStandstill(): Standstill {
  let hasMoved = false;
  let first: string | undefined;
  const hasEnded = new Set<string>();
  const inVain = new Set<Vain>();
  return {
    moved: () => (hasMoved = true),
    stood: (runId) => (first ??= runId),
    standing: () => (hasMoved ? undefined : first),
    ended: ({ caller = '' }) => hasEnded.add(caller),
    waited: (vain) => inVain.add(vain),
    isVain: (vain, { caller = '' }) => inVain.has(vain) && (vain === 'empty' || !hasEnded.has(caller)),
  };
}

/** How long runs are given to show that they do move, in milliseconds. */
const LOOK_MS = 500;

/** The scenarios that have looked so long in vain: they look once for each run after that. */
const looked = new WeakSet<AbortSignal>();

/**
 * Looks by their snapshots whether a run, and the one that stood still before it, are both being worked on, or about to be: the status of the run
 * where they are, and what was asked for.
 */
export async function standsStill(
  { signal }: Pick<Probe, 'signal'>,
  handle: HostHandle,
  { runId, standing }: { readonly runId: string; readonly standing: string },
): Promise<{ readonly status: string | undefined; readonly exchanges: readonly string[] }> {
  const exchanges: string[] = [];
  const statusOf = async (id: string): Promise<unknown> => {
    const exchange = await handle.exchange({ method: 'GET', path: runPath(id) });
    exchanges.push(exchange.id);
    const snapshot = jsonIn(exchange, 200);
    return isRecord(snapshot) ? snapshot['status'] : undefined;
  };
  const status = await repeatPaced(
    async () => {
      const [own, before] = [await statusOf(runId), await statusOf(standing)];
      const isStill = isBusy(own) && (before === undefined || isBusy(before));
      return isStill && typeof own === 'string' ? own : undefined;
    },
    (busy) => busy === undefined,
    { patienceMs: looked.has(signal) ? 0 : LOOK_MS, signal },
  );
  if (status !== undefined) looked.add(signal);
  return { status, exchanges };
}
