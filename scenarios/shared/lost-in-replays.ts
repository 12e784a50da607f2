import { isDeepStrictEqual } from 'node:util';
import { member } from '../../src/contract/discovery.ts';
import type { Json, Observation } from '../../src/evidence/types.ts';
import { isRecord, readRunEvent, type RunEvent } from '../../src/host/run-event.ts';
import type { Recorded } from '../../src/runner/scenario.ts';
import { eventsOf, isAboutReplay } from './compare-runs.ts';
import { isRun, sourceAmong } from './every-run.ts';
import type { RunObservation } from './run-observation.ts';

/** What no replay shows of what it executed: events of a type, or a member of their payloads as its source has it. */
export interface Lost {
  readonly type: string;
  readonly member?: string;
}

/** A run and a replay of it. */
export interface Replayed<Run extends RunObservation = RunObservation> {
  readonly source: Run;
  readonly replay: Run;
}

/** What so many workflows show, and no replay of them, is lost in replays as such; what fewer show may be those workflows' own. */
const FEWEST_WORKFLOWS = 3;

/**
 * What most of these workflows show and none of their replays does, where the workflows are several. Undefined where
 * there is nothing like that.
 */
export function lostInAll(pairs: readonly Replayed[], members: readonly string[]): Lost | undefined {
  const workflows = new Set(pairs.map(({ source }) => source.role));
  const isCommon = (is: (event: RunEvent) => boolean): boolean => {
    const showing = pairs.filter((pair) => executed(pair.source, pair).some(is));
    const shown = new Set(showing.map(({ source }) => source.role)).size;
    return shown >= FEWEST_WORKFLOWS && shown * 2 >= workflows.size;
  };
  const isLost = (is: (event: RunEvent) => boolean, isKept: (event: RunEvent, pair: Replayed) => boolean): boolean =>
    !pairs.some((pair) => executed(pair.replay, pair).some((event) => is(event) && isKept(event, pair))) &&
    isCommon(is);
  const types = new Set(pairs.flatMap(({ source }) => eventsOf(source).map(({ type }) => type)));
  for (const type of types) {
    const isOfType = (event: RunEvent): boolean => event.type === type;
    if (isLost(isOfType, isOfType)) return { type };
    const lost = members.find((name) =>
      isLost(
        (event) => isOfType(event) && has(event, name),
        (event, pair) => isOfSource(event, name, pair),
      ),
    );
    if (lost !== undefined) return { type, member: lost };
  }
  return undefined;
}

function executed(run: RunObservation, { replay }: Replayed): readonly RunEvent[] {
  const start = replay.fork?.fromSeq ?? 0;
  return eventsOf(run).filter((event) => event.sequence >= start && !isAboutReplay(event));
}

/** Whether an event of a replay has a member as the source has it in an event of that type and node. */
function isOfSource({ type, nodeId, payload }: RunEvent, name: string, pair: Replayed): boolean {
  return executed(pair.source, pair).some(
    (event) =>
      event.type === type &&
      event.nodeId === nodeId &&
      isDeepStrictEqual(member(event.payload, name), member(payload, name)),
  );
}

function has({ payload }: RunEvent, name: string): boolean {
  return isRecord(payload) && Object.hasOwn(payload, name);
}

/** The pairs among these observations. */
export function replayedIn(observations: readonly Recorded<Observation>[]): readonly Replayed[] {
  return observations.filter(isRun).flatMap((replay) => {
    const source = sourceAmong(replay, observations);
    return source === undefined ? [] : [{ source, replay }];
  });
}

/** The events of a run without what is lost; undefined where it shows nothing of that. */
export function withoutLost(
  run: Pick<RunObservation, 'events'>,
  { type, member: name }: Lost,
): readonly Json[] | undefined {
  const isMeant = (event: Json): boolean => readRunEvent(event)?.type === type;
  if (!run.events.some(isMeant)) return undefined;
  if (name === undefined) return run.events.filter((event) => !isMeant(event));
  return run.events.map((event) => (isMeant(event) ? withoutMember(event, name) : event));
}

function withoutMember(event: Json, name: string): Json {
  if (!isRecord(event)) return event;
  const kept = (payload: unknown): Json =>
    isRecord(payload)
      ? (Object.fromEntries(Object.entries(payload).filter(([each]) => each !== name)) as Json)
      : (payload as Json);
  const parts = ['payload', 'data'].filter((part) => Object.hasOwn(event, part));
  return { ...event, ...Object.fromEntries(parts.map((part) => [part, kept(event[part])])) };
}
