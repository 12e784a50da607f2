import type { Json } from '../src/evidence/types.ts';
import type { Recorded } from '../src/runner/scenario.ts';
import type { ForkFacts, RunObservation } from '../scenarios/shared/run-observation.ts';

/** What one event says. */
export interface Told {
  readonly type: string;
  readonly nodeId?: string;
  readonly payload?: Json;
}

/** An event with what it says; a number is taken from its place in the log. */
export function tell(type: string, payload: Json = {}, nodeId?: string): Told {
  return { type, payload, ...(nodeId === undefined ? {} : { nodeId }) };
}

/** A run as it was seen, its log numbered from 0, its snapshot completed; `id` is its role. */
export function seenRun(
  role: string,
  told: readonly Told[],
  more: Partial<RunObservation> = {},
): Recorded<RunObservation> {
  const runId = `run-${role.replaceAll(' ', '-')}`;
  const events = told.map(({ type, nodeId, payload = {} }, sequence): Json => ({
    eventId: `${runId}-${sequence}`,
    runId,
    type,
    sequence,
    payload,
    ...(nodeId === undefined ? {} : { nodeId }),
    ...(sequence === 0 ? {} : { causationId: `${runId}-${sequence - 1}` }),
  }));
  return {
    id: role,
    type: 'run',
    role,
    fork: null,
    answered: 201,
    answer: {},
    runId,
    problem: null,
    events,
    snapshot: { runId, status: 'completed', variables: {}, channels: {} },
    exchanges: [`x-${role}`],
    ...more,
  };
}

/** That a run was forked from another one in replay mode. */
export function replayOf(source: RunObservation, fromSeq: number): { readonly fork: ForkFacts } {
  return { fork: { sourceRunId: source.runId, mode: 'replay', fromSeq, advertised: true } };
}

/** A run that was not seen to its end. */
export function unseenRun(role: string, problem: string, more: Partial<RunObservation> = {}): Recorded<RunObservation> {
  return seenRun(role, [], { problem, snapshot: null, ...more });
}

/** A fork of an advertised mode that was refused. */
export function refusedFork(role: string, source: RunObservation): Recorded<RunObservation> {
  return unseenRun(role, 'the request was answered with 501', { ...replayOf(source, 0), answered: 501, runId: null });
}
