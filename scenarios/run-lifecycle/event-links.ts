import { member } from '../../src/contract/discovery.ts';
import type { Json } from '../../src/evidence/types.ts';
import { eventsOf, shown } from '../shared/compare-runs.ts';
import { instantOf } from '../shared/instant.ts';
import { childrenNamedIn } from '../shared/read-event.ts';
import type { RunObservation } from '../shared/run-observation.ts';
import type { Beside } from './answer-faults.ts';
import { type Origins, originsOf } from './named-run.ts';

/** How far the clocks of the machines of one host may stand apart, in milliseconds. */
const APART = 60_000;

/** Events of which the payload names the node that the event is about. */
const OF_A_NODE = /^node\.(?:started|completed|failed|skipped|suspended|resumed|retried)$/u;

/** Events that something in the run brings about; one from outside may be its own cause. */
const CAUSED = /^(?:node\.(?:completed|failed)|variable\.changed|channel\.written|memory\.written|run\.completed)$/u;

/**
 * What the events of a log say of each other that cannot be (wire, Documents): an event that caused itself, or was caused by one that comes
 * later; one from long before the run began; a payload about another node. Not asked of forks, which may show causes of their sources, nor of
 * the events of children that a parent shows.
 */
export function linkFaults(run: Pick<RunObservation, 'events'>): (event: Json) => readonly Beside[] {
  const all = eventsOf(run);
  const children = new Set<unknown>(childrenNamedIn(all));
  const events = all.filter(({ raw }) => !children.has(raw['runId']));
  const numbers = new Map<string, number | undefined>();
  // An id that two events have names neither.
  for (const { eventId, sequence } of events) {
    numbers.set(eventId, numbers.has(eventId) ? undefined : sequence);
  }
  const began = beginningOf(run);
  return (event) => {
    if (children.has(member(event, 'runId'))) return [];
    const [sequence, cause] = [member(event, 'sequence') ?? member(event, 'seq'), member(event, 'causationId')];
    const caused = typeof cause === 'string' ? numbers.get(cause) : undefined;
    const type = String(member(event, 'type'));
    // Two events of one number are a row of their own (sequence.monotonic): neither comes later.
    const isSelf = caused !== undefined && cause === member(event, 'eventId');
    const isLater = isSelf
      ? CAUSED.test(type)
      : typeof sequence === 'number' && caused !== undefined && caused > sequence;
    const [node, named] = [member(event, 'nodeId'), member(member(event, 'payload'), 'nodeId')];
    const isOther = typeof node === 'string' && typeof named === 'string' && node !== named;
    const isOfANode = OF_A_NODE.test(type);
    const which = isSelf ? 'its own eventId' : `that of sequence ${String(caused)}, which comes later`;
    return [
      ...(isLater ? [{ pointer: '/causationId', wrong: `is ${which}`, isOfWire: true as const }] : []),
      ...earlyFaults(event, began, 'the run'),
      ...(isOther && isOfANode
        ? [{ pointer: '/payload/nodeId', wrong: `is ${shown(named)}, and nodeId ${shown(node)}` }]
        : []),
    ];
  };
}

/** The instant of the first event of a log. */
function beginningOf(run: Pick<RunObservation, 'events'>): number | undefined {
  return instantOf(member(eventsOf(run)[0]?.raw, 'timestamp'));
}

function earlyFaults(event: Json, began: number | undefined, what: string): readonly Beside[] {
  const timestamp = member(event, 'timestamp');
  const time = instantOf(timestamp);
  if (began === undefined || time === undefined || time >= began - APART) return [];
  return [{ pointer: '/timestamp', wrong: `is ${shown(timestamp)}, long before ${what} began` }];
}

/** When runs that are no forks began, by the earliest of what their readings say. */
export type Beginnings = ReadonlyMap<unknown, number>;

export function beginningsIn(runs: readonly Pick<RunObservation, 'runId' | 'fork' | 'events'>[]): Beginnings {
  const beginnings = new Map<unknown, number>();
  for (const run of runs.filter(({ fork }) => fork === null)) {
    const [known, began] = [beginnings.get(run.runId), beginningOf(run)];
    if (began !== undefined && (known === undefined || began < known)) beginnings.set(run.runId, began);
  }
  return beginnings;
}

/** An event of a fork from long before the run began that it comes from: it may show times of that one. */
export function forkTimeFaults(
  run: Pick<RunObservation, 'fork'>,
  origins: Origins,
  beginnings: Beginnings,
): (event: Json) => readonly Beside[] {
  const began = [...originsOf(run, origins)].map((id) => beginnings.get(id)).find((time) => time !== undefined);
  return (event) => earlyFaults(event, began, 'the run that it comes from');
}
