import {
  type Evidence,
  fail,
  isOutcome,
  notApplicable,
  type Outcome,
  pass,
  rests,
  undecided,
} from '../../src/contract/outcome.ts';
import type { Observation } from '../../src/evidence/types.ts';
import { isRecord, readRunEvent, type RunEvent } from '../../src/host/run-event.ts';
import { endOf } from '../../src/protocol/run-status.ts';
import type { Everything, Recorded } from '../../src/runner/scenario.ts';
import { compareLogs, eventsOf, named } from '../shared/compare-runs.ts';
import { wholeRunsIn } from '../shared/every-run.ts';
import { FOUNDATIONS } from '../shared/foundations.ts';
import { leftUndriven, need, type RecordedRun } from '../shared/need.ts';
import { nodeOf } from '../shared/read-event.ts';
import { type DebugObservation, debugReadings, DIVERGED } from './debug-reading.ts';
import { wrong } from './diagnoses.ts';
import { beside, differingPlaces, locate, unnamed } from './locators.ts';

/** What says that a replay met another kind of envelope, and the check that says of two valid ones that it must not. */
const [AT_REFUSAL, FALSE_ALARM] = ['replay.divergedAtRefusal', 'refusal.no-false-alarm.valid-to-valid'] as const;

/** Locators that a message shows. */
const SHOWN = 3;

/** A replay that differs from its source. */
export interface Diverged {
  readonly source: RecordedRun;
  readonly replay: RecordedRun;
  /** The reports of the divergence, in the log or in the stream mode `debug` alone. */
  readonly reports: readonly RunEvent[];
  readonly debug: readonly Recorded<DebugObservation>[];
  /** Fields that were declared volatile. */
  readonly volatile: readonly string[];
  readonly evidence: Evidence;
}

/** The runs of two roles where both were seen and differ, or the outcome that is left. */
export function diverged(
  recorded: readonly Recorded<Observation>[],
  [from, to]: readonly [source: string, replay: string],
  volatile: readonly string[],
): Diverged | Outcome {
  const runs = need(recorded, from, to);
  if (isOutcome(runs)) return runs;
  const { [from]: source, [to]: replay } = runs;
  if (source === undefined || replay === undefined) return leftUndriven(to);
  const compared = compareLogs(source, replay, volatile);
  const evidence = [replay, source];
  if (compared.kind === 'unreadable') return undecided(compared.reason, evidence);
  if (compared.kind === 'same') {
    return undecided(
      `${named(replay)} is the same as ${named(source)}, although what it executes was changed`,
      evidence,
    );
  }
  if (compareLogs(numbered(source), numbered(replay), volatile).kind === 'same') {
    const why = `${named(replay)} differs from ${named(source)} in the numbers of its events alone`;
    return rests(FOUNDATIONS.numbers, undecided(why, evidence));
  }
  const debug = debugReadings(recorded, to);
  return { source, replay, reports: reportsIn(replay, debug), debug, volatile, evidence };
}

/** A run whose events are numbered by their places: another number is no other event. */
function numbered(run: RecordedRun): RecordedRun {
  const events = run.events.map((event, index) =>
    isRecord(event) ? { ...event, sequence: index, ...('seq' in event && { seq: index }) } : event,
  );
  return { ...run, events };
}

function reportsIn(replay: RecordedRun, debug: Diverged['debug']): readonly RunEvent[] {
  const inLog = eventsOf(replay);
  const known = new Set(inLog.map(({ eventId }) => eventId));
  const inDebug = debug.flatMap(({ events }) => events.flatMap((event) => readRunEvent(event) ?? []));
  return [...inLog, ...inDebug.filter(({ eventId }) => !known.has(eventId))].filter(({ type }) => type === DIVERGED);
}

