import type { Observation } from '../../src/evidence/types.ts';
import { isTerminal, typeOf, type Shown } from '../../src/host/log/shown.ts';
import type { Probe } from '../../src/host/probe.ts';
import type { Recorded } from '../../src/runner/scenario.ts';
import { isRun } from '../shared/every-run.ts';
import { ofType, type Recordings } from '../shared/of-type.ts';
import { readOver, type ReadingObservation } from '../shared/reading.ts';
import type { Source } from '../shared/requested-fork.ts';
import { readAgain } from '../shared/run-observation.ts';

/** The role of a source that is read once more, after its forks. */
export const SOURCE_AGAIN = 'source again';

/** Reads a source before its forks, past the end at which it is left where it is followed. */
export async function readBefore(probe: Probe, source: Source): Promise<readonly Observation[]> {
  return readPastEnd(probe, source, 'start');
}

/** Reads a source after its forks: followed once more, and past its end. */
export async function readAfter(probe: Probe, source: Source): Promise<readonly Observation[]> {
  return [await readAgain(probe, source, { role: SOURCE_AGAIN }), ...(await readPastEnd(probe, source, 'again'))];
}

/** Documents alone: they are whole at once, where a stream may stay open. */
async function readPastEnd(
  probe: Probe,
  { role, runId }: Source,
  how: ReadingObservation['how'],
): Promise<readonly ReadingObservation[]> {
  const reading = await readOver(probe, ['json', 'poll'], { run: role, runId, how });
  return reading === undefined ? [] : [reading];
}

/** What stands behind the end of a source after its forks, and did not before. */
export interface Added {
  readonly before: Recorded<ReadingObservation>;
  readonly after: Recorded<ReadingObservation>;
  readonly events: readonly Shown[];
}

/** Undefined where nothing was added, or the end of the source was not read before. */
export function addedPastEnd(recorded: Recordings): Added | undefined {
  const read = ofType<ReadingObservation>(recorded, 'reading').filter(({ run }) => run === 'source');
  const [before, after] = [read.find(({ how }) => how === 'start'), read.find(({ how }) => how === 'again')];
  if (before === undefined || after === undefined || !before.events.some(isTerminal)) return undefined;
  if (before.transport !== after.transport || before.partial !== after.partial) return undefined;
  const events = pastEnd(after.events).slice(pastEnd(before.events).length);
  return events.length === 0 ? undefined : { before, after, events };
}

function pastEnd(events: readonly Shown[]): readonly Shown[] {
  const end = events.findIndex(isTerminal);
  return end === -1 ? [] : events.slice(end + 1);
}

/** A log without what forks add behind the end of their source: events of these types there. Undefined where none stands there. */
export function withoutAdded(
  observation: Recorded<Observation>,
  { events: added }: Added,
): { readonly events: readonly unknown[] } | undefined {
  const types = new Set(added.map(typeOf));
  const cut = <E>(events: readonly E[], shownAs: (event: E) => Shown) => {
    const end = events.findIndex((event) => isTerminal(shownAs(event)));
    const kept = events.filter((event, index) => end === -1 || index <= end || !types.has(typeOf(shownAs(event))));
    return kept.length === events.length ? undefined : { events: kept };
  };
  if (isRun(observation)) return cut(observation.events, (data) => ({ id: null, name: null, data }));
  return isReading(observation) ? cut(observation.events, (event) => event) : undefined;
}

function isReading<O extends Observation>(observation: O): observation is O & ReadingObservation {
  return observation.type === 'reading';
}
