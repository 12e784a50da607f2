import { member } from '../../src/contract/discovery.ts';
import type { Fault } from '../../src/contract/validate.ts';
import type { Json } from '../../src/evidence/types.ts';
import { childrenNamedIn } from '../shared/read-event.ts';
import { eventsOf, shown } from '../shared/compare-runs.ts';
import type { RunObservation } from '../shared/run-observation.ts';

/**
 * An event that names another run than the one whose log it stands in (wire, Documents). What a host writes into the history of a fork is
 * left open, and so is whether a replay names its source. Branches have a row of their own, and parents may show events of their
 * children: nothing is said of these.
 */
export function namedRunFaults(run: RunObservation, event: Json): readonly Fault[] {
  const faults = run.runId === null ? [] : otherRunFaults(event, run.runId);
  return faults.length > 0 && (isPlain(run) || isOfReplay(run, event)) ? faults : [];
}

/** Whether an event is one that a replay wrote itself, and does not name its source. */
function isOfReplay({ fork, events }: RunObservation, event: Json): boolean {
  const sequence = member(event, 'sequence');
  const isOwn = typeof sequence === 'number' && sequence >= (fork?.fromSeq ?? 0);
  if (member(event, 'runId') === fork?.sourceRunId) return false;
  return fork?.mode === 'replay' && isOwn && childrenNamedIn(eventsOf({ events })).length === 0;
}

/** Whether each event of a run has to name it: it is no fork, and no parent of others. */
export function isPlain(run: RunObservation): boolean {
  return run.fork === null && childrenNamedIn(eventsOf(run)).length === 0;
}

/** That an event names another run than this one. */
export function otherRunFaults(event: Json, runId: string): readonly Fault[] {
  const named = member(event, 'runId');
  if (typeof named !== 'string' || named === runId) return [];
  return [{ pointer: '/runId', wrong: `is ${shown(named)}, not ${shown(runId)}` }];
}
