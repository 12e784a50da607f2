import type { Mismatch } from '../../src/contract/outcome.ts';
import { isRecord, type RunEvent } from '../../src/host/run-event.ts';
import { eventsOf, named, shown } from '../shared/compare-runs.ts';
import type { RecordedRun } from '../shared/need.ts';
import { isDivergence, nodeOf } from '../shared/read-event.ts';
import { errorWords } from '../shared/shown-error.ts';

const REFUSAL = 'envelope.refusal';

/**
 * Where a replay shows otherwise than its source that the model of a node refused: not at all, or in other words (0041 §C: the emitted
 * events are recorded, too). Undefined where it does not, and where it says that it differs.
 */
export function otherRefusal(source: RecordedRun, replay: RecordedRun, nodeId: string): Mismatch | undefined {
  const [recorded, again] = [source, replay].map((run) => refusalsOf(run, nodeId).at(-1));
  if (recorded === undefined || eventsOf(replay).some(isDivergence)) return undefined;
  const place = `${named(replay)}, as in sequence ${recorded.sequence} of ${named(source)}`;
  if (again === undefined) return { expected: `${REFUSAL} of node ${nodeId} in ${place}`, actual: 'none' };
  for (const [name, words] of wordsIn(recorded)) {
    const own = wordsIn(again).get(name);
    if (own === undefined || own === words) continue;
    const expected = `/payload/${name} ${shown(words)} in ${REFUSAL} of ${place}`;
    return { expected, actual: `${shown(own)} at sequence ${again.sequence}` };
  }
  return undefined;
}

function refusalsOf(run: RecordedRun, nodeId: string): readonly RunEvent[] {
  return eventsOf(run).filter((event) => event.type === REFUSAL && nodeOf(event) === nodeId);
}

/** The texts of a payload without what is a run's own, such as ids and times; those of which nothing is left are left out. */
function wordsIn({ payload }: RunEvent): ReadonlyMap<string, string> {
  const members = isRecord(payload) ? Object.entries(payload) : [];
  return new Map(
    members.map(([name, value]) => [name, errorWords(value)] as const).filter(([, words]) => words !== ''),
  );
}
