import type { Json, Observation } from '../../src/evidence/types.ts';
import { readDebugStream } from '../../src/host/log/debug.ts';
import type { Probe } from '../../src/host/probe.ts';
import type { Recorded } from '../../src/runner/scenario.ts';
import { eventsOf } from '../shared/compare-runs.ts';
import type { RunObservation } from '../shared/run-observation.ts';
import { ofType } from '../shared/of-type.ts';

export const DIVERGED = 'replay.diverged';

/** What the stream mode `debug` showed of a run that has ended. */
export interface DebugObservation extends Observation {
  readonly type: 'debug-stream';
  /** The run's role. */
  readonly role: string;
  /** The status of the last answer; null where there was none. */
  readonly answered: number | null;
  readonly types: readonly string[];
  readonly events: readonly Json[];
  /** Whether the run's end was among the events. */
  readonly complete: boolean;
}

/** Reads a run in the stream mode `debug`; nothing where it was not seen to its end. */
export async function debugOf(
  probe: Probe,
  { role, runId, problem }: RunObservation,
): Promise<readonly DebugObservation[]> {
  if (runId === null || problem !== null) return [];
  const { events, ...reading } = await readDebugStream(probe.host, runId);
  return [{ type: 'debug-stream', role, ...reading, events: events.map(({ raw }) => raw as Json) }];
}

/** The same, where the log reports no divergence: hosts may do so in this mode only. */
export async function debugOfSilent(probe: Probe, run: RunObservation): Promise<readonly DebugObservation[]> {
  return eventsOf(run).some(({ type }) => type === DIVERGED) ? [] : debugOf(probe, run);
}

/** What was read of the run with a role. */
export function debugReadings(
  recorded: readonly Recorded<Observation>[],
  role: string,
): readonly Recorded<DebugObservation>[] {
  return ofType<DebugObservation>(recorded, 'debug-stream').filter((each) => each.role === role);
}
