import type { Observation } from '../../src/evidence/types.ts';
import type { Probe } from '../../src/host/probe.ts';
import { diffPath, runPath } from '../../src/protocol/paths.ts';
import { defineScenario } from '../../src/runner/define-scenario.ts';
import { bounds } from '../shared/compare-runs.ts';
import { PUBLIC_FIXTURES, startFirst } from '../shared/first-run.ts';
import { replayOf, replays } from '../shared/replays.ts';
import { sendRequest, type RequestedObservation } from '../shared/requested.ts';
import { isObserved, offersMode, startFork, startRun, type RunObservation } from '../shared/run-observation.ts';
import { unknownLike } from '../shared/unknown-id.ts';
import { ANOTHER, HELD, ONE } from './diff-of-states.ts';
import { judgeFirstDivergence, judgeShape } from './judge-diff.ts';

const WALL_CLOCK = { workflowId: 'conformance-determinism-wall-clock' };

/** A run that holds what it is given as a variable, from its first event on. */
function given(probe: Probe, role: string): Promise<RunObservation> {
  return startRun(probe, { workflowId: 'conformance-identity', inputs: { [HELD]: { value: role } } }, { role });
}

async function drive(probe: Probe): Promise<readonly Observation[]> {
  const [{ run: source }, { run: other }, clock, ...holding] = await Promise.all([
    startFirst(probe, PUBLIC_FIXTURES, 'source'),
    startFirst(probe, PUBLIC_FIXTURES.toReversed(), 'run of another workflow'),
    startRun(probe, WALL_CLOCK, { role: 'clock source' }),
    given(probe, ONE),
    given(probe, ANOTHER),
  ] as const);
  if (!isObserved(source)) return [source];
  const [replay, later, ...branches] = await Promise.all([
    replayOf(probe, source, undefined),
    isObserved(clock) ? replayOf(probe, clock, undefined, { role: 'clock replay' }) : clock,
    ...(offersMode(probe.discovery, 'branch')
      ? [startFork(probe, source, { mode: 'branch', fromSeq: bounds(source).first }, { role: 'branch' })]
      : []),
  ]);
  const compared = await Promise.all([
    compare(probe, source, source),
    compare(probe, source, replay),
    compare(probe, source, other),
    compare(probe, ...holding),
    // The other way round it is no less different.
    compare(probe, other, source),
    // Forks: of two workflows, so that they surely differ.
    ...branches.map((branch) => compare(probe, branch, other)),
    compare(probe, replay, later),
    ...(later === clock ? [] : [compare(probe, clock, later), compare(probe, later, clock)]),
  ]);
  const ask = (name: string, path: string): Promise<RequestedObservation> =>
    sendRequest(probe.host, path, { row: 'no-diff', name, method: 'GET' });
  const refused = await Promise.all([
    ask('no run to compare with', `${runPath(source.runId)}:diff`),
    ask('a run that there is not', diffPath(source.runId, unknownLike(source.runId, 3))),
  ]);
  return [
    source,
    other,
    replay,
    ...branches,
    clock,
    ...(later === clock ? [] : [later]),
    ...holding,
    ...compared.flat(),
    ...refused,
  ];
}

/** How the host says that a run differs from another one: the row `diff of` the first one's role, under the other's role. */
async function compare(probe: Probe, a: RunObservation, b: RunObservation): Promise<readonly RequestedObservation[]> {
  if (!isObserved(a) || !isObserved(b)) return [];
  const about = { row: `diff of ${a.role}`, name: b.role, method: 'GET' } as const;
  return [await sendRequest(probe.host, diffPath(a.runId, b.runId), about)];
}

/** wire-contract, Endpoints: GET /v1/runs/{runId}:diff?against=. */
export const diff = defineScenario({
  id: 'diff.shape',
  suite: 'fork-contract',
  title: 'A host says of two runs where their logs part',
  needs: [replays],
  drive,
  checks: [
    {
      id: 'diff.shape',
      title: 'The difference of a run from itself is empty, and one from no run is refused',
      judge: judgeShape,
    },
    {
      id: 'diff.first-divergence',
      title:
        'The first divergence of two runs is where their logs part, there is none where they do not, and states that differ are said to',
      judge: (recorded, { options }) => judgeFirstDivergence(recorded, options.volatile),
    },
  ],
});
