import type { Probe } from '../../src/host/probe.ts';
import { cancelPath } from '../../src/protocol/paths.ts';

/** What a run is to its scenario that had ended before it was to be cancelled, and is read after that. */
export const CANCELLED_AFTER_ITS_END = 'read after it was to be cancelled';

/** The row of the request that is to cancel a run that has ended. */
export const CANCEL_ENDED = 'cancel-ended';

/** POST /v1/runs/{runId}/cancel: also leaves no run behind that nobody would answer. */
export async function cancelRun(
  probe: Probe,
  runId: string | null,
): Promise<{ readonly status: number | null; readonly exchanges: readonly string[] }> {
  if (runId === null) return { status: null, exchanges: [] };
  const exchange = await probe.host.exchange({ method: 'POST', path: cancelPath(runId), body: '{}' });
  return { status: exchange.kind === 'response' ? exchange.status : null, exchanges: [exchange.id] };
}
