import { member } from '../../json.ts';
import type { RecordedAct } from '../../policies/replay.ts';
import type { EventDraft, EventType } from '../../store/event.ts';
import type { Observation } from '../../store/observations.ts';
import type { Parts } from '../mutant.ts';

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
