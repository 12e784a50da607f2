import { fail, type Outcome } from '../../src/contract/outcome.ts';
import type { Probe } from '../../src/host/probe.ts';
import { runPath } from '../../src/protocol/paths.ts';
import { endsRun } from '../../src/protocol/run-status.ts';
import { isUnknownRun } from '../../src/protocol/status.ts';
import { bounds, eventsOf, named } from '../shared/compare-runs.ts';
import type { RecordedRun } from '../shared/need.ts';
import type { Recordings } from '../shared/of-type.ts';
import { childrenNamedIn } from '../shared/read-event.ts';
import { type RequestedObservation, requestsOf, sendRequest, shownAnswer, statusOf } from '../shared/requested.ts';
import { isObserved, offersMode, readAgain, type RunObservation, startFork } from '../shared/run-observation.ts';
import { sharedCause } from '../shared/diagnoses.ts';

/** The child that a branch dispatched, read as any run is. */
const CHILD = 'child of the branch';
/** The forks of the child: runs that others dispatched are forked as any other. */
const [CHILD_BRANCH, CHILD_REPLAY] = ['branch of the child', 'replay of the child'] as const;
/** The row of the request for the child's snapshot, where the child could not be read. */
const READ_CHILD = 'child';

/** The roles of what is recorded here beside the branch. */
export const OF_THE_CHILD: readonly string[] = [CHILD, CHILD_BRANCH, CHILD_REPLAY];

/** The child of a branch, and forks of it; where it cannot be read, what its snapshot is answered with. None where the branch names none. */
export async function driveChild(
  probe: Probe,
  branch: RunObservation,
): Promise<readonly (RunObservation | RequestedObservation)[]> {
  const [runId] = isObserved(branch) ? childrenNamedIn(eventsOf(branch)) : [];
  if (runId === undefined) return [];
  const nothing = {
    fork: null,
    answered: null,
    answer: null,
    problem: null,
    events: [],
    snapshot: null,
    exchanges: [],
  };
  const child = await readAgain(probe, { type: 'run', role: CHILD, runId, ...nothing }, { role: CHILD });
  if (!isObserved(child)) {
    return [await sendRequest(probe.host, runPath(runId), { row: READ_CHILD, name: CHILD, method: 'GET' })];
  }
  // From later than the start: where replays from there are refused alike, the row about these says so.
  const fromSeq = eventsOf(child).find(endsRun)?.sequence ?? bounds(child).last;
  const forks = [
    startFork(probe, child, { mode: 'branch', fromSeq }, { role: CHILD_BRANCH }),
    ...(offersMode(probe.discovery, 'replay')
      ? [startFork(probe, child, { mode: 'replay', fromSeq }, { role: CHILD_REPLAY })]
      : []),
  ];
  return [child, ...(await Promise.all(forks))];
}

/** The failure of a branch that names a child which is no run; undefined where it was read, or nothing is known of it. */
export function judgeChildOf(recorded: Recordings, branch: RecordedRun | undefined): Outcome | undefined {
  const [requested] = requestsOf(recorded, READ_CHILD);
  const status = requested === undefined ? undefined : statusOf(requested);
  if (branch === undefined || requested === undefined || status === undefined || !isUnknownRun(status))
    return undefined;
  const [runId = ''] = childrenNamedIn(eventsOf(branch));
  const expected = `a run ${runId}, which ${named(branch)} dispatched, for whoever reads the branch`;
  // Where no child can be read, it is nothing about branches.
  return fail(
    {
      diagnosis: sharedCause('child-lost'),
      expected,
      actual: shownAnswer(requested),
      restsOn: 'handoff.child-is-a-run',
    },
    [requested, branch],
  );
}
