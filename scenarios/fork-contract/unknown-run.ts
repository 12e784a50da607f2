import { undecided, type Outcome } from '../../src/contract/outcome.ts';
import type { Probe } from '../../src/host/probe.ts';
import { forkPath, runPath } from '../../src/protocol/paths.ts';
import type { Recordings } from '../shared/of-type.ts';
import { accepted, requestsOf, sendRequest, statusOf, type RequestedObservation } from '../shared/requested.ts';
import { unknownLike } from '../shared/unknown-id.ts';
import { judgeRefusals } from './judge-refusals.ts';
import { ODD_IDS, UNKNOWN_READ } from './refusal-table.ts';

const NOT_FOUND = 404;

/** Forks runs that there should not be: one with an id like a real one, and some with ids that are none of this host. */
export async function forkUnknown(probe: Probe, real: string, body: string): Promise<readonly RequestedObservation[]> {
  const row = 'unknown-run';
  const [like, ...odd] = await Promise.all([
    forkLike(probe, { runId: unknownLike(real, 1), row, body }),
    ...ODD_IDS.map((id) => sendRequest(probe.host, forkPath(id), { row, name: id, body })),
  ]);
  return [...like, ...odd];
}

/** Where such a fork works, the run is read as well. */
async function forkLike(
  { host }: Probe,
  { runId, row, body }: Readonly<Record<'runId' | 'row' | 'body', string>>,
): Promise<readonly RequestedObservation[]> {
  const name = 'a run that there is not';
  const requested = await sendRequest(host, forkPath(runId), { row, name, body });
  if (!accepted(requested)) return [requested];
  return [requested, await sendRequest(host, runPath(runId), { row: UNKNOWN_READ, name, method: 'GET' })];
}

export function judgeUnknown(recorded: Recordings, left?: Outcome): Outcome {
  const [read] = requestsOf(recorded, UNKNOWN_READ);
  if (read !== undefined && accepted(read)) return undecided('the made-up id is the id of a run', [read]);
  const row = { row: 'unknown-run', expected: '404, or a 4xx for what is no id of this host' };
  const outcome = judgeRefusals(recorded, row, left);
  const otherwise = requestsOf(recorded, row.row).filter((each) => statusOf(each) !== NOT_FOUND);
  if (outcome.kind !== 'pass' || otherwise.length === 0) return outcome;
  const answers = otherwise.map((each) => `${each.name}: ${statusOf(each)}`).join(', ');
  return { ...outcome, reason: `advisory: not answered with 404, as a run that there is not (${answers})` };
}
