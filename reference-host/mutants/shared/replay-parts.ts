import { isObject, member } from '../../json.ts';
import type { RecordedAct, Replaying, ReplayPolicy } from '../../policies/replay.ts';
import { type EventDraft, type EventType, inLogOf, isAboutReplay } from '../../store/event.ts';
import type { Observation } from '../../store/observations.ts';
import { type Parts, within } from '../mutant.ts';

/** What replays show of the recorded acts whose kind begins so; undefined performs the act again. */
export function recalling(
  kind: string,
  recall: (recorded: Observation, act: RecordedAct) => Observation | undefined,
): Parts {
  return within('replay', ({ observation }) => ({
    observation: (recorded, act) =>
      act.mode === 'replay' && String(member(act.request, 'kind')).startsWith(kind)
        ? recall(recorded, act)
        : observation(recorded, act),
  }));
}

/** Replays show recorded acts of one kind with other events. */
export function recallingEvents(kind: string, change: (event: EventDraft) => readonly EventDraft[]): Parts {
  return recalling(kind, (recorded) => ({ ...recorded, events: recorded.events.flatMap(change) }));
}

/** Replays show recorded acts of one kind without their events of some types. */
export function forgetting(kind: string, types: readonly EventType[]): Parts {
  return recallingEvents(kind, (event) => (types.includes(event.type) ? [] : [event]));
}

/** The replay policy with another way of speaking about divergence. */
export function divergedAs(diverged: ReplayPolicy['diverged']): Parts {
  return within('replay', () => ({ diverged }));
}

/** An event with other members in its payload. */
export function withPayload<E extends EventDraft>(event: E, members: object): E {
  const { payload } = event;
  return { ...event, payload: { ...(isObject(payload) ? payload : {}), ...members } };
}

/** The rest of the source's log, as drafts for the replay. */
export function copied({
  run,
  source,
  position,
}: Pick<Replaying, 'run' | 'source' | 'position'>): readonly EventDraft[] {
  const events = source.filter((event) => !isAboutReplay(event.type)).slice(position);
  return events.map((event) => {
    const { type, payload, nodeId } = inLogOf(run.runId, event);
    return { type, payload, ...(nodeId === undefined ? {} : { nodeId }) };
  });
}
