import { diffValues } from '../../src/event-log/index.ts';
import type { RunEvent } from '../../src/host/run-event.ts';
import { eventsOf, named, shown } from '../shared/compare-runs.ts';
import type { Compared } from '../shared/compared.ts';
import type { RunObservation } from '../shared/run-observation.ts';
import { withoutVolatile } from '../shared/without-volatile.ts';

interface Telling {
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
export function compareTold({ source, replay, wanted, volatile }: Telling): Compared {
  const [told, again] = [source, replay].map((run) => eventsOf(withoutVolatile(run, volatile)).filter(wanted));
  const ids = { sourceRunId: source.runId ?? '', replayRunId: replay.runId ?? '' };
  for (let index = 0; index < Math.max(told?.length ?? 0, again?.length ?? 0); index += 1) {
    const [a, b] = [told?.[index], again?.[index]];
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