/** replay.md, Failure surfaces 2: the event is there, and names where the runs part. */
export function judgeReported(runs: Diverged | Outcome): Outcome {
  if (isOutcome(runs)) return runs;
  const { source, replay, reports, debug, volatile, evidence } = runs;
  if (reports.length === 0) {
    if (debug.some(({ types }) => types.includes(DIVERGED))) {
      return undecided(`${DIVERGED} is seen in the debug stream only, without its payload`, evidence);
    }
    const actual = `none, although it differs${differenceIn(runs)}`;
    return fail(
      {
        expected: `${DIVERGED} in ${named(replay)}`,
        actual,
        diagnosis: wrong('silent-divergence'),
        restsOn: eventsOf(replay).some(({ type }) => type === AT_REFUSAL) ? FALSE_ALARM : undefined,
      },
      evidence,
    );
  }
  const places = differingPlaces(source, replay, volatile);
  if (places === undefined) return undecided('where the two logs differ could not be found', evidence);
  const located = reports.map((report) => locate(report, places, source.runId));
  if (located.some(({ isRight }) => isRight)) {
    const notes = [
      ...reports.flatMap((report) => unnamed(report, runs) ?? []),
      ...reports.flatMap((report) => beside(report, runs, places) ?? []),
    ].slice(0, SHOWN);
    return pass([...evidence, ...debug], notes.length === 0 ? undefined : notes.join('; '));
  }
  const given = [...new Set(located.flatMap((each) => each.given))];
  const right = `sequences ${sequences(places.source)} of ${named(source)}, ${sequences(places.replay)} of ${named(replay)}`;
  return fail(
    {
      expected: `a locator that points at the difference (${right})`,
      actual: given.length === 0 ? 'no locator in any report' : given.join('; '),
      diagnosis: wrong(given.length === 0 ? 'without-locators' : 'wrong-locators'),
    },
    evidence,
  );
}

/** Where the runs part: at a measurement of usage, whose trace is another one each time, only where nothing else differs. */
function differenceIn({ source, replay, volatile }: Diverged): string {
  const withoutUsage = compareLogs(unmeasured(source), unmeasured(replay), volatile);
  const compared = withoutUsage.kind === 'different' ? withoutUsage : compareLogs(source, replay, volatile);
  return compared.kind === 'different' ? `: ${compared.mismatch.actual}` : '';
}

function unmeasured(run: RecordedRun): RecordedRun {
  return { ...run, events: run.events.filter((event) => readRunEvent(event)?.type !== 'provider.usage') };
}

function sequences(events: readonly RunEvent[]): string {
  return events.map(({ sequence }) => sequence).join(', ');
}

/** Replays that differ, beside the one with another value. */
interface Others {
  /** Those whose code has all nodes of the source; undefined where none was driven. */
  readonly whole: readonly (Diverged | Outcome | undefined)[];
  /** Those whose code has fewer. */
  readonly fewer: readonly (Diverged | Outcome)[];
}

/** replay.md, Failure surfaces 1: the run goes on, with all nodes that its code has, to its end; so does every other that says that it differs. */
export function judgeContinues(runs: Diverged | Outcome, { whole, fewer }: Others = { whole: [], fewer: [] }): Outcome {
  const outcome = isOutcome(runs) ? runs : (blocked(runs) ?? endOfReported(runs));
  if (outcome.kind === 'fail') return outcome;
  const ends = fewer.map((each) => (isOutcome(each) ? undefined : blockedEnd(each)));
  const others = whole.map((each) => (each === undefined || isOutcome(each) ? undefined : blocked(each)));
  return [...others, ...ends].find((each) => each !== undefined) ?? outcome;
}

function endOfReported({ replay, reports, evidence }: Diverged): Outcome {
  return reports.length === 0 ? undecided(`${named(replay)} reports no divergence`, evidence) : pass(evidence);
}

