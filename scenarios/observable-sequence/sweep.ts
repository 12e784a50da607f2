import { phase4 } from '../../src/contract/gates.ts';
import type { Transport } from '../../src/host/log/whole.ts';
import type { Probe } from '../../src/host/probe.ts';
import { createSemaphore, type Semaphore } from '../../src/host/semaphore.ts';
import { defineScenario } from '../../src/runner/define-scenario.ts';
import type { ScenarioOptions } from '../../src/runner/scenario.ts';
import { eventsOf } from '../shared/compare-runs.ts';
import { fixtureOf, startSources } from '../shared/fixture-sources.ts';
import { readOver, type ReadingObservation } from '../shared/reading.ts';
import { startFork, type RunObservation } from '../shared/run-observation.ts';
import { spread } from '../shared/spread.ts';
import { SHORT, SWEPT, SWEPT_ALONE } from '../shared/swept-fixtures.ts';
import { judgeEveryEnd, judgeEveryNumber } from './judge-logs.ts';
import { gatherSweep, judgePrefixes, judgeStates } from './judge-sweep.ts';

type SweepObservation = RunObservation | ReadingObservation;

async function drive(probe: Probe, { forks }: ScenarioOptions): Promise<readonly SweepObservation[]> {
  const line = createSemaphore(probe.concurrency);
  const sources = await startSources({ probe, line, short: forks < SHORT }, SWEPT);
  const swept = await Promise.all(sources.map((source) => sweep({ probe, line, forks }, source)));
  return swept.flat();
}

/** Events of the forks of one log, together: a long log is forked at fewer places, at its first and its last at least. */
const SWEPT_EVENTS = 100_000;

/** How many forks are made of a log at most. */
export function forksOf(events: number, forks: number): number {
  return Math.min(forks, Math.max(2, Math.floor(SWEPT_EVENTS / Math.max(1, events))));
}

interface Driving {
  readonly probe: Probe;
  readonly line: Semaphore;
  readonly forks: number;
}

/** One fixture's source, and forks of it from the sequence numbers of its log. */
async function sweep({ probe, line, forks }: Driving, source: RunObservation): Promise<readonly SweepObservation[]> {
  if (source.runId === null || source.problem !== null) return [source];
  const places = forkPoints(source);
  const points = spread(places, forksOf(source.events.length, forks));
  const made = await Promise.all(
    points.map((fromSeq) =>
      line(async () => {
        const role = `replay of ${fixtureOf(source)} from ${fromSeq}`;
        return probe.signal.aborted ? [] : [await startFork(probe, source, { mode: 'replay', fromSeq }, { role })];
      }),
    ),
  );
  const runs = [source, ...made.flat()];
  const whole = await Promise.all(runs.slice(0, READ_WHOLE).map((run) => line(() => readWhole(probe, run))));
  return [...runs, ...whole.flat()];
}

/** The source, and the fork that executes most of it. */
const READ_WHOLE = 2;
/** Documents first: they are whole at once, where a stream may stay open. */
const TRANSPORTS: readonly Transport[] = ['json', 'poll', 'sse'];

/** Reads a log once more, past the end at which a run is left that is followed: only so a second end shows. */
async function readWhole(probe: Probe, run: RunObservation): Promise<readonly ReadingObservation[]> {
  const { role, runId, problem } = run;
  if (runId === null || problem !== null || probe.signal.aborted) return [];
  const reading = await readOver(probe, TRANSPORTS, { run: role, runId, how: 'start' });
  return reading === undefined ? [] : [reading];
}

/**
 * Where a source is forked: everywhere, except before the end of an interrupt. A host that asks again there waits for
 * ever, which is the business of another row (replay.interrupt-short-circuits).
 */
function forkPoints(source: RunObservation): readonly number[] {
  const events = eventsOf(source);
  const resolved = events.findLastIndex(({ type }) => type === 'interrupt.resolved');
  return events.slice(resolved + 1).map(({ sequence }) => sequence);
}

/** 0041 §C: the boundary of the claim, sequence by sequence, at every fork point of every fixture that is there. */
export const sweepForks = defineScenario<SweepObservation>({
  id: 'sequence.sweep',
  suite: 'observable-sequence',
  title: 'A replay from every sequence number has the history and the states of its source',
  gate: phase4,
  needs: [{ kind: 'fork', mode: 'replay', absent: 'inconclusive' }],
  witnessHelps: true,
  exclusive: SWEPT_ALONE,
  patience: ({ forks }) => 30 + forks,
  drive,
  checks: [
    {
      id: 'sequence.prefix-equal',
      title: "The history below every fork point equals the source's",
      judge: (recorded, { options }) => judgePrefixes(gatherSweep(recorded), options.volatile),
    },
    {
      id: 'sequence.state-equal',
      title: 'Variables, channels and status agree at the fork point, on the way and at the end',
      judge: (recorded, { options }) => judgeStates(gatherSweep(recorded), options.volatile),
    },
    {
      id: 'sequence.monotonic.every-log',
      title:
        'Sequence numbers are unique and strictly increasing in every log, of concurrent branches and of forks too',
      judge: judgeEveryNumber,
    },
    {
      id: 'sequence.single-terminal-event.every-log',
      title: 'Exactly one terminal event, and it is last, in every log, of concurrent branches and of forks too',
      judge: judgeEveryEnd,
    },
  ],
});
