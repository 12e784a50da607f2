import type { Transport } from '../../src/host/log/whole.ts';
import type { Probe } from '../../src/host/probe.ts';
import type { Semaphore } from '../../src/host/semaphore.ts';
import { eventsOf } from '../shared/compare-runs.ts';
import { fixtureOf } from '../shared/fixture-sources.ts';
import { numberThere } from '../shared/of-first.ts';
import { isAsking } from '../shared/open-question.ts';
import { readOver, type ReadingObservation } from '../shared/reading.ts';
import { startFork, type RunObservation } from '../shared/run-observation.ts';
import { spread } from '../shared/spread.ts';

/** How the roles of replays of replays begin. */
export const AGAIN = 'replay of a ';

export type SweepObservation = RunObservation | ReadingObservation;

export interface Driving {
  readonly probe: Probe;
  readonly line: Semaphore;
  /** How many forks are made of a log at most. */
  readonly forks: number;
}

/** Events of the forks of one log, together: a long log is forked at fewer places, at its first and its last at least. */
const SWEPT_EVENTS = 100_000;

/** How many forks are made of a log at most. */
export function forksOf(events: number, forks: number): number {
  return Math.min(forks, Math.max(2, Math.floor(SWEPT_EVENTS / Math.max(1, events))));
}

/** A source, forks of it from the sequence numbers of its log, and the logs of the first of them once more. */
export async function forkEverywhere(driving: Driving, source: RunObservation): Promise<readonly SweepObservation[]> {
  const { probe, line, forks } = driving;
  if (source.runId === null || source.problem !== null) return [source];
  const points = spread(forkPoints(source), forksOf(source.events.length, forks));
  const made = await Promise.all(
    points.map((fromSeq) =>
      line(async () => {
        const role = `replay of ${fixtureOf(source)} from ${fromSeq}`;
        return probe.signal.aborted ? [] : [await startFork(probe, source, { mode: 'replay', fromSeq }, { role })];
      }),
    ),
  );
  const runs = [source, ...made.flat()];
  const polled = source.events.length > POLLED_EVENTS ? [] : [line(() => readWhole(probe, source, ['poll']))];
  const whole = await Promise.all([
    ...runs.slice(0, READ_WHOLE).map((run) => line(() => readWhole(probe, run))),
    ...polled,
  ]);
  return [...runs, ...whole.flat()];
}

/** A replay of the fork that executes most of its source, the first one, from where that begins, by its own number. */
export async function replayAgain(
  { probe, line }: Driving,
  forked: readonly SweepObservation[],
): Promise<readonly RunObservation[]> {
  const first = forked.find((each) => each.type === 'run' && each.fork !== null);
  if (first?.type !== 'run' || first.runId === null || first.problem !== null || probe.signal.aborted) return [];
  const from = first.fork?.fromSeq ?? 0;
  const source = forked.find((each) => each.type === 'run' && each.runId === first.fork?.sourceRunId);
  const fromSeq = (source?.type === 'run' ? numberThere(from, source, first) : undefined) ?? from;
  const role = `${AGAIN}${first.role}`;
  return [await line(() => startFork(probe, first, { mode: 'replay', fromSeq }, { role }))];
}

/** The source, and the fork that executes most of it. */
const READ_WHOLE = 2;
/** Documents first: they are whole at once, where a stream may stay open. */
const TRANSPORTS: readonly Transport[] = ['json', 'poll', 'sse'];

/** A log of up to so many events is polled, too: a transport may leave out what one workflow alone writes. */
const POLLED_EVENTS = 1000;

/** Reads a log once more, past the end at which a run is left that is followed: only so a second end shows. */
export async function readWhole(
  probe: Probe,
  run: RunObservation,
  transports = TRANSPORTS,
): Promise<readonly ReadingObservation[]> {
  const { role, runId, problem } = run;
  if (runId === null || problem !== null || probe.signal.aborted) return [];
  const reading = await readOver(probe, transports, { run: role, runId, how: 'start' });
  return reading === undefined ? [] : [reading];
}

/**
 * Where a source is forked: everywhere, except before the end of an interrupt. A host that asks again there waits for
 * ever, which is the business of another row (replay.interrupt-short-circuits).
 */
function forkPoints(source: RunObservation): readonly number[] {
  const events = eventsOf(source);
  const resolved = events.findLastIndex(({ type }) => type === 'interrupt.resolved');
  const answered = resolved === -1 ? events.findLastIndex(({ type }) => type === 'node.resumed') : resolved;
  const left = events.slice(answered + 1).map(({ sequence }) => sequence);
  // A log that shows a question and no answer: nobody can say where that came.
  return answered === -1 && events.some(isAsking) ? left.slice(-1) : left;
}
