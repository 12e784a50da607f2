import { compareEvents } from '../../src/event-log/index.ts';
import type { Json, Observation } from '../../src/evidence/types.ts';
import { isRecord, type RunEvent } from '../../src/host/run-event.ts';
import type { Recorded } from '../../src/runner/scenario.ts';
import { eventsOf, isAboutReplay, rawOf } from './compare-runs.ts';
import { isRun, sourceAmong } from './every-run.ts';
import { counterpartsOf, namesIn, renamed } from './renamed.ts';
import type { RunObservation } from './run-observation.ts';

/** A member of events: of their own, or of their payloads. */
type Member = readonly [name: string, inPayload?: string];

/** Members of payloads that say what happened: rows are about each of them. */
const FACTS: ReadonlySet<string | undefined> = new Set([
  undefined,
  'output',
  'typeId',
  'value',
  'next',
  'previous',
  'name',
  'channel',
  'resumeValue',
  'changeId',
  'version',
  'phase',
  'workerId',
  'harvestedKeys',
]);

/**
 * The members in which a replay differs from its source where nothing of what happened does: what a host writes otherwise into
 * replays as such. Undefined where there are none.
 */
export function replayMembers(source: RunObservation, replay: RunObservation): readonly Member[] | undefined {
  const compared = compareEvents(rawOf(plainOf(source)), rawOf(plainOf(replay)), { numbers: 'gaps' });
  const first = compared.ok ? compared.diff.first : undefined;
  if (first?.class !== 'value') return undefined;
  const members = [first.pointer, ...first.alsoAt].map(memberAt);
  return members.some(([name, inPayload]) => name === 'payload' && FACTS.has(inPayload)) ? undefined : members;
}

function memberAt(pointer: string): Member {
  const [name = '', inPayload] = pointer.slice(1).split('/');
  return name === 'payload' && inPayload !== undefined ? [name, inPayload] : [name];
}

/**
 * A replay's events, with these members as its source has them in the event that corresponds, where that was executed, not inherited.
 */
export function withMembersOf(
  source: RunObservation,
  replay: RunObservation,
  members: readonly Member[],
): readonly Json[] {
  const all = eventsOf(replay);
  const [before, after] = [plainOf(source), all.filter((event) => !isAboutReplay(event))];
  const names = namesIn([source, before], [replay, after]);
  const isNodeTold = !members.some(([name]) => name === 'nodeId');
  const counterparts = counterpartsOf(after, before, isNodeTold);
  return all.map((event): Json => {
    const own = event.raw as Json;
    const counterpart = counterparts.get(event);
    const isExecuted = counterpart !== undefined && counterpart.sequence >= (replay.fork?.fromSeq ?? 0);
    return isExecuted ? withMembers(own, renamed(counterpart.raw as Json, names), members) : own;
  });
}

function withMembers(event: Json, from: Json, members: readonly Member[]): Json {
  if (!isRecord(event) || !isRecord(from)) return event;
  let all: Readonly<Record<string, unknown>> = event;
  for (const [name, inPayload] of members) {
    if (inPayload === undefined) all = withMember(all, from, name);
    else if (isRecord(all[name]) && isRecord(from[name])) {
      all = { ...all, [name]: withMember(all[name], from[name], inPayload) };
    }
  }
  return all as Json;
}

function withMember(
  own: Readonly<Record<string, unknown>>,
  from: Readonly<Record<string, unknown>>,
  name: string,
): Readonly<Record<string, unknown>> {
  const { [name]: _replaced, ...others } = own;
  return Object.hasOwn(from, name) ? { ...others, [name]: from[name] } : others;
}

function plainOf(run: RunObservation): readonly RunEvent[] {
  return eventsOf(run).filter((event) => !isAboutReplay(event));
}

/** What a host writes otherwise into the first of these replays, and so into replays as such. */
function membersIn(shown: readonly Recorded<Observation>[]): ReturnType<typeof replayMembers> {
  const replay = shown.filter(isRun).find(({ fork }) => fork !== null);
  const source = replay && sourceAmong(replay, shown);
  return source && replay && replayMembers(source, replay);
}

/** The events of a fork with these members as its source has them, which may be a fork itself; undefined for other runs. */
function restored(
  run: RunObservation,
  members: readonly Member[],
  beside: readonly Recorded<Observation>[],
): { readonly events: readonly Json[] } | undefined {
  const source = sourceAmong(run, beside);
  if (source === undefined || source === run) return undefined;
  const others = beside.filter((each) => !Object.is(each, source));
  return { events: withMembersOf({ ...source, ...restored(source, members, others) }, run, members) };
}

/**
 * A fork without what its host writes otherwise into replays as such, of which these observations show one beside its source; undefined
 * where that is nothing, and for other runs.
 */
export function withoutReplayMembers(
  run: RunObservation,
  shown: readonly Recorded<Observation>[],
  beside: readonly Recorded<Observation>[],
): { readonly events: readonly Json[] } | undefined {
  const members = run.fork === null ? undefined : membersIn(shown);
  return members && restored(run, members, beside);
}
