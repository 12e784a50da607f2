import { member } from '../../src/contract/discovery.ts';
import { diffValues, writtenValue } from '../../src/event-log/index.ts';
import { eventsOf, named, shown } from './compare-runs.ts';
import type { Difference } from './compared.ts';
import { nodeOf } from './read-event.ts';
import type { RunObservation } from './run-observation.ts';
import { sharedCause } from './diagnoses.ts';

/** Whose values are looked at. */
export interface Watched {
  readonly variables: readonly string[];
  readonly nodes: readonly string[];
  /** The member of the nodes' outputs; the whole outputs where absent. */
  readonly member?: string;
}

/** Names under which hosts give a node's output in node.completed. */
export const OUTPUTS: readonly string[] = ['output', 'outputs', 'result'];

/** The output that node.completed, or the state of a node, gives under one of these names; undefined where it gives none. */
export function outputIn(of: unknown): unknown {
  return OUTPUTS.map((name) => member(of, name)).find((value) => value !== undefined);
}

/** Every place of a run that shows a watched value; hosts need not show all of them. */
export function shownValues(
  run: RunObservation,
  { variables, nodes, member: of }: Watched,
): ReadonlyMap<string, unknown> {
  const places = new Map<string, unknown>();
  const put = (place: string, value: unknown): void => void (value !== undefined && places.set(place, value));
  for (const event of eventsOf(run)) {
    const name = member(event.payload, 'name');
    if (event.type === 'variable.changed' && typeof name === 'string' && variables.includes(name)) {
      put(`variable ${name} in the log`, writtenValue(event));
    }
    const nodeId = nodeOf(event);
    if (event.type === 'node.completed' && nodeId !== undefined && nodes.includes(nodeId)) {
      const output = outputIn(event.payload);
      put(`output of node ${nodeId}`, of === undefined ? output : member(output, of));
    }
  }
  for (const name of variables) {
    put(`variable ${name} in the snapshot`, member(member(run.snapshot, 'variables'), name));
  }
  return places;
}

/** How the values of two runs compare, and what the other one shows; `nothing` where no place shows them in both. */
type Comparison =
  | { readonly kind: 'same' }
  | { readonly kind: 'nothing' }
  | { readonly kind: 'other'; readonly mismatch: Difference; readonly other: unknown };

/**
 * Compares the watched values of a replay with its source's, wherever both show them. A value that the replay shows
 * nowhere is no other value: what a state has to hold is judged elsewhere (0041 §C.2).
 */
export function compareValues(source: RunObservation, replay: RunObservation, watched: Watched): Comparison {
  const inReplay = shownValues(replay, watched);
  const ids = { pointer: '', sourceRunId: source.runId ?? '', replayRunId: replay.runId ?? '' };
  const common = [...shownValues(source, watched)].filter(([place]) => inReplay.has(place));
  for (const [place, value] of common) {
    const other = inReplay.get(place);
    if (diffValues(value, other, ids).length === 0) continue;
    const expected = `${place}: ${shown(value)} as in ${named(source)}`;
    return {
      kind: 'other',
      mismatch: {
        diagnosis: sharedCause('state-differs'),
        expected,
        actual: `${place}: ${shown(other)} in ${named(replay)}`,
      },
      other,
    };
  }
  return common.length === 0 ? { kind: 'nothing' } : { kind: 'same' };
}

/** Whether two runs show different values at every place that both have, and have one in common. */
export function showsOthers(source: RunObservation, fresh: RunObservation, watched: Watched): boolean {
  const inFresh = shownValues(fresh, watched);
  const common = [...shownValues(source, watched)].filter(([place]) => inFresh.has(place));
  return common.length > 0 && common.every(([place, value]) => shown(value) !== shown(inFresh.get(place)));
}
