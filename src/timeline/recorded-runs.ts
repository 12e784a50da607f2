import type { EvidenceRecord } from '../evidence/types.ts';
import { endOf } from '../protocol/run-status.ts';
import type { ListQuery, RunHead } from '../report/view/timeline/model.ts';
import { member, NO_SUCH_RUN, numberOf, type RunSource, type SourceRun, textOf } from './source.ts';

/** A run that is on record. */
export interface RecordedRun {
  readonly head: Omit<RunHead, 'children'>;
  /** Read when it is looked at: large logs are packed. */
  readonly events: () => readonly unknown[];
}

const USUAL = 50;
const MOST_CHILDREN = 20;

/** The runs that an evidence file holds whole, each once: as it was recorded with the longest log. */
export function runsIn(records: readonly EvidenceRecord[]): readonly RecordedRun[] {
  const found = new Map<string, { readonly run: RecordedRun; readonly length: number }>();
  for (const record of records) {
    if (record.kind !== 'observation' || record.observation.type !== 'run') continue;
    const { observation, scenario } = record;
    const runId = textOf(observation, 'runId');
    const events = (): readonly unknown[] => listOf(member(observation, 'events'));
    const length = events().length;
    if (runId === undefined || length <= (found.get(runId)?.length ?? 0)) continue;
    found.set(runId, { run: { head: headOf(runId, observation, scenario), events }, length });
  }
  return [...found.values()].map(({ run }) => run);
}

/** A recorded log alone, as a run; one of a replay with the run that it is a replay of. */
export function runOfLog(events: readonly unknown[], name: string, source?: RecordedRun): RecordedRun {
  const own = textOf(events[0], 'runId') ?? name;
  const head = {
    runId: own === source?.head.runId ? `${own} (replay)` : own,
    label: name,
    ...given('startedAt', textOf(events[0], 'timestamp')),
    ...given('status', endOf(events.map((event) => ({ type: textOf(event, 'type') ?? '' })))),
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
    forks.set(head.parentRunId, [...(forks.get(head.parentRunId) ?? []), { ...head, children: [] }]);
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
        value: { runs: page, ...(matching.length > limit ? given('next', page.at(-1)?.runId) : {}) },
      });
    },
    read: (runId) => {
      const run = byId.get(runId);
      if (run === undefined) return Promise.resolve(NO_SUCH_RUN);
      const value: SourceRun = { head: withForks(run), events: run.events() };
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

function headOf(runId: string, observation: object, scenario: string): RecordedRun['head'] {
  const snapshot = member(observation, 'snapshot');
  const fork = member(observation, 'fork');
  const code = textOf(member(snapshot, 'error'), 'code');
  return {
    runId,
    label: `${textOf(observation, 'role') ?? 'run'}, ${scenario}`,
    ...given('workflowId', textOf(observation, 'workflowId') ?? textOf(snapshot, 'workflowId')),
    ...given('status', textOf(snapshot, 'status')),
    ...given(
      'startedAt',
      textOf(snapshot, 'startedAt') ?? textOf(listOf(member(observation, 'events'))[0], 'timestamp'),
    ),
    ...given('completedAt', textOf(snapshot, 'completedAt')),
    ...given('error', code),
    ...given('parentRunId', textOf(fork, 'sourceRunId')),
    ...given('forkMode', textOf(fork, 'mode')),
    ...given('fromSeq', numberOf(fork, 'fromSeq')),
  };
}

function given<Name extends string, T>(name: Name, value: T | undefined): { readonly [name in Name]?: T } {
  return value === undefined ? {} : ({ [name]: value } as { readonly [name in Name]: T });
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
