import type { DeterminismReport } from '../policies/side-resources.ts';
import { isAboutReplay, type RunEvent } from '../store/event.ts';
import type { Fork, RunRecord } from '../store/runs.ts';
import type { Store } from '../store/store.ts';
import { refusal, respond, type Answer } from '../types/answers.ts';
import type { Host, Route } from './route.ts';
import { tally } from './run-diff.ts';
import { withRun } from './runs.ts';

/** Where a replay's report is; advertised as `replay.determinismReport`. */
export const REPORT_PATH = '/v1/runs/{runId}/determinism';

/** GET /v1/runs/{runId}/determinism. */
export function determinismReportRoute(host: Host): Route {
  return {
    method: 'GET',
    path: REPORT_PATH,
    operationId: 'readDeterminismReport',
    summary: 'How a replay compares with its source',
    access: ['runs:read'],
    answers: { 200: 'The report', 404: 'There is no such replay', 409: 'The replay has not ended' },
    handle: withRun(host.runs, (run) => respond(report(host, run))),
  };
}

function report({ parts, store }: Host, { runId, fork }: RunRecord): Answer {
  if (fork?.mode !== 'replay')
    return refusal(404, 'report_not_found', 'The run is no replay: there is no report on it.');
  if (!store.events.hasEnded(runId)) {
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

function left({ events, expired }: Store, runId: string): Left {
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
