import type { Mistake } from '../../src/contract/outcome.ts';
import { isRecord, type RunEvent } from '../../src/host/run-event.ts';
import { eventsOf, isAboutReplay, named, shown } from '../shared/compare-runs.ts';
import { sharedCause } from '../shared/diagnoses.ts';
import type { RunObservation } from '../shared/run-observation.ts';

/** A replay of a replay, that one, and the run in which both began. */
interface Logs {
  readonly source: RunObservation;
  readonly first: RunObservation;
  readonly second: RunObservation;
}

/**
 * A member that an event has in a run and in a replay of it, and that a replay of that one does not show: its value, where both have the
 * same one, or its cause (0041 §C.1). What a host notes anew in each run is the same in no two of them.
 */
export function lostAgain(logs: Logs, volatile: readonly string[]): Mistake | undefined {
  const { source, first, second } = logs;
  const [ours, kept, theirs] = [source, first, second].map((run) =>
    eventsOf(run).filter((event) => !isAboutReplay(event)),
  );
  for (const [index, event] of (ours ?? []).entries()) {
    const [again, last] = [kept?.[index], theirs?.[index]];
    if (again?.type !== event.type || last?.type !== event.type) return undefined;
    const members = [membersOf(event), membersOf(again), membersOf(last)] as const;
    const name = [...members[0].keys()].find((each) => isLost(each, members));
    if (name === undefined || volatile.some((place) => place.split('/').includes(name))) continue;
    const expected = `${name} in ${event.type} (${last.sequence}) of ${named(second)}, as in ${named(source)} and ${named(first)}: ${shown(members[0].get(name))}`;
    return { expected, actual: 'no such member', diagnosis: sharedCause('value') };
  }
  return undefined;
}

type Members = ReadonlyMap<string, unknown>;

const CAUSE = 'causationId';

function isLost(name: string, [ours, kept, theirs]: readonly [Members, Members, Members]): boolean {
  if (theirs.has(name)) return false;
  return name === CAUSE ? kept.has(name) : JSON.stringify(kept.get(name)) === JSON.stringify(ours.get(name));
}

/** What an event says, and its cause; a null is as good as absent. */
function membersOf({ raw, payload }: RunEvent): Members {
  const said = isRecord(payload) ? Object.entries(payload) : [];
  const cause: unknown = isRecord(raw) ? raw[CAUSE] : undefined;
  return new Map([...said, [CAUSE, cause] as const].filter(([, value]) => value !== undefined && value !== null));
}
