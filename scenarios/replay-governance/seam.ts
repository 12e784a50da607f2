import type { Json, Observation } from '../../src/evidence/types.ts';
import type { Probe } from '../../src/host/probe.ts';
import type { Recorded } from '../../src/runner/scenario.ts';
import { ask } from '../shared/seams.ts';

/** What a test seam did, or why it did not. */
export interface SeamObservation extends Observation {
  readonly type: 'seam';
  readonly seam: string;
  readonly status: number | null;
  readonly problem: string | null;
  readonly answer: Json;
}

/** Asks a seam below the common root of test seams. */
export async function askSeam(probe: Probe, seam: string, body: object): Promise<SeamObservation> {
  const { exchange, status, problem, body: answer } = await ask(probe.host, seam, body);
  return { type: 'seam', seam, status, problem, answer: (answer ?? null) as Json, exchanges: [exchange] };
}

/** The last answer of a seam that was recorded. */
export function seamOf(
  observations: readonly Recorded<Observation>[],
  seam: string,
): Recorded<SeamObservation> | undefined {
  return observations.findLast(
    (each): each is Recorded<SeamObservation> =>
      each.type === 'seam' && (each as Recorded<SeamObservation>).seam === seam,
  );
}
