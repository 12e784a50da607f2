import { member } from '../../src/contract/discovery.ts';
import { diffValues } from '../../src/event-log/index.ts';
import type { RunEvent } from '../../src/host/run-event.ts';
import { eventsOf, type Mismatch, named, shown } from '../shared/compare-runs.ts';
import type { RunObservation } from '../shared/run-observation.ts';

/** Whose values are looked at. */
export interface Watched {
  readonly variables: readonly string[];
  readonly nodes: readonly string[];
}

/** Names under which hosts give a node's output in node.completed. */
const OUTPUTS = ['output', 'outputs', 'result'] as const;

/** The node of an event: the envelope's, else the payload's. */
export function nodeOf(event: RunEvent): string | undefined {
  const nodeId = event.nodeId ?? member(event.payload, 'nodeId');
  return typeof nodeId === 'string' ? nodeId : undefined;
}

/** Every place of a run that shows a watched value; hosts need not show all of them. */
export function shownValues(run: RunObservation, { variables, nodes }: Watched): ReadonlyMap<string, unknown> {
  const places = new Map<string, unknown>();
  const put = (place: string, value: unknown): void => void (value !== undefined && places.set(place, value));
  for (const event of eventsOf(run)) {
    const name = member(event.payload, 'name');
    if (event.type === 'variable.changed' && typeof name === 'string' && variables.includes(name)) {
      put(`variable ${name} in the log`, member(event.payload, 'value'));
    }
    const nodeId = nodeOf(event);
    if (event.type === 'node.completed' && nodeId !== undefined && nodes.includes(nodeId)) {
      put(
        `output of node ${nodeId}`,
        OUTPUTS.map((each) => member(event.payload, each)).find((each) => each !== undefined),
      );
    }
  }
  for (const name of variables) {
    put(`variable ${name} in the snapshot`, member(member(run.snapshot, 'variables'), name));
  }
  return places;
}

/**
 * The first place where a replay shows another value than its source, or none; undefined where all that the source shows
 * stands in the replay too. A snapshot that could not be read is passed over.
 */
export function otherValue(source: RunObservation, replay: RunObservation, watched: Watched): Mismatch | undefined {
  const inReplay = shownValues(replay, watched);
  const ids = { pointer: '', sourceRunId: source.runId ?? '', replayRunId: replay.runId ?? '' };
  for (const [place, value] of shownValues(source, watched)) {
    if (replay.snapshot === null && place.endsWith('in the snapshot')) continue;
    const other = inReplay.get(place);
    if (other !== undefined && diffValues(value, other, ids).length === 0) continue;
    return {
      expected: `${place}: ${shown(value)} as in ${named(source)}`,
      actual: `${place}: ${shown(other)} in ${named(replay)}`,
    };
  }
  return undefined;
}

/** Whether two runs show different values at every place that both have, and have one in common. */
export function showsOthers(source: RunObservation, fresh: RunObservation, watched: Watched): boolean {
  const inFresh = shownValues(fresh, watched);
  const common = [...shownValues(source, watched)].filter(([place]) => inFresh.has(place));
  return common.length > 0 && common.every(([place, value]) => shown(value) !== shown(inFresh.get(place)));
}
