import { member } from '../../json.ts';
import type { HostParts } from '../../parts.ts';
import type { RecordedAct } from '../../policies/replay.ts';
import type { EventDraft, EventType } from '../../store/event.ts';
import type { Observation } from '../../store/observations.ts';

type Parts = (conformant: HostParts) => Partial<HostParts>;

/** What replays show of the recorded acts of one kind; undefined performs the act again. */
export function recalling(
  kind: string,
  recall: (recorded: Observation, act: RecordedAct) => Observation | undefined,
): Parts {
  return ({ replay }) => ({
    replay: {
      ...replay,
      observation: (recorded, act) =>
        act.mode === 'replay' && member(act.request, 'kind') === kind
          ? recall(recorded, act)
          : replay.observation(recorded, act),
    },
  });
}

/** Replays show recorded acts of one kind without their events of some types. */
export function forgetting(kind: string, types: readonly EventType[]): Parts {
  return recalling(kind, (recorded) => ({
    ...recorded,
    events: recorded.events.filter(({ type }: EventDraft) => !types.includes(type)),
  }));
}
