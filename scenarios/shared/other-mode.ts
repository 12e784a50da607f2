import { member } from '../../src/contract/discovery.ts';
import type { ForkFacts, RunObservation } from './run-observation.ts';

/** Why nothing is said of such a fork. */
export const MADE_OTHERWISE = 'its answer says that it is another fork than was requested';

const MODES: ReadonlySet<unknown> = new Set<ForkFacts['mode']>(['replay', 'branch']);

/** Whether an answer names the other mode than was requested. */
export function isOfOtherMode({ mode }: Pick<ForkFacts, 'mode'>, answer: unknown): boolean {
  const named = member(answer, 'mode');
  return named !== mode && MODES.has(named);
}

/** Whether no fork was made as it was requested, as the answer says of itself: whoever called or asked meanwhile was no such fork. */
export function isOnlyOfOtherMode({ runId, fork, answer }: RunObservation): boolean {
  return runId === null && fork !== null && isOfOtherMode(fork, answer);
}
