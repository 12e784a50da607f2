import { member } from '../../src/contract/discovery.ts';
import type { Judging } from '../../src/runner/define-scenario.ts';
import { runsOf, type SeenRun } from '../shared/need.ts';
import { ofType, type Recordings } from '../shared/of-type.ts';
import { partingsOf, type Partings } from '../shared/partings.ts';
import { replaysAll } from '../shared/run-observation.ts';
import type { ReportObservation } from './score-report.ts';

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
    differing: { reported: differing.filter(({ replay }) => replaysAll(replay)), lacking },
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
