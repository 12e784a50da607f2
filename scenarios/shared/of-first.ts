import { copyPacked } from '../../src/evidence/pack.ts';
import { eventsOf, isAboutReplay } from './compare-runs.ts';
import type { RunObservation } from './run-observation.ts';

type Log = Pick<RunObservation, 'events'>;

/**
 * The number that an event of one log has in another one that says the same: as many events stand before it there, replay.* events
 * counted in neither; the start of one is that of the other, whatever stands there. What a fork executes it numbers itself, with gaps or
 * by a counter of all runs (readings, Fork and prefix). Undefined where the other log is shorter.
 */
export function numberThere(sequence: number, log: Log, other: Log): number | undefined {
  const before = eventsOf(log).filter((event) => !isAboutReplay(event) && event.sequence < sequence).length;
  const events = eventsOf(other);
  return (before === 0 ? events : events.filter((event) => !isAboutReplay(event)))[before]?.sequence;
}

/** A replay of a replay, that one, and the run in which both began. */
interface Generations<Run extends RunObservation> {
  readonly source: Log;
  readonly first: RunObservation;
  readonly second: Run;
}

/**
 * A replay of a replay as one of the run in which both began: its start counts in that run's log, and is the first event that one of
 * the two executed itself.
 */
export function asOfFirst<Run extends RunObservation>({ source, first, second }: Generations<Run>): Run {
  if (second.fork === null) return second;
  const there = numberThere(second.fork.fromSeq ?? 0, first, source) ?? Infinity;
  return copyPacked(second, { fork: { ...second.fork, fromSeq: Math.min(first.fork?.fromSeq ?? 0, there) } });
}
