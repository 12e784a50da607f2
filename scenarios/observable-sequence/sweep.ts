import { phase4 } from '../../src/contract/gates.ts';
import { createSemaphore, type Semaphore } from '../../src/host/semaphore.ts';
import type { Probe } from '../../src/host/probe.ts';
import { defineScenario, type ScenarioOptions } from '../../src/runner/scenario.ts';
import { eventsOf } from '../shared/compare-runs.ts';
import { startFork, type RunObservation } from '../shared/run-observation.ts';
import { SWEPT, type SweptFixture } from './fixtures.ts';
import { judgePrefixes, judgeStates } from './judge-sweep.ts';
import { MAX_SWEPT_EVENTS } from './swept-log.ts';
import { startSource } from './sweep-source.ts';

async function drive(probe: Probe, { forks }: ScenarioOptions): Promise<readonly RunObservation[]> {
  const line = createSemaphore(probe.concurrency);
  const swept = await Promise.all(SWEPT.map((fixture) => sweep({ probe, line }, fixture, forks)));
  return swept.flat();
}

interface Driving {
  readonly probe: Probe;
  readonly line: Semaphore;
}

/** One fixture's source, and forks of it from the sequence numbers of its log. */
async function sweep(
  { probe, line }: Driving,
  fixture: SweptFixture,
  forks: number,
): Promise<readonly RunObservation[]> {
  const source = await line(() => startSource(probe, fixture));
  if (source.runId === null || source.problem !== null || source.events.length > MAX_SWEPT_EVENTS) return [source];
  const made = await Promise.all(
    spread(
      eventsOf(source).map(({ sequence }) => sequence),
      forks,
    ).map((fromSeq) =>
      line(async () => {
        const role = `replay of ${fixture.workflowId} from ${fromSeq}`;
        return probe.signal.aborted ? [] : [await startFork(probe, source, { mode: 'replay', fromSeq }, { role })];
      }),
    ),
  );
  return [source, ...made.flat()];
}

/** At most `count` of the values, evenly spread, the first and the last among them; the last alone where `count` is 1. */
export function spread(values: readonly number[], count: number): readonly number[] {
  if (values.length <= count) return values;
  if (count === 1) return values.slice(-1);
  const step = (values.length - 1) / (count - 1);
  return Array.from({ length: count }, (_, index) => values[Math.round(index * step)] ?? 0);
}

/** 0041 §C: the boundary of the claim, sequence by sequence, at every fork point of every fixture that is there. */
export const sweepForks = defineScenario<RunObservation>({
  id: 'sequence.sweep',
  suite: 'observable-sequence',
  title: 'A replay from every sequence number has the history and the states of its source',
  checks: [
    {
      id: 'sequence.prefix-equal',
      requirement: 'sequence.prefix-equal',
      title: "The history below every fork point equals the source's",
    },
    {
      id: 'sequence.state-equal',
      requirement: 'sequence.state-equal',
      title: 'Variables, channels and status agree at the fork point, on the way and at the end',
    },
  ],
  gate: phase4,
  needs: [{ kind: 'fork', mode: 'replay', absent: 'inconclusive' }],
  witnessHelps: true,
  exclusive: [
    'workflow:conformance-determinism-constant',
    'workflow:conformance-determinism-version-pin',
    'workflow:conformance-determinism-side-effects',
    'mock-ai:structured-call',
    'mock-ai:llm-nodes',
    'mock-ai:llm-chain',
    'mock-ai:gated-call',
  ],
  patience: ({ forks }) => 30 + forks,
  drive,
  judge: (observations, options) => [
    judgePrefixes(observations, options.volatile),
    judgeStates(observations, options.volatile),
  ],
});
