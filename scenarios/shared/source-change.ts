import { isDeepStrictEqual } from 'node:util';
import { member } from '../../src/contract/discovery.ts';
import { isEmpty } from './emptiness.ts';
import { eventsOf, named, shown } from './compare-runs.ts';
import type { Difference } from './compared.ts';
import type { RunObservation } from './run-observation.ts';
import { steadily } from './steady.ts';
import { sharedCause } from './diagnoses.ts';

/** The members of an event that say what it is (wire-contract, Documents). */
export const EVENT_MEMBERS: readonly string[] =
  'eventId runId type sequence seq nodeId causationId timestamp payload data'.split(' ');

type Logged = Pick<RunObservation, 'role' | 'runId' | 'events'>;

/** Where the log of a run is not what it was, by these members of its events, or undefined. A member that is null is as good as absent. */
export function logChange(
  before: Logged,
  after: Logged,
  members: readonly string[] = EVENT_MEMBERS,
): Difference | undefined {
  const [a, b] = [eventsOf(before), eventsOf(after)];
  if (a.length !== b.length) {
    return {
      diagnosis: sharedCause('source-changed'),
      expected: `${a.length} events in ${named(before)}, as before`,
      actual: `${b.length} events in ${named(after)}, the last of them ${b.at(-1)?.type ?? 'none'}`,
    };
  }
  for (const [index, event] of a.entries()) {
    const other = b[index]?.raw;
    for (const name of members) {
      const [was, is] = [member(event.raw, name) ?? null, member(other, name) ?? null];
      if (isDeepStrictEqual(was, is)) continue;
      const place = `sequence ${event.sequence} (${event.type}) /${name}`;
      return {
        diagnosis: sharedCause('source-changed'),
        expected: `${place}: ${shown(was)} as in ${named(before)}`,
        actual: `${shown(is)} in ${named(after)}`,
      };
    }
  }
  return undefined;
}

/** The members of a snapshot that a document names (wire-contract, Documents). */
export const SNAPSHOT_MEMBERS: ReadonlySet<string> = new Set(
  `runId workflowId status startedAt completedAt endedAt currentNodeId variables channels error tags metadata
   parentRunId forkMode nodeStates`.split(/\s+/u),
);

/** When a run began and ended: a host that said so twice alike before a fork, and never again since, has moved it. */
const MOMENTS: ReadonlySet<string> = new Set(['startedAt', 'completedAt', 'endedAt']);

function isFixed({ snapshot, snapshotAgain }: RunObservation, name: string): boolean {
  const was = member(snapshot, name);
  return MOMENTS.has(name) && typeof was === 'string' && was === member(snapshotAgain, name);
}

/** What a host may come to know of a run that has ended a moment after it says that it has. */
const COMES_LATER: ReadonlySet<string> = new Set([...MOMENTS, 'nodeStates']);

/** What holds any number of things, of which none is as good as no such member. */
const COLLECTIONS: ReadonlySet<string> = new Set(['variables', 'channels', 'tags', 'metadata']);

function isNothing(name: string, value: unknown): boolean {
  return COLLECTIONS.has(name) ? isEmpty(value) : (value ?? null) === null;
}

/** What a host shows of how a run was made. */
function isOrigin({ fork }: RunObservation, name: string, value: unknown): boolean {
  return (
    fork !== null &&
    value ===
      new Map([
        ['parentRunId', fork.sourceRunId],
        ['forkMode', fork.mode],
      ]).get(name)
  );
}

/** Whether a member was not there yet, says nothing, or is the same moment in another spelling. */
function isNoChange(name: string, before: RunObservation, after: RunObservation): boolean {
  const [was, is] = [member(before.snapshot, name), member(after.snapshot, name)];
  if (isNothing(name, was)) return COMES_LATER.has(name) || isNothing(name, is) || isOrigin(after, name, is);
  return MOMENTS.has(name) && typeof was === 'string' && typeof is === 'string' && isSameMoment(was, is);
}

const SECOND = 1000;

/** Whether two texts name one moment, to the second where one of them is no finer. */
function isSameMoment(a: string, b: string): boolean {
  const unit = a.includes('.') && b.includes('.') ? 1 : SECOND;
  return Math.floor(Date.parse(a) / unit) === Math.floor(Date.parse(b) / unit);
}

/** The members of a run's snapshot that count and are not what they were. What differs between two readings with no fork in between does not. */
export function changedMembers(
  before: RunObservation,
  after: RunObservation,
  counts: (name: string) => boolean,
): readonly string[] {
  const names = new Set([...Object.keys(before.snapshot ?? {}), ...Object.keys(after.snapshot ?? {})]);
  return [...names].filter((name) => {
    if (!counts(name) || isNoChange(name, before, after)) return false;
    const again = isFixed(before, name) ? { ...after, snapshotAgain: null } : after;
    return !isDeepStrictEqual(steadily(before.snapshot, name, again), steadily(after.snapshot, name, again));
  });
}

/** What a snapshot shows otherwise afterwards, of what a document names. */
export function snapshotChange(before: RunObservation, after: RunObservation): Difference | undefined {
  const [name] = changedMembers(before, after, (each) => SNAPSHOT_MEMBERS.has(each));
  if (name === undefined) return undefined;
  return {
    diagnosis: sharedCause('source-changed'),
    expected: `snapshot /${name}: ${shown(member(before.snapshot, name))} as in ${named(before)}`,
    actual: `${shown(member(after.snapshot, name))} in ${named(after)}`,
  };
}
