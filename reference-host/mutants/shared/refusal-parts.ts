import type { HostParts } from '../../parts.ts';
import type { EventDraft } from '../../store/event.ts';
import type { RefusalDivergence } from '../../types/world.ts';
import type { Parts } from '../mutant.ts';

type Writing = Parameters<HostParts['written']>[1];

/** The checks of a row in both directions. */
export function bothDirections(row: string): readonly string[] {
  return [`refusal.${row}.valid-to-refusal`, `refusal.${row}.refusal-to-valid`];
}

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

/** Says something else about a divergence. */
export function describing(change: (divergence: RefusalDivergence) => object): Parts {
  return ({ refusal }) => ({ refusal: { ...refusal, payload: change } });
}

/** Says the same about a divergence, without one member. */
export function withoutMember(name: keyof RefusalDivergence): Parts {
  return describing((divergence) => Object.fromEntries(Object.entries(divergence).filter(([key]) => key !== name)));
}

/** Silently goes on where the replay's answer is of one kind. */
export function goingOnWith(kind: RefusalDivergence['replayEnvelopeKind']): Parts {
  return ({ refusal }) => ({
    refusal: {
      ...refusal,
      onDivergence: (divergence) =>
        divergence.replayEnvelopeKind === kind ? 'take asked' : refusal.onDivergence(divergence),
    },
  });
}
