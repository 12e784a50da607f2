import type { Answer, RequestedObservation } from '../scenarios/shared/requested.ts';
import type { RunObservation } from '../scenarios/shared/run-observation.ts';
import type { Outcome } from '../src/contract/outcome.ts';
import type { Judgement } from '../src/contract/verdict.ts';
import type { Json, Observation } from '../src/evidence/types.ts';
import { judgementOf } from '../src/runner/define-scenario.ts';
import type { Recorded } from '../src/runner/scenario.ts';
import { recordedRun } from './recorded-runs.ts';

export type Recordings = readonly Recorded<Observation>[];

/** Observations of the fork suite, as the recorder would number them. */
export function recorded(...observations: readonly Observation[]): Recordings {
  return observations.map((observation, index) => ({ ...observation, id: `o${index + 1}` }));
}

/** One event in the wire's shape. */
export function event(sequence: number, type: string, more: { readonly [name: string]: Json } = {}): Json {
  const timestamp = '2026-01-01T00:00:00.000Z';
  return { eventId: `e${sequence}`, runId: 'run_a', sequence, type, payload: {}, timestamp, ...more };
}

/** A log of three events. */
export const LOG: readonly Json[] = [
  event(0, 'run.started'),
  event(1, 'node.started', { nodeId: 'first' }),
  event(2, 'run.completed'),
];

/** A log under another run's id. */
export function as(runId: string, log: readonly Json[] = LOG): readonly Json[] {
  return log.map((each) => ({ ...(each as object), runId }));
}

/** A run that was read to its end. */
export function run(role: string, more: Partial<RunObservation> = {}): RunObservation {
  const { runId = 'run_a' } = more;
  const { id: _, ...observation } = recordedRun(runId, { role, events: runId === null ? [] : as(runId), ...more });
  return observation;
}

/** A fork of run_a that was read to its end. */
export function fork(
  role: string,
  runId: string,
  { mode = 'replay', fromSeq = 0, ...more }: Partial<RunObservation> & { mode?: string; fromSeq?: number | null } = {},
): RunObservation {
  const facts = { sourceRunId: 'run_a', mode, fromSeq, advertised: true };
  const answer = {
    runId,
    ...facts,
    sourceRunId: more.fork?.sourceRunId ?? 'run_a',
    fromSeq: fromSeq ?? 0,
    status: 'running',
    eventsUrl: `/v1/runs/${runId}/events`,
  };
  return run(role, { runId, fork: facts, answer, ...more });
}

/** A fork that was answered with a status and made no run. */
export function refusedFork(role: string, status: number, mode = 'replay', advertised = true): RunObservation {
  return run(role, {
    runId: null,
    answered: status,
    answer: null,
    fork: { sourceRunId: 'run_a', mode, fromSeq: 0, advertised },
    problem: `the request was answered with ${status}`,
    snapshot: null,
  });
}

/** A request of a row with a JSON answer. */
export function requested(row: string, name: string, status: number, body: Json = ENVELOPE): RequestedObservation {
  return answered(row, name, { kind: 'answer', status, body: { json: true, value: body } });
}

/** A request of a row with any answer. */
export function answered(row: string, name: string, answer: Answer): RequestedObservation {
  return { type: 'asked', row, name, request: '', answer, exchanges: ['x2'] };
}

export const ENVELOPE: Json = { error: 'validation_error', message: 'No.' };
export const UNANSWERED: Answer = { kind: 'failure', reason: 'timeout', message: 'no answer' };

/** An outcome as it is reported, under a check of no name. */
export function judged(outcome: Outcome): Judgement {
  return judgementOf('c', outcome);
}

/** A verdict with the diagnosis behind it, for short expectations. */
export function short({ verdict, diagnosis }: Judgement): string {
  return diagnosis === undefined ? verdict : `${verdict} ${diagnosis.code}`;
}
