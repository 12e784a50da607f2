import { compareEvents } from '../../src/event-log/index.ts';
import type { Json, Observation } from '../../src/evidence/types.ts';
import { isRecord, type RunEvent } from '../../src/host/run-event.ts';
import type { Foundation, Recorded } from '../../src/runner/scenario.ts';
import { eventsOf, isAboutReplay, rawOf } from '../shared/compare-runs.ts';
import { isRun, sourceAmong } from '../shared/every-run.ts';
import { FOUNDATIONS, SOURCE_UNTOUCHED } from '../shared/foundations.ts';
import { addedPastEnd, isEndLost, lateUnforked, withEndOf, withoutAdded } from '../shared/past-the-end.ts';
import { counterpartsOf, namesIn, renamed } from '../shared/renamed.ts';
import { isOfOtherMode } from '../shared/other-mode.ts';
import { isFromElsewhere, madeOtherwise } from './made-otherwise.ts';
import { type ForkFacts, replaysAll, type RunObservation } from '../shared/run-observation.ts';

/** A member of events: of their own, or of their payloads. */
type Member = readonly [name: string, inPayload?: string];

/** Members of payloads that say what happened: rows are about each of them. */
const FACTS: ReadonlySet<string | undefined> = new Set([
  undefined,
  'output',
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

/** Whether a fork was requested and made no run; one that was not requested says nothing. */
function unmade(isMeant: (fork: ForkFacts) => boolean): (observation: Recorded<Observation>) => boolean {
  return (observation) =>
    isRun(observation) &&
    observation.fork !== null &&
    observation.runId === null &&
    observation.answered !== null &&
    isMeant(observation.fork);
}

/** The row about the smallest replay that there is. */
const FULL_REPLAY = 'fork.replay-defaults-to-zero';

/** What a host writes otherwise into that replay, and so into replays as such. */
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
 * A fork that is not made decides nothing; what is written otherwise into every replay is so in each row that reads one, what forks add
 * to their source, or take from its end, in each that reads that.
 */
export const foundations: readonly Foundation[] = [
  {
    check: FOUNDATIONS.replays,
    isBrokenBy: unmade(({ mode }) => mode === 'replay'),
    without: madeOtherwise((fork, answer) => fork.mode === 'replay' && isOfOtherMode(fork, answer)),
  },
  {
    check: FOUNDATIONS.laterReplays,
    isBrokenBy: unmade((fork) => fork.mode === 'replay' && !replaysAll({ fork })),
    without: madeOtherwise((fork, answer) => fork.mode === 'replay' && isFromElsewhere(fork, answer)),
  },
  {
    check: FULL_REPLAY,
    onlyPasses: true,
    without: (observation, shown, beside) => {
      const members = isRun(observation) && observation.fork !== null ? membersIn(shown) : undefined;
      return members && isRun(observation) ? restored(observation, members, beside) : undefined;
    },
  },
  {
    check: SOURCE_UNTOUCHED,
    without: (observation, shown, beside) => {
      if (isEndLost(shown)) return withEndOf(observation, beside);
      const added = lateUnforked(shown).length === 0 ? addedPastEnd(shown) : undefined;
      return added && withoutAdded(observation, added);
    },
  },
  {
    check: FOUNDATIONS.branches,
    isBrokenBy: unmade(({ mode }) => mode === 'branch'),
    without: madeOtherwise((fork, answer) => fork.mode === 'branch' && isOfOtherMode(fork, answer)),
  },
];
