import { member, readPart } from '../../src/contract/discovery.ts';
import type { Json, Observation } from '../../src/evidence/types.ts';
import type { Exchange } from '../../src/host/client.ts';
import { jsonIn } from '../../src/host/exchanged.ts';
import { repeatPaced } from '../../src/host/paced.ts';
import type { Probe } from '../../src/host/probe.ts';
import { isRecord } from '../../src/host/run-event.ts';
import { REPORT_PATH } from '../../src/protocol/paths.ts';
import { isNotYet } from '../../src/protocol/status.ts';
import type { Judging } from '../../src/runner/define-scenario.ts';
import { runsOf, type RecordedRun } from '../shared/need.ts';
import { ofType, type Recordings } from '../shared/of-type.ts';
import { type Partings, partingsOf } from '../shared/partings.ts';
import { replaysAll, type RunObservation } from '../shared/run-observation.ts';

/** The determinism report of one replay, as the host gave it (replay.md, Determinism scoring). */
export interface ReportObservation extends Observation {
  readonly type: 'report';
  /** The role of the replay that it is about. */
  readonly of: string;
  /** Where it was read, in words. */
  readonly where: string;
  /** Why there is no report; null where there is one. */
  readonly problem: string | null;
  readonly report: Json;
}

/** Longest that is waited for a report that is made after the replay has ended, in milliseconds. */
const PATIENCE_MS = 2000;

/** Reads the report of a replay: where the host says that its reports are, else from the replay's snapshot. */
export async function readReport(probe: Probe, replay: RunObservation): Promise<ReportObservation> {
  const { role: of, runId } = replay;
  const none = { type: 'report', of, report: null } as const;
  if (runId === null) return { ...none, where: 'nowhere', problem: 'the replay was not seen', exchanges: [] };
  const inSnapshot = shownIn(replay);
  if (inSnapshot !== undefined && advertisedPath(probe.discovery) === undefined) return inSnapshot;
  const path = reportPath(probe.discovery, runId);
  const exchange = await repeatPaced(
    () => probe.host.exchange({ method: 'GET', path }),
    (answer) => answer.kind === 'failure' || !isNotYet(answer.status),
    { patienceMs: PATIENCE_MS, signal: probe.signal },
  );
  const report = readAnswer(exchange);
  const [where, exchanges] = [`GET ${path}`, [exchange.id]];
  if (report !== undefined) return { type: 'report', of, where, problem: null, report, exchanges };
  if (inSnapshot !== undefined) return inSnapshot;
  const answered = exchange.kind === 'response' ? `${exchange.status} without a report` : exchange.reason;
  const problem = `${where} answered ${answered}, and the replay's snapshot has no determinismReport`;
  return { ...none, where, problem, exchanges };
}

function shownIn({ role: of, snapshot, exchanges }: RunObservation): ReportObservation | undefined {
  const report = reportIn(member(snapshot, 'determinismReport'));
  const where = "determinismReport of the replay's snapshot";
  return report === undefined ? undefined : { type: 'report', of, where, problem: null, report, exchanges };
}

/** Only plain paths with a place for the run are followed. */
const PLAIN_PATH = /^(?:\/[\w.~:{}-]+)+(?:\?[\w.~=&{}-]*)?$/u;

function advertisedPath(document: unknown): string | undefined {
  const path = member(member(readPart(document, 'replay')?.value, 'determinismReport'), 'path');
  if (typeof path !== 'string' || path.length > 500 || !PLAIN_PATH.test(path)) return undefined;
  return path.includes('{runId}') ? path : undefined;
}

/** The path of a replay's report: as advertised, else as docs/seams.md has it. */
export function reportPath(document: unknown, runId: string): string {
  const path = advertisedPath(document) ?? REPORT_PATH;
  return path.replaceAll('{runId}', () => encodeURIComponent(runId));
}

function readAnswer(exchange: Exchange): Json | undefined {
  const value = jsonIn(exchange, 200);
  return reportIn(value) ?? reportIn(member(value, 'determinismReport')) ?? reportIn(member(value, 'report'));
}

/** A report is an object with at least one of the counts or the score. */
function reportIn(value: unknown): Json | undefined {
  if (!isRecord(value)) return undefined;
  const isReport = ['matchedEvents', 'comparedEvents', 'score'].some((name) => Object.hasOwn(value, name));
  return isReport ? (value as Json) : undefined;
}

/** A replay with its source and its report. */
export interface Reported {
  readonly source: RecordedRun;
  readonly replay: RecordedRun;
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
