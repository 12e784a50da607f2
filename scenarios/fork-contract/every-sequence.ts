import { fail, pass, undecidedUntil, type Outcome } from '../../src/contract/outcome.ts';
import type { Probe } from '../../src/host/probe.ts';
import { defineScenario, type Judging } from '../../src/runner/define-scenario.ts';
import type { ScenarioOptions } from '../../src/runner/scenario.ts';
import { isSuccess } from '../../src/protocol/status.ts';
import { eventsOf } from '../shared/compare-runs.ts';
import { sourceAmong, wholeRunsIn, type AnyRun } from '../shared/every-run.ts';
import { startPublic } from '../shared/first-run.ts';
import { FOUNDATIONS } from '../shared/foundations.ts';
import { forkText, leftWithout, refusedText, refusedWrongly, runsOf } from '../shared/need.ts';
import { isDisordered } from '../shared/numbers-note.ts';
import type { Recordings } from '../shared/of-type.ts';
import { replays } from '../shared/replays.ts';
import { isObserved, startFork, type RunObservation } from '../shared/run-observation.ts';
import { spread } from '../shared/spread.ts';
import { forksAmong } from './forks-everywhere.ts';
import { FULL_REPLAY } from './full-replay.ts';
import { type Fault, wrongMembers } from './judge-answer.ts';
import { wrong as naming } from './diagnoses.ts';
import { sharedCause } from '../shared/diagnoses.ts';

const EVERY_SEQUENCE = 'fork.every-sequence';
/** The role of the replay of the whole run. */
const WHOLE = 'replay';

/** The start of every run, whatever number its log begins with (replay.md, Endpoint: 0 is a full re-execution). */
const START = 0;

/** A run, its full replay, and a replay from each of its events, and from 0 where its log begins with another number. */
async function drive(probe: Probe, { forks }: ScenarioOptions): Promise<readonly RunObservation[]> {
  const source = await startPublic(probe, 'source');
  if (!isObserved(source)) return [source];
  const whole = await startFork(probe, source, { mode: 'replay' }, { role: WHOLE });
  const sequences = eventsOf(source).map(({ sequence }) => sequence);
  const starts = sequences.length === 0 || sequences.includes(START) ? [] : [START];
  const later = [...starts, ...spread(sequences, forks)].map((fromSeq) =>
    startFork(probe, source, { mode: 'replay', fromSeq }, { role: `replay from ${fromSeq}` }),
  );
  return [source, whole, ...(await Promise.all(later))];
}

/**
 * replay.md, Endpoint: a mode that is advertised works from every sequence number that the log has, and from 0, and is answered with 201.
 * The replays of other scenarios count as well; those of a fork are for the row about forks of forks.
 */
function judgeEverySequence(recorded: Recordings, { everything }: Pick<Judging, 'everything'>): Outcome {
  const own = runsOf(recorded);
  const all = wholeRunsIn(everything);
  const replayed = replaysOfSources(all);
  const refused = replayed.filter(refusedWrongly);
  const [first] = refused;
  if (first !== undefined) {
    // Where no replay works at all, the first row about forks says so.
    const noneWorks = own.some((run) => run.fork?.fromSeq === null && refusedWrongly(run));
    return fail(
      {
        diagnosis: sharedCause('fork-refused'),
        expected: `201 from ${placeOf(first)}: the host offers the mode replay`,
        actual: `${refusedText(first)}; ${refused.length} replays were refused`,
        restsOn: noneWorks ? FOUNDATIONS.replays : numbersOwner(all, refused),
      },
      refused,
    );
  }
  const accepted = replayed.filter(isAcceptedOtherwise);
  const [otherwise] = accepted;
  if (otherwise !== undefined) {
    // Where no replay is answered with 201, the first row about forks says so.
    const noneIsCreated = own.some((run) => run.role === WHOLE && isAcceptedOtherwise(run));
    return fail(
      {
        diagnosis: naming('other-fork-answer'),
        expected: `201 from ${placeOf(otherwise)}`,
        actual: `${otherwise.answered ?? ''} for ${forkText(otherwise)}`,
        restsOn: noneIsCreated ? FOUNDATIONS.replays : undefined,
      },
      accepted,
    );
  }
  const wrong = firstWrong(replayed, all);
  if (wrong !== undefined) return wrongAnswer(wrong, own, all);
  const left = leftWithout(own);
  if (left !== undefined) return left;
  const later = own.filter(isReplayFromAnEvent);
  return later.length > 0
    ? pass(later)
    : undecidedUntil('seed conformance-noop', 'the log has no event to replay from', []);
}

