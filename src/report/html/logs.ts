import { compareEvents } from '../../event-log/index.ts';
import { present } from '../../contract/present.ts';
import type { Observation } from '../../evidence/types.ts';
import type { CrashCell } from '../../contract/crash-matrix.ts';
import { member } from '../../contract/discovery.ts';
import { buildComparison } from '../view/build-comparison.ts';
import type { Comparison } from '../view/comparison-model.ts';
import type { RunHead } from '../view/timeline/model.ts';
import type { EvidenceLines } from '../evidence-lines.ts';
import type { CutRun } from './crash-picture.tsx';

/** Rows of a comparison, those around the first divergence. */
const ROWS = 40;
/** Longer logs are compared by `diff` and shown by `open`. */
const MOST_EVENTS = 5_000;

interface Logged {
  readonly head: RunHead;
  readonly events: readonly unknown[];
  readonly sourceRunId: string | undefined;
}

/** A source and its fork among what was observed whose logs differ, side by side; undefined where there is no such pair. */
export function differingLogs(observations: readonly Observation[]): Comparison | undefined {
  const runs = observations.flatMap((observation) => runOf(observation) ?? []);
  for (const replay of runs) {
    const source = runs.find(({ head }) => head.runId === replay.sourceRunId);
    if (source === undefined || source === replay) continue;
    if (Math.max(source.events.length, replay.events.length) > MOST_EVENTS) continue;
    const compared = compareEvents(source.events, replay.events);
    if (!compared.ok || compared.diff.first !== undefined) return buildComparison(source, replay, ROWS);
  }
  return undefined;
}

function runOf(observation: Observation): Logged | undefined {
  if (observation.type !== 'run') return undefined;
  const [runId, events, role] = ['runId', 'events', 'role'].map((name) => member(observation, name));
  const snapshot = member(observation, 'snapshot');
  const sourceRunId = textOf(member(member(observation, 'fork'), 'sourceRunId'));
  if (typeof runId !== 'string' || !Array.isArray(events) || events.length === 0) return undefined;
  const workflowId = textOf(member(observation, 'workflowId'));
  const status = textOf(member(snapshot, 'status'));
  const head: RunHead = {
    runId,
    label: textOf(role) ?? runId,
    children: [],
    ...present({ workflowId, status }),
  };
  return { head, events, sourceRunId };
}

/** The runs that were put through cuts, by cut and second cut. */
export function cutRuns({ observations }: EvidenceLines): (cell: CrashCell) => CutRun | undefined {
  const runs = new Map<string, CutRun>();
  for (const { observation } of observations.values()) {
    if (observation.type !== 'cell') continue;
    const [runId, log] = ['runId', 'log'].map((name) => member(observation, name));
    if (typeof runId !== 'string' || !Array.isArray(log)) continue;
    const events = log.map((event: unknown) => textOf(member(event, 'type')) ?? '?');
    const place = [cutOf(member(observation, 'cut')), cutOf(member(observation, 'second'))];
    runs.set(place.join(' '), { runId, events });
  }
  return ({ cut, second }) => runs.get(`${cut} ${second ?? ''}`);
}

function cutOf(cut: unknown): string {
  const [name, hit] = [member(cut, 'name'), member(cut, 'hit')];
  return typeof name === 'string' && typeof hit === 'number' ? `${name}@${hit}` : '';
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
