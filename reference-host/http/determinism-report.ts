import type { RunService } from '../engine/run-service.ts';
import type { HostParts } from '../parts.ts';
import type { EventLog } from '../store/event-log.ts';
import type { RunEvent } from '../store/event.ts';
import { isAboutReplay, isTerminal } from '../store/event.ts';
import type { Fork, RunRecord } from '../store/runs.ts';
import type { Answer } from './answers.ts';
import { refusal, respond } from './answers.ts';
import { tally } from './run-diff.ts';
import type { Route } from './route.ts';
import { withRun } from './runs.ts';

/** How much of a replay is what its source was (replay.md, Determinism scoring). */
export interface DeterminismReport {
  readonly sourceRunId: string;
  readonly replayRunId: string;
  readonly fromSeq: number;
  /** Aligned places from fromSeq on, events about replays left out. */
  readonly comparedEvents: number;
  readonly matchedEvents: number;
  /** The source's number of the first place where the two part; the replay's where only the replay has an event there. */
  readonly firstDivergenceSeq: number | null;
  /** matchedEvents / comparedEvents; null where there was nothing to compare. */
  readonly score: number | null;
}

/** Where a replay's report is; advertised as `replay.determinismReport`. */
export const REPORT_PATH = '/v1/runs/{runId}/determinism';

export interface DeterminismReportParts {
  readonly parts: HostParts;
  readonly log: EventLog;
  readonly runs: RunService;
}

/** GET /v1/runs/{runId}/determinism. */
export function determinismReportRoute({ parts, log, runs }: DeterminismReportParts): Route {
  return {
    method: 'GET',
    path: REPORT_PATH,
    operationId: 'readDeterminismReport',
    summary: 'How a replay compares with its source',
    access: ['runs:read'],
    answers: { 200: 'The report', 404: 'There is no such replay', 409: 'The replay has not ended' },
    handle: withRun(runs, (run) => respond(report({ parts, log, runs }, run))),
  };
}

function report({ parts, log }: DeterminismReportParts, { runId, fork }: RunRecord): Answer {
  if (fork?.mode !== 'replay')
    return refusal(404, 'report_not_found', 'The run is no replay: there is no report on it.');
  const last = log.last(runId);
  if (last === undefined || !isTerminal(last.type)) {
    return refusal(409, 'run_not_ended', 'The replay has not ended: there is nothing to report yet.');
  }
  const logs = { source: log.read(fork.parentRunId), replay: log.read(runId) };
  return { status: 200, body: parts.sideResources.report(determinismReport(runId, fork, logs)) };
}

/** The report on a replay from the logs of both runs. What the replay inherited is no part of it. */
export function determinismReport(
  replayRunId: string,
  { parentRunId, fromSeq }: Pick<Fork, 'parentRunId' | 'fromSeq'>,
  { source, replay }: { readonly source: readonly RunEvent[]; readonly replay: readonly RunEvent[] },
): DeterminismReport {
  const [before, after] = [plain(source), plain(replay)];
  // Events about the replay may stand in its history and shift its numbers, so that is left out by its length.
  const inherited = before.filter(({ sequence }) => sequence < fromSeq).length;
  const { compared, matched, firstDifference } = tally(before.slice(inherited), after.slice(inherited));
  return {
    sourceRunId: parentRunId,
    replayRunId,
    fromSeq,
    comparedEvents: compared,
    matchedEvents: matched,
    firstDivergenceSeq: firstDifference,
    score: compared === 0 ? null : matched / compared,
  };
}

function plain(log: readonly RunEvent[]): readonly RunEvent[] {
  return log.filter(({ type }) => !isAboutReplay(type));
}
