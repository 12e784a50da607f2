import { member } from '../../src/contract/discovery.ts';
import { compareEvents, readVolatile } from '../../src/event-log/index.ts';
import { readRunEvent, type RunEvent } from '../../src/host/run-event.ts';
import type { Judging } from '../../src/runner/define-scenario.ts';
import { eventsOf, isAboutReplay, rawOf } from '../shared/compare-runs.ts';
import { runsOf, type SeenRun } from '../shared/need.ts';
import { ofType, type Recordings } from '../shared/of-type.ts';
import type { RunObservation } from '../shared/run-observation.ts';
import type { ReportObservation } from './score-report.ts';

/** How a replay's log stands to its source's, by the harness's own comparison. */
interface Partings {
  /** Whether both are alike, replay.* events left out. */
  readonly isSame: boolean;
  /** The sequence numbers by which the first parting may be called, in the source's or the replay's count. */
  readonly first: ReadonlySet<number>;
  /** The same for all partings; undefined where there are more than were kept. */
  readonly all: ReadonlySet<number> | undefined;
  /** Events of the two logs, replay.* events left out. */
  readonly counts: { readonly source: number; readonly replay: number };
}

/** Compares two logs; a text says why they cannot be compared. */
function partingsOf(source: RunObservation, replay: RunObservation, volatile: readonly string[]): Partings | string {
  const [before, after] = [plainEvents(source), plainEvents(replay)];
  if (before.length === 0) return 'the log of the source is empty';
  const places = readVolatile(volatile);
  const result = compareEvents(rawOf(before), rawOf(after), places.ok ? { volatile: places.places } : {});
  if (!result.ok) return `the log of the ${result.side}, ${result.at}: ${result.message}`;
  const { first, eventDiffs, eventDiffsTruncated } = result.diff;
  const shifted = shiftIn(replay);
  const counts = { source: before.length, replay: after.length };
  if (first === undefined) return { isSame: true, first: new Set(), all: new Set(), counts };
  const heads = [first.event.source?.raw, first.event.replay?.raw];
  const reported = eventsOf(replay).find(({ type }) => type === 'replay.diverged')?.sequence;
  const firsts = [...heads.flatMap((raw) => namesOf(raw, shifted)), ...atSameIndex(before, after, heads)];
  const firstNames = new Set([...firsts, ...(reported === undefined ? [] : [reported])]);
  const others = eventDiffs.flatMap(({ aEvent, bEvent }) => [aEvent, bEvent].flatMap((raw) => namesOf(raw, shifted)));
  const all = eventDiffsTruncated ? undefined : new Set([...firstNames, ...others]);
  return { isSame: false, first: firstNames, all, counts };
}

function plainEvents(run: RunObservation): readonly RunEvent[] {
  return eventsOf(run).filter((event) => !isAboutReplay(event));
}

/** How many replay.* events stand before a sequence number: a host may count without them. */
function shiftIn(replay: RunObservation): (sequence: number) => number {
  const own = eventsOf(replay).filter(isAboutReplay);
  return (sequence) => own.filter((event) => event.sequence < sequence).length;
}

function namesOf(raw: unknown, shifted: (sequence: number) => number): readonly number[] {
  const sequence = readRunEvent(raw)?.sequence;
  return sequence === undefined ? [] : [sequence, sequence - shifted(sequence)];
}

/** Up to the first parting the logs are pairs, so a host that compares place by place names what stands there on either side. */
function atSameIndex(
  before: readonly RunEvent[],
  after: readonly RunEvent[],
  [source, replay]: readonly unknown[],
): readonly number[] {
  const inSource = before.findIndex(({ raw }) => raw === source);
  const index = inSource >= 0 ? inSource : after.findIndex(({ raw }) => raw === replay);
  return [before[index]?.sequence, after[index]?.sequence].filter((sequence) => sequence !== undefined);
}

/** A replay with its source and its report. */
export interface Reported {
  readonly source: SeenRun;
  readonly replay: SeenRun;
  /** Where the report was read, in words. */
  readonly where: string;
  /** A member of the report. */
  readonly value: (name: string) => unknown;
  /** The two counts of the report, where they are numbers. */
  readonly counts: { readonly matched: number; readonly compared: number } | undefined;
  readonly evidence: readonly { readonly id: string }[];
}

/** A reported replay beside its source, by the harness's own comparison. */
export type Parted = Reported & { readonly partings: Partings };

/** What could be gathered, and why the rest could not. */
export interface Gathered<R extends Reported> {
  readonly reported: readonly R[];
  readonly lacking: readonly string[];
}

/** All replays that were reported on; those that match their sources, and those that do not. */
export interface Reports {
  readonly all: Gathered<Reported>;
  readonly matching: Gathered<Parted>;
  readonly differing: Gathered<Parted>;
}

/** The reports that were read, each with its replay and its source. */
export function seeReports(recorded: Recordings, { options: { volatile } }: Pick<Judging, 'options'>): Reports {
  const all = gather(recorded);
  const lacking = [...all.lacking];
  const parted: Parted[] = [];
  for (const each of all.reported) {
    const partings = partingsOf(each.source, each.replay, volatile);
    if (typeof partings === 'string') lacking.push(`${each.replay.role}: ${partings}`);
    else parted.push({ ...each, partings });
  }
  const differing = parted.filter(({ partings }) => !partings.isSame);
  return {
    all,
    matching: { reported: parted.filter(({ partings }) => partings.isSame), lacking },
    // What differs in the history of a replay is nothing that it was to do again.
    differing: { reported: differing.filter(({ replay }) => replay.fork?.fromSeq === null), lacking },
  };
}

function gather(recorded: Recordings): Gathered<Reported> {
  const runs = runsOf(recorded);
  const reported: Reported[] = [];
  const lacking: string[] = [];
  for (const replay of runs.filter(({ fork }) => fork !== null)) {
    const source = runs.find(
      ({ runId, fork }) => fork === null && runId !== null && runId === replay.fork?.sourceRunId,
    );
    const report = ofType<ReportObservation>(recorded, 'report').find(({ of }) => of === replay.role);
    const problem = source?.problem ?? replay.problem ?? report?.problem ?? null;
    if (source === undefined || report === undefined || problem !== null) {
      lacking.push(`${replay.role}: ${problem ?? 'its source or its report was not read'}`);
      continue;
    }
    const value = (name: string): unknown => member(report.report, name);
    const [matched, compared] = [value('matchedEvents'), value('comparedEvents')];
    const counts = typeof matched === 'number' && typeof compared === 'number' ? { matched, compared } : undefined;
    reported.push({ source, replay, where: report.where, value, counts, evidence: [report, replay, source] });
  }
  return { reported, lacking };
}
