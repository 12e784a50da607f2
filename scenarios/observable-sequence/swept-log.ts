import type { Observation } from '../../src/evidence/types.ts';
import type { Recorded } from '../../src/runner/scenario.ts';
import { fixtureOf } from '../shared/fixture-sources.ts';
import type { RunObservation } from '../shared/run-observation.ts';

/** Events of the forks of one log, together: a long log is forked at fewer places, at its first and its last at least. */
const SWEPT_EVENTS = 100_000;

/** How many forks are made of a log at most. */
export function forksOf(events: number, forks: number): number {
  return Math.min(forks, Math.max(2, Math.floor(SWEPT_EVENTS / Math.max(1, events))));
}

export type SeenRun = Recorded<RunObservation>;

/** The runs among a sweep's observations. */
export function runsIn(observations: readonly Recorded<Observation>[]): readonly SeenRun[] {
  return observations.filter((each): each is SeenRun => each.type === 'run');
}

/** One source with the forks that were made of it. */
export interface SweptLog {
  readonly source: SeenRun;
  readonly forks: readonly SeenRun[];
}

/** What of a sweep can be judged, and why the rest cannot. */
export interface Swept {
  readonly logs: readonly SweptLog[];
  /** Sources without forks, each with the reason. */
  readonly leftOut: readonly string[];
}

/** Gathers the sources of a sweep, each with its forks. */
export function gatherSweep(runs: readonly SeenRun[]): Swept {
  const sources = runs.filter(({ fork }) => fork === null);
  const logs = sources.flatMap((source) => {
    const forks = runs.filter(({ fork }) => fork !== null && fork.sourceRunId === source.runId);
    return source.problem === null && forks.length > 0 ? [{ source, forks }] : [];
  });
  const leftOut = sources.flatMap((source) => {
    const why = reasonOf(source, logs);
    return why === undefined ? [] : [`${fixtureOf(source)} (${why})`];
  });
  return { logs, leftOut };
}

function reasonOf(source: SeenRun, logs: readonly SweptLog[]): string | undefined {
  if (source.problem !== null) return source.problem;
  return logs.some((log) => log.source === source) ? undefined : 'no fork was made';
}
