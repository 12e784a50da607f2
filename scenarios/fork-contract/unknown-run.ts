import { undecided, type Outcome } from '../../src/contract/outcome.ts';
import type { Probe } from '../../src/host/probe.ts';
import { forkPath, runPath } from '../../src/protocol/paths.ts';
import type { Recordings } from '../shared/of-type.ts';
import { accepted, requestsOf, sendRequest, type RequestedObservation } from '../shared/requested.ts';
import { unknownLike } from '../shared/unknown-id.ts';
import { judgeRefusals } from './judge-refusals.ts';
import { UNKNOWN_READ } from './refusal-table.ts';

/** Forks a run that there should not be, with an id like a real one; where that works, the run is read as well. */
export async function forkUnknown(probe: Probe, real: string, body: string): Promise<readonly RequestedObservation[]> {
  const runId = unknownLike(real, 1);
  const name = 'a run that there is not';
  const requested = await sendRequest(probe.host, forkPath(runId), { row: 'unknown-run', name, body });
  if (!accepted(requested)) return [requested];
  const read = { row: UNKNOWN_READ, name, method: 'GET' } as const;
  return [requested, await sendRequest(probe.host, runPath(runId), read)];
}

export function judgeUnknown(recorded: Recordings, left?: Outcome): Outcome {
  const [read] = requestsOf(recorded, UNKNOWN_READ);
  if (read !== undefined && accepted(read)) return undecided('the made-up id is the id of a run', [read]);
  return judgeRefusals(recorded, { row: 'unknown-run', expected: '404' }, left);
}
