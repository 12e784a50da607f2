import type { RunService } from '../engine/run-service.ts';
import type { HostParts } from '../parts.ts';
import type { DeterminismReport } from '../policies/side-resources.ts';
import type { RunEvent } from '../store/event.ts';
import { isAboutReplay, isTerminal } from '../store/event.ts';
import type { Fork, RunRecord } from '../store/runs.ts';
import type { Store } from '../store/store.ts';
import type { Answer } from '../types/answers.ts';
import { refusal, respond } from '../types/answers.ts';
import type { Route } from './route.ts';
import { tally } from './run-diff.ts';
import { withRun } from './runs.ts';

/** Where a replay's report is; advertised as `replay.determinismReport`. */
export const REPORT_PATH = '/v1/runs/{runId}/determinism';

export interface DeterminismReportParts {
  readonly parts: HostParts;
  readonly store: Pick<Store, 'events' | 'expired'>;
  readonly runs: RunService;
}

/** GET /v1/runs/{runId}/determinism. */
export function determinismReportRoute({ parts, store, runs }: DeterminismReportParts): Route {
  return {
    method: 'GET',
    path: REPORT_PATH,
    operationId: 'readDeterminismReport',
    summary: 'How a replay compares with its source',
    access: ['runs:read'],
    answers: { 200: 'The report', 404: 'There is no such replay', 409: 'The replay has not ended' },
    handle: withRun(runs, (run) => respond(report({ parts, store, runs }, run))),
  };
}

function report({ parts, store }: DeterminismReportParts, { runId, fork }: RunRecord): Answer {
  if (fork?.mode !== 'replay')
    return refusal(404, 'report_not_found', 'The run is no replay: there is no report on it.');
  const last = store.events.last(runId);
  if (last === undefined || !isTerminal(last.type)) {
    return refusal(409, 'run_not_ended', 'The replay has not ended: there is nothing to report yet.');
  }
  const logs = { source: left(store, fork.parentRunId), replay: left(store, runId) };
  return { status: 200, body: parts.sideResources.report(determinismReport(runId, fork, logs)) };
}

/** What is left of a log. */
interface Left {
  readonly events: readonly RunEvent[];
  /** How many events have expired, those about replays not counted: these may stand anywhere and shift the numbers. */
  readonly lost: number;
}

function left({ events, expired }: DeterminismReportParts['store'], runId: string): Left {
  return { events: events.read(runId), lost: expired.get(runId)?.events.length ?? 0 };
}

/** The report on a replay from the logs of both runs. What the replay inherited is no part of it, nor what has expired of one of them. */
export function determinismReport(
  replayRunId: string,
  { parentRunId, fromSeq, position }: Pick<Fork, 'parentRunId' | 'fromSeq' | 'position'>,
  { source, replay }: { readonly source: Left; readonly replay: Left },
): DeterminismReport {
  const start = Math.max(position, source.lost, replay.lost);
  const [before, after] = [source, replay].map(({ events, lost }) => plain(events).slice(start - lost));
  const { compared, matched, firstDifference } = tally(before ?? [], after ?? []);
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
