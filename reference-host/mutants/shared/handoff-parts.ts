import { stringMember } from '../../json.ts';
import type { HandoffStep } from '../../policies/handoff.ts';
import type { EventDraft } from '../../store/event.ts';
import { type Parts, within } from '../mutant.ts';

export const CHAIN = 'core.workflowChain.event';

/** Writes other events at a step than the conformant host. */
export function writingSteps(written: (step: HandoffStep) => readonly EventDraft[]): Parts {
  return within('handoff', () => ({ written }));
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
