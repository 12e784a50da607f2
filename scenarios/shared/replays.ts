import { repeatPaced } from '../../src/host/paced.ts';
import type { Probe } from '../../src/host/probe.ts';
import type { RunRequest } from '../../src/host/runs.ts';
import type { Need } from '../../src/runner/scenario.ts';
import { eventsOf, isAboutReplay } from './compare-runs.ts';
import { type RunObservation, startFork, startRun } from './run-observation.ts';

/** Rows that bind every host that forks (requirements, Gate `fork`). */
export const replays: Need = { kind: 'fork', mode: 'replay', absent: 'not-applicable' };
/** The same for hosts that branch. */
export const branches: Need = { kind: 'fork', mode: 'branch', absent: 'not-applicable' };

/**
 * Sequence numbers of a log to fork from: those that are asked for, then others, spread evenly with the last included, at
 * most `atMost` in all, in ascending order. The first event is left to the full replay.
 */
export function forkPoints(run: RunObservation, requested: readonly number[], atMost: number): readonly number[] {
  const numbers = eventsOf(run)
    .filter((event) => !isAboutReplay(event))
    .slice(1)
    .map(({ sequence }) => sequence);
  const others = numbers.filter((sequence) => !requested.includes(sequence)).toReversed();
  const room = Math.max(0, Math.min(atMost - requested.length, others.length));
  const spread = Array.from({ length: room }, (_, index) => others[Math.floor((index * others.length) / room)]);
  return [...requested, ...spread.filter((sequence) => sequence !== undefined)].toSorted((a, b) => a - b);
}

/** Replays a run; without `fromSeq` from its beginning. */
export function replayOf(
  probe: Probe,
  source: RunObservation,
  fromSeq: number | undefined,
  more: { readonly role?: string; readonly headers?: Readonly<Record<string, string>> } = {},
): Promise<RunObservation> {
  const role = more.role ?? (fromSeq === undefined ? 'full replay' : `replay from ${fromSeq}`);
  const body = { mode: 'replay', ...(fromSeq === undefined ? {} : { fromSeq }) } as const;
  const headers = more.headers === undefined ? {} : { headers: more.headers };
  return startFork(probe, source, body, { role, ...headers });
}

/** Longest that is waited for a clock to move on, in milliseconds: some hosts count whole seconds. */
const CLOCK_MS = 2500;

/**
 * Starts fresh runs until one shows something else than the source. From then on a host that reads its clock again on a
 * replay cannot hit the source's value by chance.
 */
export function startUntilOther(
  probe: Probe,
  request: RunRequest,
  isOther: (fresh: RunObservation) => boolean,
): Promise<RunObservation> {
  return repeatPaced(
    () => startRun(probe, request, { role: 'fresh run' }),
    (fresh) => fresh.problem !== null || isOther(fresh),
    { patienceMs: CLOCK_MS, signal: probe.signal },
  );
}
