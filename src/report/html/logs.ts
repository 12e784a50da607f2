import { compareEvents } from '../../event-log/index.ts';
import type { Observation } from '../../evidence/types.ts';
import type { CrashCell } from '../../contract/crash-matrix.ts';
import { member } from '../../contract/discovery.ts';
import { buildComparison, type Comparison } from '../view/build-comparison.ts';
import { observedRun, textOf } from '../view/observed-run.ts';
import type { EvidenceLines } from '../evidence-lines.ts';
import type { CutRun } from './crash-picture.tsx';

/** Rows of a comparison, those around the first divergence. */
const ROWS = 40;
/** Longer logs are compared by `diff` and shown by `open`. */
const MOST_EVENTS = 5_000;

/** A source and its fork among what was observed whose logs differ, side by side; undefined where there is no such pair. */
export function differingLogs(observations: readonly Observation[]): Comparison | undefined {
  const runs = observations.flatMap((observation) => observedRun(observation) ?? []);
  for (const replay of runs) {
    const source = runs.find(({ head }) => head.runId === replay.head.parentRunId);
    if (source === undefined || source === replay) continue;
    if (Math.max(source.events.length, replay.events.length) > MOST_EVENTS) continue;
    const compared = compareEvents(source.events, replay.events);
    if (!compared.ok || compared.diff.first !== undefined) return buildComparison(source, replay, ROWS);
  }
  return undefined;
}

/** The runs that were put through cuts, by cut and second cut. */
export function cutRuns({ observations }: EvidenceLines): (cell: CrashCell) => CutRun | undefined {
  const runs = new Map<string, CutRun>();
  for (const { observation } of observations.values()) {
    if (observation.type !== 'cell') continue;
    const [runId, log] = ['runId', 'log'].map((name) => member(observation, name));
    if (typeof runId !== 'string' || !Array.isArray(log)) continue;
    const events = log.map((event: unknown) => textOf(event, 'type') ?? '?');
    const place = [cutOf(member(observation, 'cut')), cutOf(member(observation, 'second'))];
    runs.set(place.join(' '), { runId, events });
  }
  return ({ cut, second }) => runs.get(`${cut} ${second ?? ''}`);
}

function cutOf(cut: unknown): string {
  const [name, hit] = [member(cut, 'name'), member(cut, 'hit')];
  return typeof name === 'string' && typeof hit === 'number' ? `${name}@${hit}` : '';
}
