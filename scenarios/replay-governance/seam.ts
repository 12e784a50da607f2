import type { Json, Observation } from '../../src/evidence/types.ts';
import type { Probe } from '../../src/host/probe.ts';
import { seamPath } from '../../src/protocol/paths.ts';
import type { Need, Recorded } from '../../src/runner/scenario.ts';
import { ofType, type Recordings } from '../shared/of-type.ts';
import { ask } from '../shared/seams.ts';

/** What a test seam did, or why it did not. */
export interface SeamObservation extends Observation {
  readonly type: 'seam';
  readonly seam: string;
  readonly status: number | null;
  readonly problem: string | null;
  readonly answer: Json;
}

/** A test seam that is itself the gate of its rows (requirements, Gate). An empty object is refused by one that is there. */
export function gatingSeam(seam: string): Need {
  return { kind: 'seam', path: seamPath(seam), body: '{}', absent: 'not-applicable' };
}

/** Sends a request to a seam below the common root of test seams. */
export async function askSeam(probe: Probe, seam: string, body: object): Promise<SeamObservation> {
  const { exchange, status, problem, body: answer } = await ask(probe.host, seam, body);
  return { type: 'seam', seam, status, problem, answer: (answer ?? null) as Json, exchanges: [exchange] };
}

/** The last answer of a seam that was recorded. */
export function seamOf(recorded: Recordings, seam: string): Recorded<SeamObservation> | undefined {
  return ofType<SeamObservation>(recorded, 'seam').findLast((each) => each.seam === seam);
}
