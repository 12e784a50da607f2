import { member } from '../../src/contract/discovery.ts';
import type { Fault } from '../../src/contract/validate.ts';
import type { Json } from '../../src/evidence/types.ts';
import { childrenNamedIn } from '../shared/read-event.ts';
import { eventsOf, shown } from '../shared/compare-runs.ts';
import type { RunObservation } from '../shared/run-observation.ts';

/**
 * An event that names another run than the one whose log it stands in (wire, Documents). What a host writes into the history of a fork is
 * left open, and parents may show events of their children: nothing is said of these.
 */
export function namedRunFaults(run: RunObservation, event: Json): readonly Fault[] {
  const named = member(event, 'runId');
  if (typeof named !== 'string' || run.runId === null || named === run.runId) return [];
  if (run.fork !== null || childrenNamedIn(eventsOf(run)).length > 0) return [];
  return [{ pointer: '/runId', wrong: `is ${shown(named)}, not ${shown(run.runId)}` }];
}
