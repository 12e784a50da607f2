import type { Judgement } from '../../src/contract/verdict.ts';
import { judgementOf } from '../../src/runner/define-scenario.ts';
import { leftWithout, type SeenRun } from './need.ts';

export { forkText, refusedWrongly, runOf } from './need.ts';

/** `leftWithout` under a check's name, for judges of the older kind. */
export function unseen(check: string, runs: readonly (SeenRun | undefined)[]): Judgement | undefined {
  const left = leftWithout(runs);
  return left === undefined ? undefined : judgementOf(check, left);
}
