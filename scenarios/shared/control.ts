import type { Outcome } from '../../src/contract/outcome.ts';
import { leftWithout, runOf } from './need.ts';
import type { Recordings } from './of-type.ts';

/**
 * The outcome that is left where the control request, a valid fork of the source, was not carried out: a host that refuses
 * everything shows nothing by a refusal. Undefined where it was. A control may have had other roles in old evidence.
 */
export function leftWithoutControl(recorded: Recordings, ...roles: readonly string[]): Outcome | undefined {
  const control = roles.map((role) => runOf(recorded, role)).find((run) => run !== undefined);
  const made = control !== undefined && control.runId !== null;
  return (
    leftWithout([runOf(recorded, 'source') ?? 'source']) ??
    (made ? undefined : leftWithout([control ?? roles.join(' or ')]))
  );
}
