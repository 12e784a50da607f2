import type { Probe } from '../../src/host/probe.ts';
import { readBy, type ReadingObservation } from '../shared/reading.ts';
import type { RunObservation } from '../shared/run-observation.ts';

/** Every way of reading; a stream twice, as it may bring a live notification once. */
const READINGS = [
  ['json', 'start'],
  ['poll', 'start'],
  ['sse', 'start'],
  ['sse', 'again'],
] as const;

/** Reads the log of a run that has ended in all ways that the host offers, from its start. */
export async function readLog(probe: Probe, run: RunObservation): Promise<readonly ReadingObservation[]> {
  const { role, runId, problem } = run;
  if (runId === null || problem !== null) return [];
  const seen: ReadingObservation[] = [];
  for (const [transport, how] of READINGS) {
    const reading = await readBy(probe, transport, { run: role, runId, how });
    if (reading !== undefined) seen.push(reading);
  }
  return seen;
}

/** Reads the log of a run as it is before it is annotated, under another name. */
export async function readBefore(
  probe: Probe,
  { runId, problem }: RunObservation,
  name: string,
): Promise<readonly ReadingObservation[]> {
  const reading =
    runId === null || problem !== null ? undefined : await readBy(probe, 'json', { run: name, runId, how: 'start' });
  return reading === undefined ? [] : [reading];
}
