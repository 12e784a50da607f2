import { member } from '../../src/contract/discovery.ts';
import type { Fault } from '../../src/contract/validate.ts';
import type { Json } from '../../src/evidence/types.ts';
import { childrenNamedIn } from '../shared/read-event.ts';
import { eventsOf, isAboutReplay, shown } from '../shared/compare-runs.ts';
import type { RunObservation } from '../shared/run-observation.ts';

/**
 * Finds in the events of a run those that name another one than it (wire, Documents). What a host writes into the history of a fork is
 * left open, and so is whether a replay names a run that it came from: a recorded fact may stand there as it was recorded. How it and its
 * nodes begin and end it executes itself (replay.md, Two modes). Branches have a row of their own, and parents may show events of their
 * children: nothing is said of these. What may show the very events of a run that it came from is no log of a replay:
 * sequence.not-a-copy says so.
 */
export function namedRunFaults(
  run: RunObservation,
  origins: Origins,
  mayBeOf: MayBeOf,
): (event: Json) => readonly Fault[] {
  const { runId, fork } = run;
  const isReplay = fork?.mode === 'replay';
  if (runId === null || (fork !== null && !isReplay) || childrenNamedIn(eventsOf(run)).length > 0) return () => [];
  const before = originsOf(run, origins);
  // Events about the replay shift the numbers behind them.
  const about = eventsOf(run).filter(isAboutReplay);
  const isOwn = (at: number): boolean => at - about.filter((each) => each.sequence < at).length >= (fork?.fromSeq ?? 0);
  const own = isReplay ? run.events.filter((event) => isOwn(Number(numberOf(event)))) : [];
  const isCopied = own.length > 0 && own.every((event) => before.has(member(event, 'runId')));
  if (isCopied && mayBeOf(member(own[0], 'runId'), member(own[0], 'eventId'))) return () => [];
  return (event) => {
    const faults = otherRunFaults(event, runId);
    if (!isReplay || faults.length === 0) return faults;
    const sequence = numberOf(event);
    const isOpen = !EXECUTED.has(member(event, 'type')) && before.has(member(event, 'runId'));
    return typeof sequence === 'number' && isOwn(sequence) && !isOpen ? faults : [];
  };
}

const EXECUTED: ReadonlySet<unknown> = new Set(['run.started', 'node.started', 'node.completed', 'run.completed']);

function numberOf(event: Json): unknown {
  return member(event, 'sequence') ?? member(event, 'seq');
}

/** Whether a run has an event, by the ids of both, or was not read. */
export type MayBeOf = (runId: unknown, eventId: unknown) => boolean;

/** The sources of forks, by the ids of these. */
export type Origins = ReadonlyMap<string, string>;

/** The sources of all forks that were made. */
export function originsIn(runs: readonly Pick<RunObservation, 'runId' | 'fork'>[]): Origins {
  return new Map(
    runs.flatMap(({ runId, fork }) => {
      const source = fork?.sourceRunId ?? null;
      return runId === null || source === null ? [] : [[runId, source] as const];
    }),
  );
}

/** The runs that a fork came from: its source, the source of that, and so on. */
export function originsOf({ fork }: Pick<RunObservation, 'fork'>, origins: Origins): ReadonlySet<unknown> {
  const found = new Set<unknown>();
  let at = fork?.sourceRunId ?? undefined;
  while (at !== undefined && !found.has(at)) {
    found.add(at);
    at = origins.get(at);
  }
  return found;
}

/** Whether each event of a run has to name it: it is no fork, and no parent of others. */
export function isPlain(run: RunObservation): boolean {
  return run.fork === null && childrenNamedIn(eventsOf(run)).length === 0;
}

/** That an event names another run than this one. */
export function otherRunFaults(event: Json, runId: string): readonly Fault[] {
  const named = member(event, 'runId');
  if (typeof named !== 'string' || named === runId) return [];
  return [{ pointer: '/runId', wrong: `is ${shown(named)}, not ${shown(runId)}` }];
}
