import { member } from '../../src/contract/discovery.ts';
import type { Json } from '../../src/evidence/types.ts';
import type { HostHandle } from '../../src/host/client.ts';
import { pause } from '../../src/host/pause.ts';
import type { Probe } from '../../src/host/probe.ts';
import { runPath } from '../../src/protocol/paths.ts';
import { jsonIn } from './exchanged.ts';

/** Pauses before a snapshot that is behind its log is read once more, in milliseconds. */
const PAUSES = [50, 100, 200, 400, 800];

/** The scenarios on whose host a snapshot did not come after its log: waiting once is enough. */
const behind = new WeakSet<AbortSignal>();

/**
 * Reads GET /v1/runs/{runId}; null where there is no JSON to read. A host may build its snapshots from its log a little
 * later, so one that does not show how the run `ended` is read again for a while.
 */
export async function readSnapshot(
  { signal }: Pick<Probe, 'signal'>,
  handle: HostHandle,
  { runId, ended }: { readonly runId: string; readonly ended: string | undefined },
): Promise<{ readonly snapshot: Json; readonly exchanges: readonly string[] }> {
  const exchanges: string[] = [];
  const read = async (): Promise<Json> => {
    const exchange = await handle.exchange({ method: 'GET', path: runPath(runId) });
    exchanges.push(exchange.id);
    return (jsonIn(exchange, 200) ?? null) as Json;
  };
  let snapshot = await read();
  for (const ms of PAUSES) {
    const isBehind = ended !== undefined && snapshot !== null && member(snapshot, 'status') !== ended;
    if (!isBehind || behind.has(signal) || signal.aborted) return { snapshot, exchanges };
    await pause(ms, signal);
    snapshot = await read();
  }
  if (member(snapshot, 'status') !== ended) behind.add(signal);
  return { snapshot, exchanges };
}