/** The failure of a replay that reports a divergence and does not go on; one without a report is for the row about reports. */
function blocked(runs: Diverged): Outcome | undefined {
  const end = blockedEnd(runs);
  const { source, replay, reports, evidence } = runs;
  if (end !== undefined || reports.length === 0) return end;
  const done = completedNodes(replay);
  const lacking = [...completedNodes(source, replay.fork?.fromSeq ?? 0)].filter((nodeId) => !done.has(nodeId));
  if (lacking.length === 0) return undefined;
  const expected = `node ${lacking.join(', ')} completes as in ${named(source)}`;
  return fail({ expected, actual: `not in ${named(replay)}`, diagnosis: wrong('blocked-by-divergence') }, evidence);
}

function blockedEnd({ source, replay, reports, evidence }: Diverged): Outcome | undefined {
  const status = endOf(eventsOf(replay));
  if (reports.length === 0 || endOf(eventsOf(source)) !== 'completed' || status === 'completed') return undefined;
  const expected = `${named(replay)} goes on to run.completed`;
  const actual = `run.${status ?? 'none'} in ${named(replay)}`;
  return fail({ expected, actual, diagnosis: wrong('blocked-by-divergence') }, evidence);
}

/** The nodes that completed from a number on. */
function completedNodes(run: RecordedRun, from = 0): ReadonlySet<string> {
  const done = eventsOf(run).filter(({ type, sequence }) => type === 'node.completed' && sequence >= from);
  return new Set(done.flatMap((event) => nodeOf(event) ?? []));
}

/** replay.md, Failure surfaces 3: of every run that was read in that mode. */
export function judgeDebugStream(runs: Diverged | Outcome, everything: Everything): Outcome {
  return missingInDebug(everything) ?? judgeShown(runs);
}

/** The failure of a run whose log reports more divergences than the stream mode `debug` shows; undefined where there is none, or all are missing. */
function missingInDebug(everything: Everything): Outcome | undefined {
  const runs = wholeRunsIn(everything);
  for (const debug of everything.filter(isDebugReading)) {
    const run = runs.find(({ scenario, role }) => scenario === debug.scenario && role === debug.role);
    const reports = run === undefined ? [] : eventsOf(run).filter(({ type }) => type === DIVERGED);
    const logged = new Set(reports.map(({ eventId }) => eventId)).size;
    const seen = debug.types.filter((type) => type === DIVERGED).length;
    if (run === undefined || !debug.complete || seen === 0 || seen >= logged) continue;
    const expected = `${logged} ${DIVERGED} among the events of streamMode=debug, as in the log of ${named(run)}`;
    return fail({ diagnosis: wrong('hidden-in-debug'), expected, actual: String(seen) }, [debug, run]);
  }
  return undefined;
}

function isDebugReading(each: Everything[number]): each is Everything[number] & DebugObservation {
  return each.type === 'debug-stream';
}

function judgeShown(runs: Diverged | Outcome): Outcome {
  if (isOutcome(runs)) return runs;
  const { replay, reports, evidence } = runs;
  const [debug] = runs.debug;
  if (debug === undefined) return undecided('the stream mode debug was not read', evidence);
  if (debug.types.includes(DIVERGED)) return pass([debug, replay]);
  if (reports.length === 0) return undecided(`${named(replay)} reports no divergence`, evidence);
  if (debug.complete) {
    const expected = `${DIVERGED} among the events of streamMode=debug, as in the log`;
    return fail({ diagnosis: wrong('hidden-in-debug'), expected, actual: debug.types.join(', ') }, [debug, replay]);
  }
  const { answered } = debug;
  if (answered === 400) {
    return fail(
      {
        diagnosis: wrong('hidden-in-debug'),
        expected: 'the stream mode debug',
        actual: 'streamMode=debug is answered with 400',
      },
      [debug],
    );
  }
  if (answered === 404 || answered === 405 || answered === 501) {
    const reason = `the host has no event stream (GET …/events answered ${answered}), so no stream mode either`;
    return notApplicable(reason, [debug]);
  }
  const answer = answered === null ? 'not answered' : `answered with ${answered}`;
  return undecided(`streamMode=debug was ${answer} and not read to the run's end`, [debug]);
}
