import type { Observation } from '../../src/evidence/types.ts';
import type { Recorded } from '../../src/runner/scenario.ts';
import { fixtureOf } from '../shared/fixture-sources.ts';
import type { RunObservation } from '../shared/run-observation.ts';

/** A longer log is not swept. */
export const MAX_SWEPT_EVENTS = 2000;

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
  if (source.events.length > MAX_SWEPT_EVENTS)
    return `a log of ${source.events.length} events, above ${MAX_SWEPT_EVENTS}`;
  return logs.some((log) => log.source === source) ? undefined : 'no fork was made';
}
