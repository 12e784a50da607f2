import type { Judgement } from '../../src/contract/verdict.ts';

/** A pass says which deviations it rests on: fields that were left out because they were declared volatile. */
export function declared(judgement: Judgement, volatile: readonly string[]): Judgement {
  if (judgement.verdict !== 'pass' || volatile.length === 0) return judgement;
  const deviation = `declared volatile and not compared: ${volatile.join(', ')}`;
  const { reason } = judgement;
  return { ...judgement, reason: reason === undefined ? deviation : `${reason}; ${deviation}` };
}
