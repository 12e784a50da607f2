import { member } from '../../src/contract/discovery.ts';
import type { Observation } from '../../src/evidence/types.ts';
import type { Recorded } from '../../src/runner/scenario.ts';
import { runsOf, type SeenRun } from '../shared/judging.ts';
import { partingsOf, type Partings } from './partings.ts';
import type { ReportObservation } from './score-report.ts';

/** A replay with its source and its report. */
export interface Reported {
  readonly source: SeenRun;
  readonly replay: SeenRun;
  readonly report: Recorded<ReportObservation>;
  readonly evidence: readonly SeenOrReport[];
}

type SeenOrReport = { readonly id: string };

/** What could be gathered, and why the rest could not. */
export interface Gathered {
  readonly reported: readonly Reported[];
  readonly lacking: readonly string[];
}

type Recordings = readonly Recorded<Observation>[];

/** The replays that were seen and reported on. */
export function gatherReports(observations: Recordings): Gathered {
  const runs = runsOf(observations);
  const reported: Reported[] = [];
  const lacking: string[] = [];
  for (const replay of runs.filter(({ fork }) => fork !== null)) {
    const source = runs.find(
      ({ runId, fork }) => fork === null && runId !== null && runId === replay.fork?.sourceRunId,
    );
    const report = observations.find(
      (each): each is Recorded<ReportObservation> =>
        each.type === 'report' && (each as Recorded<ReportObservation>).of === replay.role,
    );
    const problem = source?.problem ?? replay.problem ?? report?.problem ?? null;
    if (source === undefined || report === undefined || problem !== null) {
      lacking.push(`${replay.role}: ${problem ?? 'its source or its report was not read'}`);
    } else reported.push({ source, replay, report, evidence: [report, replay, source] });
  }
  return { reported, lacking };
}

/** Those of the reported replays that match their sources, or those that do not, by the harness's own comparison. */
export function partedOf(
  { reported, lacking }: Gathered,
  isSame: boolean,
  volatile: readonly string[],
): Gathered & { readonly parted: readonly (Reported & { readonly partings: Partings })[] } {
  const more: string[] = [];
  const parted = reported.flatMap((each) => {
    const partings = partingsOf(each.source, each.replay, volatile);
    if (typeof partings === 'string') more.push(`${each.replay.role}: ${partings}`);
    if (typeof partings === 'string' || partings.isSame !== isSame) return [];
    // What differs in the history of a replay is nothing that it was to do again.
    return !isSame && each.replay.fork?.fromSeq !== null ? [] : [{ ...each, partings }];
  });
  return { reported, lacking: [...lacking, ...more], parted };
}

/** A member of a report. */
export function reportedValue({ report }: Pick<Reported, 'report'>, name: string): unknown {
  return member(report.report, name);
}

/** The two counts of a report, where they are numbers. */
export function countsOf(
  each: Pick<Reported, 'report'>,
): { readonly matched: number; readonly compared: number } | undefined {
  const [matched, compared] = [reportedValue(each, 'matchedEvents'), reportedValue(each, 'comparedEvents')];
  return typeof matched === 'number' && typeof compared === 'number' ? { matched, compared } : undefined;
}
