import { member } from '../../src/contract/discovery.ts';
import type { ForkFacts } from './run-observation.ts';

/** Why nothing is said of such a fork. */
export const MADE_OTHERWISE = 'its answer says that it is another fork than was requested';

const MODES: ReadonlySet<unknown> = new Set<ForkFacts['mode']>(['replay', 'branch']);

/** Whether an answer names the other mode than was requested. */
export function isOfOtherMode({ mode }: Pick<ForkFacts, 'mode'>, answer: unknown): boolean {
  const named = member(answer, 'mode');
  return named !== mode && MODES.has(named);
}
