import { member } from '../contract/discovery.ts';
import { present } from '../contract/present.ts';
import type { EvidenceRecord } from '../evidence/types.ts';
import { endOf } from '../protocol/run-status.ts';
import type { Logged } from '../report/view/build-comparison.ts';
import type { ListQuery, RunHead } from '../report/view/timeline/model.ts';
import { observedRun, textOf } from '../report/view/observed-run.ts';
import { NO_SUCH_RUN, type RunSource } from './source.ts';

/** A run that is on record. */
export interface RecordedRun {
  readonly head: RunHead;
  /** Read when it is looked at: large logs are packed. */
  readonly events: () => readonly unknown[];
}

const USUAL = 50;
const MOST_CHILDREN = 20;

/** The runs that an evidence file holds whole, each once: as it was recorded with the longest log. */
export function runsIn(records: readonly EvidenceRecord[]): readonly RecordedRun[] {
  const found = new Map<string, { readonly run: RecordedRun; readonly length: number }>();
  for (const record of records) {
    const run = record.kind === 'observation' ? observedRun(record.observation) : undefined;
    if (record.kind !== 'observation' || run === undefined) continue;
    const { head, events } = run;
    if (events.length <= (found.get(head.runId)?.length ?? 0)) continue;
    const workflowId = head.workflowId ?? textOf(member(record.observation, 'snapshot'), 'workflowId');
    const labelled = { ...head, label: `${head.label}, ${record.scenario}`, ...present({ workflowId }) };
    found.set(head.runId, {
      run: { head: labelled, events: () => observedRun(record.observation)?.events ?? [] },
      length: events.length,
    });
  }
  return [...found.values()].map(({ run }) => run);
}

/** A recorded log alone, as a run; one of a replay with the run that it is a replay of. */
export function runOfLog(events: readonly unknown[], name: string, source?: RecordedRun): RecordedRun {
  const own = textOf(events[0], 'runId') ?? name;
  const head = {
    runId: own === source?.head.runId ? `${own} (replay)` : own,
    label: name,
    children: [],
    ...present({
      startedAt: textOf(events[0], 'timestamp'),
      status: endOf(events.map((event) => ({ type: textOf(event, 'type') ?? '' }))),
    }),
    ...(source === undefined ? {} : { parentRunId: source.head.runId, forkMode: 'replay' }),
  };
  return { head, events: () => events };
}

/** Recorded runs as the view reads them, the newest first. */
export function recordedRuns(runs: readonly RecordedRun[]): RunSource {
  const newest = runs.toSorted((a, b) => compare(b.head.startedAt ?? '', a.head.startedAt ?? ''));
  const byId = new Map(runs.map((run) => [run.head.runId, run]));
  const forks = new Map<string, RunHead[]>();
  for (const { head } of newest) {
    if (head.parentRunId === undefined) continue;
    forks.set(head.parentRunId, [...(forks.get(head.parentRunId) ?? []), head]);
  }
  const withForks = ({ head }: RecordedRun): RunHead => ({
    ...head,
    forks: forks.get(head.runId)?.length ?? 0,
    children: forks.get(head.runId)?.slice(0, MOST_CHILDREN) ?? [],
  });
  return {
    list: (query) => {
      const { before, limit = USUAL } = query;
      const behind = newest.findIndex(({ head }) => head.runId === before) + 1;
      const matching = newest.slice(behind).filter(({ head }) => lets(query, head));
      const page = matching.slice(0, limit).map(withForks);
      return Promise.resolve({
        ok: true,
        value: { runs: page, ...present({ next: matching.length > limit ? page.at(-1)?.runId : undefined }) },
      });
    },
    read: (runId) => {
      const run = byId.get(runId);
      if (run === undefined) return Promise.resolve(NO_SUCH_RUN);
      const value: Logged = { head: withForks(run), events: run.events() };
      return Promise.resolve({ ok: true, value });
    },
  };
}

function lets({ search, status, parentRunId }: ListQuery, head: RecordedRun['head']): boolean {
  if (status !== undefined && head.status !== status) return false;
  if (parentRunId !== undefined && head.parentRunId !== parentRunId) return false;
  const words = [head.runId, head.workflowId, head.label].map((text) => (text ?? '').toLowerCase());
  return search === undefined || words.some((text) => text.includes(search.toLowerCase()));
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
