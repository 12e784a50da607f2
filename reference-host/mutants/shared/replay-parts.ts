import { member } from '../../json.ts';
import type { HostParts } from '../../parts.ts';
import type { RecordedAct, ReplayPolicy } from '../../policies/replay.ts';
import type { EventDraft } from '../../store/event.ts';
import type { Observation } from '../../store/observations.ts';

/** What a replay makes of a record, undefined to perform the act again, for acts of one kind; the others are served. */
export function onReplayOf(
  kind: string,
  observation: (recorded: Observation, act: RecordedAct) => Observation | undefined,
): (conformant: HostParts) => Partial<HostParts> {
  return ({ replay }) => ({
    replay: {
      ...replay,
      observation: (recorded, act) =>
        act.mode === 'replay' && member(act.request, 'kind') === kind
          ? observation(recorded, act)
          : replay.observation(recorded, act),
    },
  });
}

/** The replay policy with another way of speaking about divergence. */
export function divergedAs(diverged: ReplayPolicy['diverged']): (conformant: HostParts) => Partial<HostParts> {
  return ({ replay }) => ({ replay: { ...replay, diverged } });
}

/** An event with other members in its payload. */
export function withPayload<E extends EventDraft>(event: E, members: object): E {
  const { payload } = event;
  return { ...event, payload: { ...(typeof payload === 'object' ? payload : {}), ...members } };
}
