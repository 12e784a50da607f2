import { isBusy } from '../../protocol/run-status.ts';
import { runPath } from '../../protocol/paths.ts';
import { jsonIn } from '../exchanged.ts';
import type { HostHandle } from '../client.ts';
import { repeatPaced } from '../paced.ts';
import type { Probe, Standstill } from '../probe.ts';
import { isRecord } from '../run-event.ts';

export function createStandstill(): Standstill {
  let [hasMoved, hasStood] = [false, false];
  return {
    moved: () => (hasMoved = true),
    stood: () => (hasStood = true),
    isThere: () => hasStood && !hasMoved,
  };
}

/** How long a run is given to show that runs do move, in milliseconds. */
const LOOK_MS = 500;

/** Looks whether a run, too, is being worked on, or about to be, by its snapshot; what was asked for it. */
export async function standsStill(
  { signal }: Pick<Probe, 'signal'>,
  handle: HostHandle,
  runId: string,
): Promise<{ readonly status: string | undefined; readonly exchanges: readonly string[] }> {
  const exchanges: string[] = [];
  const status = await repeatPaced(
    async () => {
      const exchange = await handle.exchange({ method: 'GET', path: runPath(runId) });
      exchanges.push(exchange.id);
      const snapshot = jsonIn(exchange, 200);
      const shown = isRecord(snapshot) ? snapshot['status'] : undefined;
      return typeof shown === 'string' && isBusy(shown) ? shown : undefined;
    },
    (busy) => busy === undefined,
    { patienceMs: LOOK_MS, signal },
  );
  return { status, exchanges };
}
