import { diffValues } from '../../src/event-log/index.ts';
import type { RunEvent } from '../../src/host/run-event.ts';
import { eventsOf, named, shown } from '../shared/compare-runs.ts';
import type { Compared } from '../shared/compared.ts';
import type { RunObservation } from '../shared/run-observation.ts';
import { withoutVolatile } from '../shared/without-volatile.ts';

interface Picked {
  readonly source: RunObservation;
  readonly replay: RunObservation;
  /** Which events count. */
  readonly wanted: (event: RunEvent) => boolean;
  readonly volatile: readonly string[];
}

/**
 * Compares what some events of two runs say, in their order: type, node and payload. For events that are picked out of
 * their logs, where numbers and causes mean nothing.
 */
export function compareContent({ source, replay, wanted, volatile }: Picked): Compared {
  const pickedFrom = (run: RunObservation) => eventsOf(withoutVolatile(run, volatile)).filter(wanted);
  const [before, after] = [pickedFrom(source), pickedFrom(replay)];
  const ids = { sourceRunId: source.runId ?? '', replayRunId: replay.runId ?? '' };
  for (let index = 0; index < Math.max(before.length, after.length); index += 1) {
    const [a, b] = [before[index], after[index]];
    const [difference] = diffValues(contentOf(a), contentOf(b), { pointer: '', ...ids });
    if (difference === undefined) continue;
    const { pointer } = difference;
    return {
      kind: 'different',
      mismatch: {
        expected: `${placeOf(a, source)} ${pointer}: ${shown(difference.source)}`,
        actual: `${placeOf(b, replay)} ${pointer}: ${shown(difference.replay)}`,
      },
    };
  }
  return { kind: 'same' };
}

function contentOf(event: RunEvent | undefined): unknown {
  if (event === undefined) return null;
  return { type: event.type, nodeId: event.nodeId ?? null, payload: event.payload };
}

function placeOf(event: RunEvent | undefined, run: RunObservation): string {
  if (event === undefined) return `no event there in ${named(run)}`;
  return `sequence ${event.sequence}, ${event.type}, in ${named(run)}`;
}
