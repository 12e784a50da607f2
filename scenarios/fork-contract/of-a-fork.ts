import { isOutcome, type Outcome } from '../../src/contract/outcome.ts';
import type { Observation } from '../../src/evidence/types.ts';
import type { Probe } from '../../src/host/probe.ts';
import { defineScenario } from '../../src/runner/define-scenario.ts';
import { bounds, eventsOf, isAboutReplay } from '../shared/compare-runs.ts';
import { leftWithoutControl } from '../shared/control.ts';
import { startPublic } from '../shared/first-run.ts';
import { need } from '../shared/need.ts';
import type { Recordings } from '../shared/of-type.ts';
import { branches, replays } from '../shared/replays.ts';
import { requestFork } from '../shared/requested-fork.ts';
import { isObserved, type RunObservation, startFork } from '../shared/run-observation.ts';
import { judgeAnswer } from './judge-answer.ts';

/** The role of the replay of a replay. */
export const OF_A_FORK = 'replay of the replay';

/** Replays a fork from the middle of its log: its answer must name that fork and that start, not those of the fork's own. */
export async function forkAgain(
  probe: Probe,
  fork: RunObservation,
  role: string = OF_A_FORK,
): Promise<readonly Observation[]> {
  if (!isObserved(fork)) return [];
  const events = eventsOf(fork).filter((event) => !isAboutReplay(event));
  const fromSeq = events[Math.floor(events.length / 2)]?.sequence;
  return fromSeq === undefined ? [] : Object.values(await requestFork(probe, fork, { mode: 'replay', fromSeq }, role));
}

/** replay.md, Response: a fork is a run like any other, and its forks are answered as those of other runs. */
export function judgeOfAFork(recorded: Recordings, parent: string, role: string = OF_A_FORK): Outcome {
  const runs = need(recorded, 'source');
  return isOutcome(runs) ? runs : judgeAnswer(recorded, role, parent);
}

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
