import { phase4 } from '../../src/contract/gates.ts';
import type { Probe } from '../../src/host/probe.ts';
import { defineJudgedScenario } from '../../src/runner/define-judged.ts';
import { eventsOf } from '../shared/compare-runs.ts';
import { PUBLIC_FIXTURES, startFirst } from '../shared/first-run.ts';
import { readAgain, startFork, type RunObservation } from '../shared/run-observation.ts';
import { judgeConcurrentForks, judgeReplayOfReplay } from './judge-generations.ts';

/** Fixtures that observe something new in every run come first: they show which records a replay keeps. */
const FIXTURES = [
  'conformance-determinism-random',
  'conformance-determinism-memory-write',
  'conformance-determinism-clock',
  ...PUBLIC_FIXTURES,
];
const FORKS = 8;

async function drive(probe: Probe): Promise<readonly RunObservation[]> {
  const { run: source, workflowId } = await startFirst(probe, FIXTURES, 'source');
  if (source.problem !== null) return [source];
  const named = { ...source, role: `source of ${workflowId}` };
  const events = eventsOf(source);
  const middle = events[Math.floor(events.length / 2)]?.sequence ?? 0;
  const atOnce = await Promise.all(
    Array.from({ length: FORKS }, (_, index) => {
      const fromSeq = index % 2 === 0 ? (events[0]?.sequence ?? 0) : middle;
      return startFork(probe, source, { mode: 'replay', fromSeq }, { role: `concurrent replay ${index + 1}` });
    }),
  );
  const [first, half] = atOnce;
  const second = await Promise.all([
    ...(first === undefined ? [] : [startFork(probe, first, { mode: 'replay' }, { role: 'replay of a replay' })]),
    ...(half === undefined
      ? []
      : [startFork(probe, half, { mode: 'replay' }, { role: 'replay of a replay from the middle' })]),
  ]);
  const after = await readAgain(probe, source, { role: 'source afterwards' });
  return [named, ...atOnce, ...second, after];
}

/** 0041 §C: a replay is a run like any other, so it can be replayed; forks do not know of each other. */
export const generations = defineJudgedScenario<RunObservation>({
  id: 'sequence.generations',
  suite: 'observable-sequence',
  title: 'Replays of a replay, and replays made at once, give the same sequence again',
  checks: [
    {
      id: 'sequence.replay-of-replay',
      requirement: 'sequence.replay-of-replay',
      title: 'Replaying a replay gives the same sequence again',
    },
    {
      id: 'sequence.state-equal.concurrent',
      requirement: 'sequence.state-equal',
      title: 'Forks that are made at once agree with their source, which stays as it was',
    },
  ],
  gate: phase4,
  needs: [{ kind: 'fork', mode: 'replay', absent: 'inconclusive' }],
  exclusive: [],
  drive,
  judge: (runs, { volatile }) => [judgeReplayOfReplay(runs, volatile), judgeConcurrentForks(runs, volatile)],
});
