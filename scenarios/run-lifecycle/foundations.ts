import { member } from '../../src/contract/discovery.ts';
import type { Observation } from '../../src/evidence/types.ts';
import { isRecord } from '../../src/host/run-event.ts';
import type { Foundation, Recorded } from '../../src/runner/scenario.ts';
import { faultBesideSource } from '../shared/beside-source.ts';
import { isRun } from '../shared/every-run.ts';
import { EVENTS_NAMED, FOUNDATIONS, SNAPSHOTS_NAMED } from '../shared/foundations.ts';
import { agreedBefore, isUnsteady } from '../shared/steady-snapshot.ts';
import { isAgainstItsLog, namesAnotherRun } from '../shared/snapshot-fault.ts';
import { foundationBrokenBy } from '../shared/unobserved.ts';

/** A run in whose log no event has a payload, or none that holds anything where some have to (wire-contract, Documents): it shows nothing of what happened. */
function lacksPayloads(observation: Recorded<Observation>): boolean {
  if (!isRun(observation) || observation.events.length === 0) return false;
  const { events } = observation;
  if (events.every((event) => isRecord(event) && !PAYLOADS.some((name) => Object.hasOwn(event, name)))) return true;
  return events.every(isHollow) && events.some((event) => TELLING.test(String(member(event, 'type'))));
}

/** Whether the payload of an event is an empty object. */
function isHollow(event: unknown): boolean {
  const payload = PAYLOADS.map((name) => member(event, name)).find((value) => value !== undefined);
  return isRecord(payload) && Object.keys(payload).length === 0;
}

/** Types of events that say something by their payloads alone. */
const TELLING =
  /^(?:variable\.changed|channel\.written|memory\.written|interrupt\.\w+|runOrchestrator\.decided|core\.workflowChain\.event|tool_invocation_\w+|replay\.diverged\w*)$/u;

/** The member that holds an event's payload, by either name. */
const PAYLOADS = ['payload', 'data'];

/**
 * A run that is not made, or not read, decides nothing; a snapshot that is not that of its own log says nothing about anything
 * else; nor does a log of events that have no payloads.
 */
export const foundations: readonly Foundation[] = [
  {
    check: FOUNDATIONS.runs,
    isBrokenBy: (observation) =>
      isRun(observation) &&
      observation.fork === null &&
      (observation.problem !== null || observation.snapshot === null),
  },
  {
    check: FOUNDATIONS.events,
    isBrokenBy: (observation) => isRun(observation) && foundationBrokenBy(observation) === FOUNDATIONS.events,
  },
  {
    check: EVENTS_NAMED,
    isBrokenBy: lacksPayloads,
    without: (observation) =>
      lacksPayloads(observation)
        ? { problem: 'no event of its log has a payload that says anything', events: [], snapshot: null }
        : undefined,
  },
  {
    // What another run's snapshot says against the log stays wrong.
    check: SNAPSHOTS_NAMED,
    onlyPasses: true,
    isBrokenBy: (observation) => isRun(observation) && namesAnotherRun(observation),
    without: (observation) => (isRun(observation) && namesAnotherRun(observation) ? { snapshot: null } : undefined),
  },
  {
    check: FOUNDATIONS.snapshots,
    isBrokenBy: (observation) => isRun(observation) && isAgainstItsLog(observation),
    without: (observation, shown, beside) => {
      if (!isRun(observation)) return undefined;
      const runs = beside.filter((each) => isRun(each));
      const isOtherwise = isAgainstItsLog(observation) || faultBesideSource(observation, runs) !== undefined;
      // One that agreed before was changed since, as rows about that say, unless snapshots change when nothing else does.
      const isChanged =
        agreedBefore(observation, runs) !== undefined && !isUnsteady(shown.filter((each) => isRun(each)));
      return isOtherwise && !isChanged ? { snapshot: null } : undefined;
    },
  },
];
