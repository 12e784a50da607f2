import { member } from '../../src/contract/discovery.ts';
import { notVisited } from '../../src/contract/remedy.ts';
import type { Json, Observation } from '../../src/evidence/types.ts';
import type { WitnessCall, WitnessVisit } from '../../src/evidence/witness.ts';
import type { Recorded } from '../../src/runner/scenario.ts';
import { eventsOf } from './compare-runs.ts';
import { codeInEvent } from './read-event.ts';
import { ofType, type Recordings } from './of-type.ts';
import type { RunObservation } from './run-observation.ts';

/** The calls that the witness had of one visit, up to a moment. */
export interface CallsObservation extends Observation {
  readonly type: 'calls';
  /** What had happened by then. */
  readonly after: string;
  readonly url: string;
  readonly calls: readonly Json[];
}

/** The calls of a visit as they stand. */
export function callsAfter(after: string, visit: WitnessVisit): CallsObservation {
  return { type: 'calls', after, url: visit.url, calls: visit.calls().map(asJson), exchanges: [] };
}

function asJson({ kind, name, method, idempotencyKey, body, answer }: WitnessCall): Json {
  return { kind, name, method, idempotencyKey, body, answer };
}

/** The calls that were recorded after something had happened. */
export function callsOf(recorded: Recordings, after: string): Recorded<CallsObservation> | undefined {
  return ofType<CallsObservation>(recorded, 'calls').find((each) => each.after === after);
}

/** A call that was counted is hidden by nothing that logs and states of runs show. */
export const COUNTED = { apart: ['fork.', 'sequence.'] } as const;

/** The fresh values that the witness answered, in the order of the calls. */
export function noncesIn({ calls }: Pick<CallsObservation, 'calls'>): readonly string[] {
  return calls.flatMap((call) => {
    const nonce = member(member(call, 'answer'), 'nonce');
    return typeof nonce === 'string' ? [nonce] : [];
  });
}

/** Why a source run that calls the witness proves nothing: it never called; one that failed, and how, is mentioned, or else what may be so. */
export function notCalled({ url }: Pick<CallsObservation, 'url'>, run?: RunObservation, otherwise = ''): string {
  const failed = run === undefined ? undefined : eventsOf(run).find(({ type }) => type === 'run.failed');
  const how =
    failed === undefined ? otherwise : ` before its run failed (${codeInEvent(failed) ?? 'without an error code'})`;
  return notVisited(`the host did not call ${url}${how}`);
}
