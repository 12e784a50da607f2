import type { RunEvent } from '../../src/host/run-event.ts';
import { endOf, endsRun } from '../../src/protocol/run-status.ts';
import { eventsOf, named } from '../shared/compare-runs.ts';
import type { Difference } from '../shared/compared.ts';
import { FOUNDATIONS } from '../shared/foundations.ts';
import { isDivergence, nodeOf } from '../shared/read-event.ts';
import type { RunObservation } from '../shared/run-observation.ts';
import { otherError } from '../shared/shown-error.ts';
import { isAgainstItsLog } from '../shared/snapshot-fault.ts';
import type { FixtureTool } from './fixtures.ts';
import { type InvocationEvent, stepsOf } from './invocation-events.ts';
import { wrong } from './diagnoses.ts';

/**
 * Where a replay shows otherwise than its source how a call failed whose failure is recorded: the call itself, its node, or the end of
 * the run (sem §2: what is recorded is injected; 0041 §C: so are the events). Undefined where it does not, where it says that it
 * differs, and where the source shows no recorded failure.
 */
export function failedOtherwise(
  source: RunObservation,
  replay: RunObservation,
  tool: FixtureTool,
): Difference | undefined {
  const diagnosis = wrong('replayed-failure-otherwise');
  const recorded = lastEnd(source, tool);
  if (recorded?.outcome !== 'failure' || eventsOf(replay).some(isDivergence)) return undefined;
  const again = lastEnd(replay, tool);
  if (again?.outcome === 'success') {
    const expected = `no ${again.event.type} that says success in ${named(replay)}: it failed in ${named(source)}`;
    return { diagnosis, expected, actual: `sequence ${again.event.sequence} says success` };
  }
  const ends = [endOf(eventsOf(source)), endOf(eventsOf(replay))];
  if (ends[0] === 'failed' && ends[1] === 'completed') {
    return {
      diagnosis,
      expected: `run.failed at the end of ${named(replay)}, as in ${named(source)}`,
      actual: 'run.completed',
    };
  }
  const pairs = [
    [recorded.event, again?.event],
    ...[isFailureOf(tool), endsRun].map((isMeant) =>
      [source, replay].map((run) => eventsOf(run).findLast((event) => isMeant(event))),
    ),
  ];
  for (const [before, after] of pairs) {
    const other = otherError(before, after);
    if (before === undefined || after === undefined || other === undefined) continue;
    return {
      diagnosis,
      expected: `${other.expected} in ${after.type} of ${named(replay)}, as in sequence ${before.sequence} of ${named(source)}`,
      actual: `${other.actual} at sequence ${after.sequence}`,
      ...(endsRun(after) && isAgainstItsLog(replay) ? { restsOn: FOUNDATIONS.snapshots } : {}),
    };
  }
  return undefined;
}

/** The last event that says how a call of the tool ended. */
function lastEnd(run: RunObservation, tool: FixtureTool): InvocationEvent | undefined {
  return stepsOf(run, tool).findLast(({ step }) => step === 'finished');
}

function isFailureOf({ nodeId }: FixtureTool): (event: RunEvent) => boolean {
  return (event) => event.type === 'node.failed' && nodeOf(event) === nodeId;
}
