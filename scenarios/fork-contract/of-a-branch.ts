import type { Observation } from '../../src/evidence/types.ts';
import type { Probe } from '../../src/host/probe.ts';
import { defineScenario } from '../../src/runner/define-scenario.ts';
import { bounds } from '../shared/compare-runs.ts';
import { leftWithoutControl } from '../shared/control.ts';
import { startPublic } from '../shared/first-run.ts';
import { branches, replays } from '../shared/replays.ts';
import { startFork } from '../shared/run-observation.ts';
import { forkAgain, judgeOfAFork } from './of-a-fork.ts';

const [BRANCH, REPLAY] = ['branch', 'replay of the branch'] as const;

async function drive(probe: Probe): Promise<readonly Observation[]> {
  const source = await startPublic(probe, 'source');
  const branch = await startFork(probe, source, { mode: 'branch', fromSeq: bounds(source).middle }, { role: BRANCH });
  return [source, branch, ...(await forkAgain(probe, branch, REPLAY))];
}

/** replay.md, Two modes: a branch is a fully independent run, and is replayed like any other. */
export const ofABranch = defineScenario({
  id: 'fork.of-a-branch',
  suite: 'fork-contract',
  title: 'A branch is replayed as any other run is',
  needs: [branches, replays],
  drive,
  see: (recorded) => leftWithoutControl(recorded, BRANCH) ?? recorded,
  checks: [
    {
      id: 'fork.created.of-a-fork.branch',
      title: 'A replay of a branch is answered as any other is, and names that branch as its source',
      judge: (recorded) => judgeOfAFork(recorded, BRANCH, REPLAY),
    },
  ],
});
