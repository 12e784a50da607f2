import { member } from '../../json.ts';
import type { HostParts } from '../../parts.ts';
import type { EventDraft } from '../../store/event.ts';
import type { ProviderResponse } from '../../types/provider.ts';
import type { RefusalDivergence, RefusalMeeting } from '../../types/world.ts';
import { type Parts, within } from '../mutant.ts';
import { knowingForks } from './run-memory.ts';

type Writing = Parameters<HostParts['written']>[1];

/** The two checks of the contract itself: the event and the code. */
export const BOTH_CONTRACTS = ['refusal.valid-to-refusal', 'refusal.refusal-to-valid'] as const;

/** Writes something else where the conformant host writes replay.divergedAtRefusal. */
export function raising(change: (raised: EventDraft, writing: Writing) => readonly EventDraft[]): Parts {
  return ({ written }) => ({
    written: (draft, writing) =>
      written(draft, writing).flatMap((each) =>
        each.type === 'replay.divergedAtRefusal' ? change(each, writing) : [each],
      ),
  });
}

/** The same in replays of replays alone. */
export function raisingAgain(change: (raised: EventDraft) => readonly EventDraft[]): Parts {
  return knowingForks((modeOf) =>
    raising((raised, { run }) => (modeOf(run.fork?.parentRunId ?? '') === 'replay' ? change(raised) : [raised])),
  );
}

/** Whether a divergence event is about a source that was refused. */
export function isOfRefused({ payload }: EventDraft): boolean {
  return member(payload, 'originalEnvelopeKind') === 'refusal';
}

/** Says something else about a divergence. */
export function describing(change: (divergence: RefusalDivergence) => object): Parts {
  return within('refusal', () => ({ payload: change }));
}

/** The source's answer, as far as its log tells it where it is not recorded any more. */
export function sourceAnswer({ original, asked, recorded }: RefusalMeeting): ProviderResponse {
  if (recorded !== undefined) return recorded;
  const { usage } = asked;
  if (original.type === 'envelope.refusal') return { content: null, stopReason: 'safety', usage };
  return { content: member(original.payload, 'output'), stopReason: 'end_turn', usage };
}

/** Silently goes on where the replay's answer is of one kind. */
export function goingOnWith(kind: RefusalDivergence['replayEnvelopeKind']): Parts {
  return within('refusal', ({ onDivergence }) => ({
    onDivergence: (divergence) => (divergence.replayEnvelopeKind === kind ? 'go on' : onDivergence(divergence)),
  }));
}
