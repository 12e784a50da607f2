import type { Everything } from '../../src/runner/scenario.ts';
import { eventsOf } from '../shared/compare-runs.ts';
import { compareStates } from '../shared/compare-states.ts';
import { type AnyRun, wholeRunsIn } from '../shared/every-run.ts';
import { isDivergence } from '../shared/read-event.ts';
import { isObserved } from '../shared/run-observation.ts';
import { isOfRows, SWEEP } from '../shared/swept-runs.ts';

/** A fork and the run that it was made of. */
interface Forked {
  readonly source: AnyRun;
  readonly replay: AnyRun;
}

/**
 * The replays of forks, by whatever scenario, and those that a sweep made of fixtures from any of their events and that report a divergence,
 * beside what they are replays of: both were seen to their ends, that one says of itself nowhere that it differs, its log shows what
 * happened, and their snapshots end alike.
 */
export function replaysElsewhere(everything: Everything): readonly Forked[] {
  return forksIn(everything).filter(
    ({ source, replay }) =>
      replay.fork?.mode === 'replay' &&
      (source.fork !== null || (replay.scenario === SWEEP && isOfRows(source) && saysItDiffers(replay))) &&
      !saysItDiffers(source) &&
      eventsOf(source).some(({ payload }) => (payload ?? null) !== null) &&
      compareStates(source, replay).kind === 'same',
  );
}

/**
 * The branches that report a divergence, and are made of runs that report none, and the runs that are no forks: of neither any document says
 * that they may, or may not.
 */
export function divergingOthers(everything: Everything): readonly AnyRun[] {
  const branches = forksIn(everything).filter(({ replay }) => replay.fork?.mode === 'branch');
  const plain = wholeRunsIn(everything).filter(({ fork }) => fork === null);
  return [
    ...branches.flatMap(({ source, replay }) => (saysItDiffers(replay) && !saysItDiffers(source) ? [replay] : [])),
    ...plain.filter(saysItDiffers),
  ];
}

/** Replays of replays that a sweep made, beside what they are replays of, which says of itself nowhere that it differs. */
export function sweptAgain(everything: Everything): readonly Forked[] {
  return forksIn(everything).filter(
    ({ source, replay }) =>
      replay.scenario === SWEEP &&
      [source, replay].every(({ fork }) => fork?.mode === 'replay') &&
      !saysItDiffers(source),
  );
}

function saysItDiffers(run: AnyRun): boolean {
  return eventsOf(run).some(isDivergence);
}

function forksIn(everything: Everything): readonly Forked[] {
  const runs = wholeRunsIn(everything).filter(isObserved);
  const byId = new Map(runs.toReversed().map((run) => [run.runId, run]));
  return runs.flatMap((replay) => {
    const source = byId.get(replay.fork?.sourceRunId ?? '');
    return source === undefined ? [] : [{ source, replay }];
  });
}
