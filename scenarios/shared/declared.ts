import type { Outcome } from '../../src/contract/outcome.ts';
import type { Judgement } from '../../src/contract/verdict.ts';

/** A pass says which deviations it rests on: fields that were left out because they were declared volatile. */
export function declaring(outcome: Outcome, volatile: readonly string[]): Outcome {
  if (outcome.kind !== 'pass' || volatile.length === 0) return outcome;
  return { ...outcome, reason: withDeviation(outcome.reason, volatile) };
}

/** The same for a judgement of the older kind. */
export function declared(judgement: Judgement, volatile: readonly string[]): Judgement {
  if (judgement.verdict !== 'pass' || volatile.length === 0) return judgement;
  return { ...judgement, reason: withDeviation(judgement.reason, volatile) };
}

function withDeviation(reason: string | undefined, volatile: readonly string[]): string {
  const deviation = `declared volatile and not compared: ${volatile.join(', ')}`;
  return reason === undefined ? deviation : `${reason}; ${deviation}`;
}
