import type { Outcome } from '../../src/contract/outcome.ts';
import { leftWithout, runOf } from './need.ts';
import type { Recordings } from './of-type.ts';

/**
 * The outcome that is left where the control request, a valid fork of the source, was not carried out: a host that refuses
 * everything shows nothing by a refusal. Undefined where it was.
 */
export function leftWithoutControl(recorded: Recordings, role: string): Outcome | undefined {
  const control = runOf(recorded, role);
  const made = control !== undefined && control.runId !== null;
  return leftWithout([runOf(recorded, 'source')]) ?? (made ? undefined : leftWithout([control]));
}
