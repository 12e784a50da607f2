import { always } from '../../src/contract/gates.ts';
import type { Judgement } from '../../src/contract/verdict.ts';
import { diffValues } from '../../src/event-log/index.ts';
import type { Probe } from '../../src/host/probe.ts';
import type { RunEvent } from '../../src/host/run-event.ts';
import { defineJudgedScenario } from '../../src/runner/define-judged.ts';
import type { ScenarioOptions } from '../../src/runner/scenario.ts';
import { eventsOf, named, shown } from '../shared/compare-runs.ts';
import type { Difference } from '../shared/compared.ts';
import { sharedCause } from '../shared/diagnoses.ts';
import { runOf, unseen } from '../shared/judge-run.ts';
import { failing, passing, runsOf, type SeenRun, undecided } from '../shared/judging.ts';
import { forkPoints, replayOf, replays } from '../shared/replays.ts';
import { type RunObservation, startRun } from '../shared/run-observation.ts';

const MEMORY = 'conformance-determinism-memory-write';
const FACT = 'memory.written';

const executed = 'replay.recorded-facts-verbatim';
const inherited = 'replay.recorded-facts-verbatim.in-history';

/** Forks of the memory fixture beside the full replay, at most. */
const SWEEP = 12;

async function drive(probe: Probe, { forks }: ScenarioOptions): Promise<readonly RunObservation[]> {
  const source = await startRun(probe, { workflowId: MEMORY, inputs: {} }, { role: 'source' });
  const seen = [source, await replayOf(probe, source, undefined)];
  const between = factsOf(source)
    .slice(1)
    .map(({ sequence }) => sequence);
  for (const fromSeq of forkPoints(source, between, Math.min(SWEEP, Math.max(2, forks - 3)))) {
    seen.push(await replayOf(probe, source, fromSeq));
  }
  return seen;
}

function factsOf(run: RunObservation): readonly RunEvent[] {
  return eventsOf(run).filter(({ type }) => type === FACT);
}

/** Which facts of a source a replay inherits, and which it writes again. */
interface Part {
  readonly check: string;
  readonly holds: (sequence: number, fromSeq: number) => boolean;
}

const PARTS: readonly Part[] = [
  { check: executed, holds: (sequence, fromSeq) => sequence >= fromSeq },
  { check: inherited, holds: (sequence, fromSeq) => sequence < fromSeq },
];

function judgePart(runs: readonly SeenRun[], { check, holds }: Part): Judgement {
  const source = runOf(runs, 'source');
  const forks = runs.filter(({ fork }) => fork !== null);
  const missing = unseen(check, [source, ...forks]);
  if (missing !== undefined || source === undefined) return missing ?? undecided(check, 'no run was driven', []);
  const facts = factsOf(source);
  if (facts.length === 0) {
    return undecided(check, `the run has no ${FACT}: ${MEMORY} writes two memories, each a recorded fact`, [source]);
  }
  const looked: SeenRun[] = [];
  for (const replay of forks) {
    const fromSeq = replay.fork?.fromSeq ?? 0;
    const places = facts.flatMap(({ sequence }, index) => (holds(sequence, fromSeq) ? [index] : []));
    if (places.length === 0) continue;
    looked.push(replay);
    const mismatch = otherFact(source, replay, places);
    if (mismatch !== undefined) return failing(check, mismatch, [replay, source]);
  }
  if (looked.length === 0) return undecided(check, 'no fork point was at hand that shows it', [source]);
  return passing(check, [...looked, source]);
}

const REGENERATED = sharedCause('regenerated-fact');

/** The first of these facts that the replay does not have to the letter; a fact too many counts beside the last. */
function otherFact(source: RunObservation, replay: RunObservation, places: readonly number[]): Difference | undefined {
  const [before, after] = [factsOf(source), factsOf(replay)];
  const place = (event: RunEvent | undefined, run: RunObservation): string =>
    event === undefined ? `no ${FACT} in ${named(run)}` : `sequence ${event.sequence}, ${FACT}, in ${named(run)}`;
  const runIds = { sourceRunId: source.runId ?? '', replayRunId: replay.runId ?? '' };
  for (const index of places) {
    const [fact, again] = [before[index], after[index]];
    const [first] = diffValues(fact?.payload, again?.payload, { pointer: '/payload', ...runIds });
    if (again !== undefined && first === undefined) continue;
    return {
      expected: `${place(fact, source)} ${first?.pointer ?? ''}: ${shown(first?.source)}`,
      actual: `${place(again, replay)} ${first?.pointer ?? ''}: ${shown(first?.replay)}`,
      diagnosis: REGENERATED,
    };
  }
  const extra = after[before.length];
  if (extra === undefined || !places.includes(before.length - 1)) return undefined;
  return {
    expected: `${before.length} ${FACT} as in ${named(source)}`,
    actual: `${after.length}, the last one at ${place(extra, replay)}: ${shown(extra.payload)}`,
    diagnosis: REGENERATED,
  };
}

/** replay.md, Determinism 5. */
export const facts = defineJudgedScenario<RunObservation>({
  id: 'replay.facts',
  suite: 'replay-determinism',
  title: 'Memories that were written',
  checks: [
    {
      id: executed,
      requirement: executed,
      title: 'Recorded-fact events that a replay comes to keep their identifiers and timestamps',
    },
    {
      id: inherited,
      requirement: executed,
      title: 'Recorded-fact events in the fixed history keep their identifiers and timestamps',
    },
  ],
  gate: always,
  needs: [replays, { kind: 'fixture', workflowId: MEMORY }],
  exclusive: [],
  patience: () => 60,
  drive,
  judge: (observations) => PARTS.map((part) => judgePart(runsOf(observations), part)),
});
