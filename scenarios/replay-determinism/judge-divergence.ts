import type { Judgement } from '../../src/contract/verdict.ts';
import { readRunEvent, terminalStatus, type RunEvent } from '../../src/host/run-event.ts';
import type { Recorded } from '../../src/runner/scenario.ts';
import { compareLogs, eventsOf, named } from '../shared/compare-runs.ts';
import { unseen } from '../shared/judge-run.ts';
import { type DebugObservation, DIVERGED } from './debug-reading.ts';
import { failing, passing, type SeenRun, undecided } from '../shared/judging.ts';
import { differingPlaces, locate } from './locators.ts';
import { nodeOf } from '../shared/node-of.ts';
import { wrong } from './diagnoses.ts';

/** A replay that has to differ from its source, and what else was read of it. */
export interface Diverging {
  readonly source: SeenRun | undefined;
  readonly replay: SeenRun | undefined;
  readonly shown: readonly Recorded<DebugObservation>[];
  /** Fields that were declared volatile. */
  readonly volatile: readonly string[];
}

type Evidence = readonly { readonly id: string }[];

/** The two runs where both were seen and differ, or the judgement that is left. */
export function differing(
  check: string,
  { source, replay, volatile }: Diverging,
): { readonly source: SeenRun; readonly replay: SeenRun; readonly evidence: Evidence } | Judgement {
  const missing = unseen(check, [source, replay]);
  if (missing !== undefined || source === undefined || replay === undefined) {
    return missing ?? undecided(check, 'a run was not driven', []);
  }
  const compared = compareLogs(source, replay, volatile);
  const evidence = [replay, source];
  if (compared.kind === 'unreadable') return undecided(check, compared.reason, evidence);
  if (compared.kind === 'same') {
    return undecided(check, `${named(replay)} is the same as ${named(source)} although the code is not`, evidence);
  }
  return { source, replay, evidence };
}

/** The reports of a replay: those of its log, and those that only the stream mode `debug` shows. */
export function reportsOf({ replay, shown }: Diverging): readonly RunEvent[] {
  const inLog = replay === undefined ? [] : eventsOf(replay);
  const known = new Set(inLog.map(({ eventId }) => eventId));
  const inDebug = shown.flatMap(({ events }) => events.flatMap((event) => readRunEvent(event) ?? []));
  return [...inLog, ...inDebug.filter(({ eventId }) => !known.has(eventId))].filter(({ type }) => type === DIVERGED);
}

/** replay.md, Failure surfaces 2: the event is there, and names where the runs part. */
export function judgeReported(check: string, diverging: Diverging): Judgement {
  const runs = differing(check, diverging);
  if ('verdict' in runs) return runs;
  const { source, replay, evidence } = runs;
  const reports = reportsOf(diverging);
  if (reports.length === 0) {
    if (diverging.shown.some(({ types }) => types.includes(DIVERGED))) {
      return undecided(check, `${DIVERGED} is seen in the debug stream only, without its payload`, evidence);
    }
    const compared = compareLogs(source, replay, diverging.volatile);
    const where = compared.kind === 'different' ? `: ${compared.mismatch.actual}` : '';
    return failing(
      check,
      { expected: `${DIVERGED} in ${named(replay)}`, actual: `none, although it differs${where}`, diagnosis: SILENT },
      evidence,
    );
  }
  const places = differingPlaces(source, replay, diverging.volatile);
  if (places === undefined) return undecided(check, 'where the two logs differ could not be found', evidence);
  const located = reports.map((report) => locate(report, places, source.runId));
  if (located.some(({ isRight }) => isRight)) return passing(check, [...evidence, ...diverging.shown]);
  const given = [...new Set(located.flatMap((each) => each.given))];
  const right = `sequences ${sequences(places.source)} of ${named(source)}, ${sequences(places.replay)} of ${named(replay)}`;
  return failing(
    check,
    {
      expected: `a locator that points at the difference (${right})`,
      actual: given.length === 0 ? 'no locator in any report' : given.join('; '),
      diagnosis: given.length === 0 ? WITHOUT : ASTRAY,
    },
    evidence,
  );
}

function sequences(events: readonly RunEvent[]): string {
  return events.map(({ sequence }) => sequence).join(', ');
}

const SILENT = wrong('silent-divergence');
const WITHOUT = wrong('without-locators');
const ASTRAY = wrong('wrong-locators');

/** replay.md, Failure surfaces 1: the run goes on, with all nodes that its code has, to its end. */
export function judgeContinues(check: string, diverging: Diverging): Judgement {
  const runs = differing(check, diverging);
  if ('verdict' in runs) return runs;
  const { source, replay, evidence } = runs;
  if (reportsOf(diverging).length === 0) return undecided(check, `${named(replay)} reports no divergence`, evidence);
  const status = endOf(replay);
  if (endOf(source) === 'completed' && status !== 'completed') {
    const expected = `${named(replay)} goes on to run.completed`;
    return failing(
      check,
      { expected, actual: `run.${status ?? 'none'} in ${named(replay)}`, diagnosis: STOPPED },
      evidence,
    );
  }
  const done = completedNodes(replay);
  const left = [...completedNodes(source)].filter((nodeId) => !done.has(nodeId));
  if (left.length > 0) {
    const expected = `node ${left.join(', ')} completes as in ${named(source)}`;
    return failing(check, { expected, actual: `not in ${named(replay)}`, diagnosis: STOPPED }, evidence);
  }
  return passing(check, evidence);
}

const STOPPED = wrong('blocked-by-divergence');

function endOf(run: SeenRun): string | undefined {
  return eventsOf(run)
    .map(({ type }) => terminalStatus(type))
    .find((status) => status !== undefined);
}

function completedNodes(run: SeenRun): ReadonlySet<string> {
  const done = eventsOf(run).filter(({ type }) => type === 'node.completed');
  return new Set(done.flatMap((event) => nodeOf(event) ?? []));
}

/** replay.md, Failure surfaces 3. */
export function judgeDebugStream(check: string, diverging: Diverging): Judgement {
  const runs = differing(check, diverging);
  if ('verdict' in runs) return runs;
  const { replay, evidence } = runs;
  const [debug] = diverging.shown;
  if (debug === undefined) return undecided(check, 'the stream mode debug was not read', evidence);
  if (debug.types.includes(DIVERGED)) return passing(check, [debug, replay]);
  if (reportsOf(diverging).length === 0) return undecided(check, `${named(replay)} reports no divergence`, evidence);
  if (debug.complete) {
    const expected = `${DIVERGED} among the events of streamMode=debug, as in the log`;
    return failing(check, { expected, actual: debug.types.join(', ') }, [debug, replay]);
  }
  if (debug.answered === 400) {
    return failing(check, { expected: 'the stream mode debug', actual: 'streamMode=debug is answered with 400' }, [
      debug,
    ]);
  }
  if (debug.answered === 404 || debug.answered === 405 || debug.answered === 501) {
    const reason = `the host has no event stream (GET …/events answered ${debug.answered}), so no stream mode either`;
    return { check, verdict: 'not-applicable', reason, evidence: [debug.id] };
  }
  const answered = debug.answered === null ? 'not answered' : `answered with ${debug.answered}`;
  return undecided(check, `streamMode=debug was ${answered} and not read to the run's end`, [debug]);
}
