import { isDeepStrictEqual } from 'node:util';
import {
  fail,
  isOutcome,
  type Mismatch,
  type Outcome,
  pass,
  undecided,
  undecidedUntil,
} from '../../src/contract/outcome.ts';
import { member } from '../../src/contract/discovery.ts';
import { diffValues, holdsIdOrTime } from '../../src/event-log/index.ts';
import type { Probe } from '../../src/host/probe.ts';
import type { RunEvent } from '../../src/host/run-event.ts';
import { defineScenario, type Judging } from '../../src/runner/define-scenario.ts';
import type { ScenarioOptions } from '../../src/runner/scenario.ts';
import { eventsOf, isAboutReplay, named, shown } from '../shared/compare-runs.ts';
import { sharedCause } from '../shared/diagnoses.ts';
import { type Forked, leftUntil, needForks, runOf } from '../shared/need.ts';
import { nodeOf } from '../shared/read-event.ts';
import type { Recordings } from '../shared/of-type.ts';
import { forkPoints, replayOf, replays } from '../shared/replays.ts';
import { isObserved, type RunObservation, startRun } from '../shared/run-observation.ts';
import { settle } from '../shared/settle.ts';
import { sweptBesideRows } from '../shared/swept-runs.ts';

const MEMORY = 'conformance-determinism-memory-write';
const FACT = 'memory.written';

const verbatim = 'replay.recorded-facts-verbatim';

/** Forks of the memory fixture beside the full replay, at most. */
const SWEEP = 12;

async function drive(probe: Probe, { forks }: ScenarioOptions): Promise<readonly RunObservation[]> {
  const source = await startRun(probe, { workflowId: MEMORY, inputs: {} }, { role: 'source' });
  if (!isObserved(source)) return [source];
  const full = await replayOf(probe, source, undefined);
  const second = isObserved(full)
    ? [await replayOf(probe, full, undefined, { role: 'replay of the full replay' })]
    : [];
  const observations = [source, full, ...second];
  const between = factsOf(source)
    .slice(1)
    .map(({ sequence }) => sequence);
  for (const fromSeq of forkPoints(source, between, Math.min(SWEEP, Math.max(2, forks - 3)))) {
    observations.push(await replayOf(probe, source, fromSeq));
  }
  return observations;
}

function factsOf(run: RunObservation): readonly RunEvent[] {
  return eventsOf(run).filter(({ type }) => type === FACT);
}

/** Logs with recorded facts, wherever they came from. */
interface Remembered {
  /** The fixture and its replays, or the outcome that is left without them. */
  readonly own: Forked | Outcome;
  readonly swept: readonly Forked[];
}

function see(recorded: Recordings, { everything }: Judging): Remembered {
  const observed = needForks(recorded);
  const isMissing = isOutcome(observed) && runOf(recorded, 'source')?.problem !== null;
  const others = sweptBesideRows(everything).filter(({ source }) => factsOf(source).length > 0);
  return {
    own: isMissing ? leftUntil(`seed ${MEMORY}`, `no replay of a log with ${FACT} was seen`, observed) : observed,
    swept: others.map(({ source, replays: made }) => ({ source, replays: made.filter((run) => isLike(run, source)) })),
  };
}

/** A replay that does something else may come to other facts: there are rows about that. */
function isLike(replay: RunObservation, source: RunObservation): boolean {
  return isDeepStrictEqual(stepsOf(replay), stepsOf(source));
}

function stepsOf(run: RunObservation): readonly unknown[] {
  const steps = eventsOf(run).filter((event) => event.type !== FACT && !isAboutReplay(event));
  return steps.map((event) => [event.type, nodeOf(event)]);
}

/** Judges the facts that a replay inherits, or those that it writes again, as `isMeant` tells by its start. */
function judgeFacts({ own, swept }: Remembered, isMeant: IsMeant): Outcome {
  const theirs = swept.map((log) => judgeLog(log, isMeant));
  return settle([isOutcome(own) ? own : judgeLog(own, isMeant), ...theirs]);
}

type IsMeant = (sequence: number, fromSeq: number) => boolean;

function judgeLog({ source, replays: forks }: Forked, isMeant: IsMeant): Outcome {
  const facts = factsOf(source);
  if (facts.length === 0) {
    return undecided(`the run has no ${FACT}: ${MEMORY} writes two memories, each a recorded fact`, [source]);
  }
  const placesIn = ({ fork }: RunObservation): readonly number[] =>
    facts.flatMap(({ sequence }, index) => (isMeant(sequence, fork?.fromSeq ?? 0) ? [index] : []));
  const meant = forks.filter((replay) => placesIn(replay).length > 0);
  for (const replay of meant) {
    const mismatch = otherFact(source, replay, isMeant);
    if (mismatch !== undefined) return fail({ ...mismatch, diagnosis: REGENERATED }, [replay, source]);
  }
  if (meant.length === 0) return undecided('no fork point was at hand that shows it', [source]);
  const compared = meant.filter((replay) => placesIn(replay).some((index) => holdsIdOrTime(facts[index]?.payload)));
  return compared.length > 0
    ? pass([...compared, source], retimedText(source, meant, placesIn))
    : undecidedUntil(SHOW_THEM, nothingIn(facts), [...meant, source]);
}