/** Where a replay begins, among those that have to work. */
function placeOf({ fork }: RunObservation): string {
  return (fork?.fromSeq ?? START) === START ? '0, the start of every run' : 'every sequence number of the log';
}

/** The row about numbers, where those of a log that forks were made from do not say where an event stands. */
function numbersOwner(all: readonly AnyRun[], forks: readonly AnyRun[]): string | undefined {
  const sources = new Set(forks.map(({ fork }) => fork?.sourceRunId));
  const isDisorderly = all.some((run) => sources.has(run.runId) && isDisordered({ events: eventsOf(run) }));
  return isDisorderly ? FOUNDATIONS.numbers : undefined;
}

function isReplayFromAnEvent({ fork }: RunObservation): boolean {
  return fork?.mode === 'replay' && fork.fromSeq !== null;
}

/** Scenarios of which the first row about forks judges the full replay. */
const OF_THE_START: ReadonlySet<string> = new Set([FULL_REPLAY, EVERY_SEQUENCE]);

/** The replays of runs that are no forks themselves: those from an event, and those from the start of runs that have ended. */
function replaysOfSources(runs: readonly AnyRun[]): readonly AnyRun[] {
  const forks = new Set(runs.flatMap(({ fork, runId }) => (fork !== null && runId !== null ? [runId] : [])));
  const ofEnded = new Set(forksAmong(runs, 'replay').map(({ fork }) => fork));
  return runs.filter(
    (run) =>
      (isReplayFromAnEvent(run) || (ofEnded.has(run) && !OF_THE_START.has(run.scenario))) &&
      !forks.has(run.fork?.sourceRunId ?? ''),
  );
}

/** Whether a fork was accepted, and with another status than the one for it. */
function isAcceptedOtherwise({ answered }: RunObservation): boolean {
  return isSuccess(answered) && answered !== 201;
}

/** A replay whose answer is wrong about it. */
interface WrongAnswer {
  readonly replay: AnyRun;
  readonly faults: readonly Fault[];
}

/** The first of these replays whose answer lacks members or has wrong ones (replay.md, Response). */
function firstWrong(later: readonly AnyRun[], all: readonly AnyRun[]): WrongAnswer | undefined {
  for (const replay of later) {
    const faults = faultsIn(replay, all);
    if (faults.length > 0) return { replay, faults };
  }
  return undefined;
}

function faultsIn(replay: RunObservation, all: readonly AnyRun[]): readonly Fault[] {
  const source = replay.answered === 201 ? sourceAmong(replay, all) : undefined;
  return source === undefined || replay.answer === null ? [] : wrongMembers(replay.answer, replay, source);
}

/** Where the answer to the replay of the whole run has the same faults, or was left out for them, the first row about forks says so. */
function wrongAnswer({ replay, faults }: WrongAnswer, own: readonly RunObservation[], all: readonly AnyRun[]): Outcome {
  const whole = own.find(({ role }) => role === WHOLE);
  const everywhere = new Set((whole === undefined ? [] : faultsIn(whole, all)).map(({ name }) => name));
  const isEverywhere = whole === undefined || faults.every(({ name }) => everywhere.has(name));
  return fail(
    {
      diagnosis: naming('other-fork-answer'),
      expected: 'an answer with the six members of a fork from every sequence number of the log, as requested',
      actual: `${faults.map(({ text }) => text).join('; ')} for ${forkText(replay)}`,
      restsOn: isEverywhere ? FOUNDATIONS.replays : numbersOwner(all, [replay]),
    },
    [replay],
  );
}

/** The row of the mode replay that other rows stand on. */
export const everySequence = defineScenario({
  id: EVERY_SEQUENCE,
  suite: 'fork-contract',
  title: 'A run is replayed from each of its events',
  foundation: true,
  needs: [replays],
  patience: ({ forks }) => 30 + forks,
  drive,
  checks: [
    {
      id: 'fork.created.every-sequence',
      title: 'The mode replay works from every sequence number that the log has',
      judge: judgeEverySequence,
    },
  ],
});
