import { isOutcome, type Outcome } from '../../src/contract/outcome.ts';
import type { Observation } from '../../src/evidence/types.ts';
import type { Probe } from '../../src/host/probe.ts';
import { eventsOf, isAboutReplay } from '../shared/compare-runs.ts';
import { need } from '../shared/need.ts';
import type { Recordings } from '../shared/of-type.ts';
import { requestFork } from '../shared/requested-fork.ts';
import { isSeen, type RunObservation } from '../shared/run-observation.ts';
import { judgeAnswer } from './judge-answer.ts';

/** The role of the replay of a replay. */
export const OF_A_FORK = 'replay of the replay';

/** Replays a fork from the middle of its log: its answer must name that fork and that start, not those of the fork's own. */
export async function forkAgain(
  probe: Probe,
  fork: RunObservation,
  role: string = OF_A_FORK,
): Promise<readonly Observation[]> {
  if (!isSeen(fork)) return [];
  const events = eventsOf(fork).filter((event) => !isAboutReplay(event));
  const fromSeq = events[Math.floor(events.length / 2)]?.sequence;
  return fromSeq === undefined ? [] : Object.values(await requestFork(probe, fork, { mode: 'replay', fromSeq }, role));
}

/** replay.md, Response: a fork is a run like any other, and its forks are answered as those of other runs. */
export function judgeOfAFork(recorded: Recordings, parent: string, role: string = OF_A_FORK): Outcome {
  const runs = need(recorded, 'source');
  return isOutcome(runs) ? runs : judgeAnswer(recorded, role, parent);
}
