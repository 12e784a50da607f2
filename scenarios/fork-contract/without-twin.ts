import type { Judgement } from '../../src/contract/verdict.ts';
import type { Observation } from '../../src/evidence/types.ts';
import { judgementOf } from '../../src/runner/define-scenario.ts';
import type { Recorded } from '../../src/runner/scenario.ts';
import { leftWithoutControl } from '../shared/control.ts';

/** `leftWithoutControl` under a check's name, for judges of the older kind. */
export function withoutTwin(
  observations: readonly Recorded<Observation>[],
  { check, twin }: { readonly check: string; readonly twin: string },
): Judgement | undefined {
  const left = leftWithoutControl(observations, twin);
  return left === undefined ? undefined : judgementOf(check, left);
}
