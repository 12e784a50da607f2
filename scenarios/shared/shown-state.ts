import { member } from '../../src/contract/discovery.ts';
import { listed } from '../../src/contract/listed.ts';
import { type Outcome, undecidedUntil } from '../../src/contract/outcome.ts';
import { writtenValue } from '../../src/event-log/index.ts';
import { isRecord } from '../../src/host/run-event.ts';
import { eventsOf } from './compare-runs.ts';
import { fixtureOf, SOURCE_OF } from './fixture-sources.ts';
import type { RecordedRun } from './need.ts';
import type { RunObservation } from './run-observation.ts';

/** Events that write what a run's state holds. */
const STATE_EVENTS: ReadonlySet<string> = new Set(['variable.changed', 'channel.written']);

/** What is left where these runs write values and show none of them: only the status was compared. Undefined where they do show some. */
export function leftOfHidden(sources: readonly RecordedRun[]): Outcome | undefined {
  const writing = sources.filter(writesState);
  if (writing.length === 0 || writing.some(showsState)) return undefined;
  const names = [...new Set(writing.map(fixtureOf))];
  const reason = `neither the logs nor the snapshots of ${listed(names, NAMED)} show the value of a variable or channel, so nothing but the status was compared`;
  return undecidedUntil('show values in variable.changed or in the snapshot', reason, writing);
}

/** Whether a run writes variables or channels: its log says so, or its fixture does. */
function writesState(run: RunObservation): boolean {
  return WRITING.test(run.role) || eventsOf(run).some(({ type }) => STATE_EVENTS.has(type));
}

const WRITING = new RegExp(`^${SOURCE_OF}conformance-determinism-`, 'u');

/** How many fixtures a reason names. */
const NAMED = 5;

/** Whether a run shows the value of a variable or channel anywhere: in its log or in its snapshot. */
function showsState(run: RunObservation): boolean {
  const isShown = eventsOf(run).some((event) => STATE_EVENTS.has(event.type) && isValue(writtenValue(event)));
  return isShown || snapshotShowsState(run);
}

/** Whether a run's snapshot shows the value of a variable or channel. */
export function snapshotShowsState({ snapshot }: RunObservation): boolean {
  return ['variables', 'channels'].some((name) => {
    const values = member(snapshot, name);
    return isRecord(values) && Object.values(values).some(isValue);
  });
}

function isValue(value: unknown): boolean {
  return value !== undefined && value !== null;
}
