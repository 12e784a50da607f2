import { stringMember } from '../../json.ts';
import type { HandoffPolicy, HandoffStep } from '../../policies/handoff.ts';
import type { EventDraft } from '../../store/event.ts';
import type { Parts } from '../mutant.ts';

export const CHAIN = 'core.workflowChain.event';

/** Hands over otherwise than the conformant host. */
export function handingOver(change: (conformant: HandoffPolicy) => Partial<HandoffPolicy>): Parts {
  return ({ handoff }) => ({ handoff: { ...handoff, ...change(handoff) } });
}

/** Writes other events at a step than the conformant host. */
export function writingSteps(written: (step: HandoffStep) => readonly EventDraft[]): Parts {
  return handingOver(() => ({ written }));
}

/** Writes other events in place of the transitions of one phase; all other events stay. */
export function writingPhase(
  phase: string,
  instead: (draft: EventDraft, step: HandoffStep) => readonly EventDraft[],
): Parts {
  return writingSteps((step) =>
    step.drafts.flatMap((draft) => (phaseOf(draft) === phase ? instead(draft, step) : [draft])),
  );
}

/** The phase of a transition, or undefined for any other event. */
export function phaseOf({ type, payload }: Pick<EventDraft, 'type' | 'payload'>): string | undefined {
  return type === CHAIN ? stringMember(payload, 'phase') : undefined;
}

/** A transition with other members in its payload. */
export function told(draft: EventDraft, members: object): EventDraft {
  return { ...draft, payload: { ...(draft.payload as object), ...members } };
}
