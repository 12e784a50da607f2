import type { Json } from '../src/evidence/types.ts';
import type { Recorded } from '../src/runner/scenario.ts';
import {
  roleOf,
  type RefusalObservation,
  type StepName,
  type Way,
} from '../scenarios/refusal-divergence/observation.ts';
import type { RunObservation } from '../scenarios/shared/run-observation.ts';
import { recordedRun } from './recorded-runs.ts';

type Kind = 'valid' | 'refusal';
type Event = Readonly<Record<string, Json>>;

const CALL = 'gated-call';
const BEFORE: readonly Event[] = [
  { type: 'run.started' },
  { type: 'node.started', nodeId: 'gate-before' },
  { type: 'variable.changed', nodeId: 'gate-before', payload: { name: 'before', value: 'before' } },
  { type: 'node.completed', nodeId: 'gate-before', payload: { output: 'before' } },
  { type: 'node.started', nodeId: CALL },
];
const CODE = 'replay_diverged_at_refusal';

/** The number of the call's start in every log of this file; the event that says which envelope it got is the next. */
export const CALL_START = 4;
const ENVELOPE = 5;

function failing(code: string): readonly Event[] {
  return [
    { type: 'node.failed', nodeId: CALL, payload: { error: { code, message: '' } } },
    { type: 'run.failed', payload: { error: { code, message: '' } } },
  ];
}

/** What a run's model call leads to, and what follows. */
function ending(answer: Kind, content: boolean): readonly Event[] {
  if (answer === 'refusal') return [{ type: 'envelope.refusal', nodeId: CALL }, ...failing('envelope_refused')];
  return [
    { type: 'node.completed', nodeId: CALL, payload: { output: { valid: content } } },
    { type: 'variable.changed', payload: { name: 'gated', value: { valid: content } } },
    { type: 'node.started', nodeId: 'gate-after' },
    { type: 'node.completed', nodeId: 'gate-after' },
    { type: 'run.completed' },
  ];
}

function diverged(original: Kind, replay: Kind): readonly Event[] {
  const payload = {
    sourceRunId: 'source',
    atSequence: ENVELOPE,
    originalEnvelopeKind: original,
    replayEnvelopeKind: replay,
  };
  const located = { ...payload, originalEventId: `source-${ENVELOPE}`, nodeId: CALL, refusalReason: 'safety' };
  return [{ type: 'replay.divergedAtRefusal', nodeId: CALL, payload: located }, ...failing(CODE)];
}

/** A log's events with ids and numbers of their own. */
export function numbered(runId: string, events: readonly Event[]): readonly Json[] {
  return events.map((event, sequence) => ({ eventId: `${runId}-${sequence}`, runId, sequence, payload: {}, ...event }));
}

function snapshotOf(runId: string, events: readonly Event[]): Json {
  const end = events.at(-1)?.['type'];
  const status = end === 'run.completed' ? 'completed' : 'failed';
  const changes = events.filter(({ type }) => type === 'variable.changed').map(({ payload }) => payload);
  const variables = Object.fromEntries(
    changes.map((change) => [(change as { name: string }).name, (change as { value: Json }).value]),
  );
  const error = events.some(({ type }) => type === 'replay.divergedAtRefusal') ? { error: { code: CODE } } : {};
  return { runId, workflowId: 'w', status, variables, channels: {}, ...error };
}

export type Run = Recorded<RunObservation>;
export type Runs = Partial<Record<StepName, Run>>;

function run(way: Way, step: StepName, events: readonly Event[]): Run {
  const isSource = step === 'source' || step === 'before' || step === 'after';
  const runId = isSource ? 'source' : step === 'changed-whole' ? 'changed' : step;
  const isFork = !isSource && step !== 'fresh' && step !== 'control';
  const fork = isFork ? { sourceRunId: 'source', mode: 'replay', fromSeq: null, advertised: true } : null;
  const all = [...BEFORE, ...events];
  const read = { events: numbered(runId, all), snapshot: snapshotOf(runId, all) };
  return recordedRun(runId, { id: `o-${way}-${step}`, role: roleOf(way, step), fork, ...read });
}

/** The runs of one way as a conformant host shows them. */
export function conformantRuns(way: Way, original: Kind): Runs {
  const replay = original === 'valid' ? 'refusal' : 'valid';
  const source = ending(original, true);
  const raised = diverged(original, replay);
  const steps: readonly (readonly [StepName, readonly Event[]])[] = [
    ['source', source],
    ['before', source],
    ['cached', source],
    ...(way === 'mock'
      ? ([['fresh', original === 'valid' ? ending('refusal', true) : ending('valid', false)]] as const)
      : []),
    ['same', source],
    ...(original === 'valid' ? ([['other', ending('valid', false)]] as const) : []),
    ['changed', raised],
    ['changed-whole', raised],
    ['changed-from-call', raised],
    ...(way !== 'witness' ? ([['control', ending(replay, true)]] as const) : []),
    ['after', source],
  ];
  return Object.fromEntries(steps.map(([step, events]) => [step, run(way, step, events)]));
}

interface WayFacts {
  readonly problem?: string;
  readonly asked?: Readonly<Record<string, number>>;
  readonly forgot?: readonly string[];
  readonly counted?: boolean;
  readonly again?: readonly string[];
}

/** A way's runs as a judge gets them. */
export function observed(way: Way, runs: Runs, facts: WayFacts = {}): readonly Recorded<RefusalObservation>[] {
  const calls = { source: 1, cached: 0, same: 1, other: 1, changed: 1, 'changed-from-call': 1 };
  const forgot = ['same', 'other', 'changed', 'changed-from-call'];
  const fixture = { workflowId: 'conformance-determinism-llm-gate', nodeId: CALL, outputVariable: 'gated' };
  return [
    {
      id: `o-${way}`,
      type: 'way',
      way,
      ...fixture,
      problem: null,
      asked: way === 'witness' ? calls : {},
      forgot,
      ...facts,
      exchanges: ['x1'],
    },
    ...Object.values(runs),
  ];
}
