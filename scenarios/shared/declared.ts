import type { Outcome } from '../../src/contract/outcome.ts';

/** A pass says which deviations it rests on: fields that were left out because they were declared volatile. */
export function declaring(outcome: Outcome, volatile: readonly string[]): Outcome {
  if (outcome.kind !== 'pass' || volatile.length === 0) return outcome;
  const deviation = `declared volatile and not compared: ${volatile.join(', ')}`;
  return { ...outcome, reason: outcome.reason === undefined ? deviation : `${outcome.reason}; ${deviation}` };
}