function timeOf(event: RunEvent | undefined): unknown {
  return member(event?.raw, 'timestamp');
}

/**
 * What is no failure: another clock reading in the envelope of a fact that a fork has as its history, which the readings mask there
 * (Fork and prefix). What the fact itself says of its time stands in the payload.
 */
function retimedText(
  source: RunObservation,
  forks: readonly RunObservation[],
  placesIn: (replay: RunObservation) => readonly number[],
): string | undefined {
  const before = factsOf(source);
  for (const replay of forks) {
    const after = factsOf(replay);
    const inherited = placesIn(replay).filter((index) => (before[index]?.sequence ?? 0) < (replay.fork?.fromSeq ?? 0));
    const other = inherited.find((index) => timeOf(before[index]) !== timeOf(after[index]));
    if (other === undefined) continue;
    const times = `${shown(timeOf(after[other]))}, not ${shown(timeOf(before[other]))}`;
    return `advisory: the timestamp in the envelope of an inherited ${FACT} is ${times}, in ${named(replay)}`;
  }
  return undefined;
}

const SHOW_THEM = `show memoryId and writtenAt, or what stands for them, in the payload of ${FACT}`;

/** Facts that show neither an identifier nor a time look alike however they were made. */
function nothingIn([fact]: readonly RunEvent[]): string {
  return `no ${FACT} shows an identifier or a timestamp to compare (the first payload is ${shown(fact?.payload)})`;
}

const REGENERATED = sharedCause('regenerated-fact');

/** The first of these facts that the replay does not have to the letter, or one too many. */
function otherFact(source: RunObservation, replay: RunObservation, isMeant: IsMeant): Mismatch | undefined {
  const [before, after] = factsBeside(source, replay, isMeant);
  const place = (event: RunEvent | undefined, run: RunObservation): string =>
    event === undefined ? `no ${FACT} in ${named(run)}` : `sequence ${event.sequence}, ${FACT}, in ${named(run)}`;
  const runIds = { sourceRunId: source.runId ?? '', replayRunId: replay.runId ?? '' };
  for (const [index, fact] of before.entries()) {
    const again = after[index];
    const [first] = diffValues(fact.payload, again?.payload, { pointer: '/payload', ...runIds });
    if (again !== undefined && first === undefined) continue;
    return {
      expected: `${place(fact, source)} ${first?.pointer ?? ''}: ${shown(first?.source)}`,
      actual: `${place(again, replay)} ${first?.pointer ?? ''}: ${shown(first?.replay)}`,
    };
  }
  const extra = after[before.length];
  if (extra === undefined) return undefined;
  return {
    expected: `${before.length} ${FACT} as in ${named(source)}`,
    actual: `${after.length}, the last one at ${place(extra, replay)}: ${shown(extra.payload)}`,
  };
}

/**
 * The facts that are meant, of a source and of its replay, which belong together one by one: as they come, where both have as many
 * in all, however a replay numbers its events; or else by their numbers, so that one lost in the history does not shift those behind it.
 */
function factsBeside(
  source: RunObservation,
  replay: RunObservation,
  isMeant: IsMeant,
): readonly [before: readonly RunEvent[], after: readonly RunEvent[]] {
  const [before, after] = [factsOf(source), factsOf(replay)];
  const isOne = ({ sequence }: RunEvent): boolean => isMeant(sequence, replay.fork?.fromSeq ?? 0);
  const isTheirs = (fact: RunEvent, index: number): boolean => isOne(before[index] ?? fact);
  return [before.filter(isOne), after.filter(before.length === after.length ? isTheirs : isOne)];
}

/** replay.md, Determinism 5: the fixture's facts, and those of whatever a sweep saw. */
export const facts = defineScenario({
  id: 'replay.facts',
  suite: 'replay-determinism',
  title: 'Memories that were written',
  needs: [replays],
  foundation: true,
  patience: () => 60,
  drive,
  see,
  checks: [
    {
      id: verbatim,
      title: 'Recorded-fact events that a replay comes to keep their identifiers and timestamps',
      judge: (recorded) => judgeFacts(recorded, (sequence, fromSeq) => sequence >= fromSeq),
    },
    {
      id: `${verbatim}.in-history`,
      title: 'Recorded-fact events in the fixed history keep their identifiers and timestamps',
      judge: (recorded) => judgeFacts(recorded, (sequence, fromSeq) => sequence < fromSeq),
    },
  ],
});
