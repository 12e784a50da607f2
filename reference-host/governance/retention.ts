import type { RunService } from '../engine/run-service.ts';
import type { RunRecord } from '../store/runs.ts';
import { expireEvents, type Governed } from './expire.ts';

/**
 * The runs of a host whose events expire by the clock, this many seconds after they were written (replay.md, Retention):
 * whoever looks for a run finds only what is left of it. A run's last event stays, and nothing expires that may still be
 * needed.
 */
export function expiringRuns(governed: Governed, seconds: number): RunService {
  return {
    ...governed.runs,
    find(tenant, runId) {
      const run = governed.runs.find(tenant, runId);
      if (run !== undefined) expireOld(governed, run, governed.store.now() - seconds * 1000);
      return run;
    },
  };
}

function expireOld(governed: Governed, run: RunRecord, before: number): void {
  const { events } = governed.store;
  const isOld = ({ timestamp }: { readonly timestamp: string }): boolean => Date.parse(timestamp) < before;
  if (!events.hasEnded(run.runId) || !events.read(run.runId, undefined, 1).some(isOld)) return;
  const left = events.read(run.runId).find((event) => !isOld(event)) ?? events.last(run.runId);
  // What is refused here is still in use: it expires when it is looked for later.
  expireEvents(governed, run, left?.sequence);
}
