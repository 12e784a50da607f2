import type { Probe } from '../../src/host/probe.ts';
import { cancelPath } from '../../src/protocol/paths.ts';
import type { RunObservation } from '../shared/run-observation.ts';

/** POST /v1/runs/{runId}/cancel: also leaves no run behind that nobody would answer. */
export async function cancelRun(
  probe: Probe,
  runId: RunObservation['runId'],
): Promise<{ readonly status: number | null; readonly exchanges: readonly string[] }> {
  if (runId === null) return { status: null, exchanges: [] };
  const path = cancelPath(runId);
  const exchange = await probe.host.exchange({ method: 'POST', path, body: '{}' });
  return { status: exchange.kind === 'response' ? exchange.status : null, exchanges: [exchange.id] };
}
